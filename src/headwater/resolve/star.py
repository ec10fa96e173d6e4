"""Stars: `*`, `t.*`, `s.*` of a struct, with EXCEPT / EXCLUDE, REPLACE and RENAME."""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from headwater.model.diagnostic import Code
from headwater.model.kind import IDENTITY
from headwater.resolve.bind import find_item, search
from headwater.resolve.builder import Owner
from headwater.resolve.field import field_of
from headwater.resolve.flow import flow
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.suggestion import near_item


def expand_star(scope: Scope, node: Any, result: ResultSet) -> None:
    """Add the outputs that a star stands for."""
    if isinstance(node, exp.Star):
        _add(scope, node, _all_columns(scope), result, node)
        return
    star = node.this
    identifiers = [node.args[k] for k in ("catalog", "db", "table") if node.args.get(k) is not None]
    qualifier = tuple(scope.dialect.column(i) if len(identifiers) == 1 else scope.dialect.table(i) for i in identifiers)
    owner = find_item(scope, qualifier)
    if owner is not None:
        _add(scope, star, [(name, column, owner) for name, column in owner.star()], result, node)
    elif not _struct_star(scope, identifiers, star, result, node):
        name = ".".join(qualifier)
        hint = near_item(scope, qualifier[-1], "*")
        scope.builder.say(Code.UNRESOLVED_COLUMN, f"nothing in FROM is called {name}", node, name, hint)
        column = result.add("*", node)
        scope.edges.append((column, scope.builder.orphan("*", node), IDENTITY, node))


def add_all(scope: Scope, result: ResultSet, place: Any) -> None:
    """Add every column of a scope, as a bare `*` does."""
    _add(scope, exp.Star(), _all_columns(scope), result, place)


def _all_columns(scope: Scope) -> list[tuple[str, int, Owner]]:
    """The columns of `*`: of each join those merged by USING first, once; then each item's own."""
    merged = scope.merged
    columns: list[tuple[str, int, Owner]] = []
    first = scope.dialect.using_first and merged
    seen: set[str] = set()
    for i, item in enumerate(scope.items):
        owner = item.owner
        if first:
            columns.extend((n, c, owner) for n, c in merged.items() if scope.merged_at.get(n, 0) == i)
        for name, column in owner.star():
            if (id(item), name) not in scope.hidden:
                columns.append((name, column, owner))
            elif not scope.dialect.using_first and name not in seen:
                seen.add(name)
                columns.append((name, merged[name], owner))
    return columns


def _struct_star(scope: Scope, identifiers: list[Any], star: Any, result: ResultSet, place: Any) -> bool:
    """`s.*` where s is a column: its fields as far as they are known, else one column `*` of them."""
    names = [scope.dialect.column(i) for i in identifiers]
    base = search(scope, names[0], place)
    if base is None and len(names) > 1:
        owner = find_item(scope, (names[0],))
        base = owner.get(names[1]) or (owner.claim(names[1]) if owner.open else None) if owner is not None else None
        names = names[1:]
    if not isinstance(base, int):
        return False
    for name in names[1:]:
        base = field_of(scope.builder, base, name)
    excepted = _Modifiers(scope, star).excepted
    fields = struct_fields(scope, base)
    if not fields:
        result.pass_on(_Fields(scope, base), "*", base, place)
    for name in fields:
        if name not in excepted:
            source = field_of(scope.builder, base, name)
            scope.edges.append((result.add(name, place), source, IDENTITY, place))
            scope.builder.origins[result.outputs[-1][1]] = source
    return True


class _Fields(Owner):
    """The fields of a struct that nobody declared: any name may be one."""

    __slots__ = ("struct",)

    def __init__(self, scope: Scope, struct: int) -> None:
        self.builder, self.entity, self.rows = scope.builder, scope.builder.columns[struct][0], -1
        self.open, self.columns = True, {}
        self.listed = {}
        self.struct = struct

    def claim(self, name: str) -> int:
        """The field of that name."""
        return field_of(self.builder, self.struct, name)

    def star(self) -> list[tuple[str, int]]:
        """The struct as a whole."""
        return [("*", self.struct)]


def struct_fields(scope: Scope, column: int) -> list[str]:
    """The field names of a struct column, from its constructor or its declared type."""
    builder = scope.builder
    seen: set[int] = set()
    while column not in seen:
        seen.add(column)
        built = builder.structs.get(column)
        if built is not None:
            return list(built.members)
        following = builder.origins.get(column, builder.elements.get(column))
        if following is None:
            break
        column = following
    entity, name, _ = builder.columns[column]
    for table in builder.tables.values():
        if table.entity == entity and table.schema is not None:
            base, *path = name.split(".")
            return _declared_fields(table.schema.get(base, ""), path, scope)
    return []


def _declared_fields(type_: str, path: list[str], scope: Scope) -> list[str]:
    """Field names of a struct type as a schema spells it, `struct<x:int,y:string>`, or of the struct at a path below it."""
    lowered = type_.lower()
    if not any(word in lowered for word in ("struct", "row", "object")):
        return []
    try:
        parsed = exp.DataType.build(type_, dialect=scope.dialect.grammar_name)
    except SqlglotError:
        return []
    fields = _fields(parsed, scope)
    for name in path:
        inner = fields.get(name)
        fields = _fields(inner, scope) if isinstance(inner, exp.DataType) else {}
    return list(fields)


def _fields(parsed: Any, scope: Scope) -> dict[str, Any]:
    """Names and types of a struct's fields; an array has those of its elements."""
    while parsed.expressions and isinstance(parsed.expressions[0], exp.DataType):
        parsed = parsed.expressions[0]
    definitions = [d for d in parsed.expressions if isinstance(d, exp.ColumnDef) and isinstance(d.this, exp.Identifier)]
    return {scope.dialect.column(d.this): d.args.get("kind") for d in definitions}


def _add(scope: Scope, star: Any, columns: list[tuple[str, int, Owner]], result: ResultSet, place: Any) -> None:
    """Add columns as outputs, after EXCEPT, REPLACE and RENAME."""
    if not star.args:
        for name, column, owner in columns:
            result.pass_on(owner, name, column, place)
        return
    modifiers = _Modifiers(scope, star)
    for name, column, owner in columns:
        if modifiers.drops(name):
            continue
        if name in modifiers.replaced:
            flow(scope, modifiers.replaced[name], result.add(name, place), IDENTITY)
        else:
            behind = _Modified(owner, modifiers) if owner.open else owner
            result.pass_on(behind, name, column, place, modifiers.renamed.get(name))


class _Modifiers:
    """EXCEPT, REPLACE, RENAME and ILIKE of a star."""

    __slots__ = ("excepted", "ilike", "renamed", "replaced", "scope")

    def __init__(self, scope: Scope, star: Any) -> None:
        args = star.args
        fold = scope.dialect.column
        self.scope = scope
        self.excepted = {fold(_name(c)) for c in args.get("except_") or ()}
        self.replaced = {fold(a.args["alias"]): a.this for a in args.get("replace") or () if isinstance(a, exp.Alias)}
        self.renamed = {
            fold(_name(a.this)): fold(a.args["alias"]) for a in args.get("rename") or () if isinstance(a, exp.Alias)
        }
        pattern = args.get("ilike")
        self.ilike = _like(pattern.name) if isinstance(pattern, exp.Literal) else None

    def drops(self, name: str) -> bool:
        """Whether a column does not pass."""
        if name in self.excepted:
            return True
        return self.ilike is not None and name != "*" and not self.ilike.fullmatch(name)


class _Modified(Owner):
    """An unknown owner behind a star with modifiers."""

    __slots__ = ("base", "modifiers", "original")

    def __init__(self, base: Owner, modifiers: _Modifiers) -> None:
        self.builder, self.entity, self.rows = base.builder, base.entity, base.rows
        self.open, self.columns = True, {}
        self.listed = {}
        self.base = base
        self.modifiers = modifiers
        self.original = {new: old for old, new in modifiers.renamed.items()}

    def may_own(self, name: str) -> bool:
        """Any column but those that were taken out or renamed away."""
        return not self.modifiers.drops(name) and name not in self.modifiers.renamed and self.base.may_own(name)

    def claim(self, name: str) -> int:
        """The column behind the modifiers."""
        found = self.columns.get(name)
        if found is None:
            replacement = self.modifiers.replaced.get(name)
            if replacement is None:
                found = self.base.claim(self.original.get(name, name))
            else:
                found = self.builder.function(replacement)
                flow(self.modifiers.scope, replacement, found, IDENTITY)
            self.columns[name] = found
        return found

    def star(self) -> list[tuple[str, int]]:
        """The star of the owner itself."""
        return self.base.star()


def _like(pattern: str) -> re.Pattern[str]:
    """A LIKE pattern, regardless of case."""
    parts = (".*" if c == "%" else "." if c == "_" else re.escape(c) for c in pattern)
    return re.compile("".join(parts), re.IGNORECASE)


def _name(node: Any) -> Any:
    return node.this if isinstance(node, exp.Column) else node
