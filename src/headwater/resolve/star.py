"""Stars: `*`, `t.*`, `s.*` of a struct, with EXCEPT / EXCLUDE, REPLACE and RENAME."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from headwater.model.diagnostic import Code
from headwater.model.kind import IDENTITY
from headwater.resolve.bind import column_of, find_item, search
from headwater.resolve.builder import Owner
from headwater.resolve.field import field_of
from headwater.resolve.flow import flow
from headwater.resolve.name_pattern import Keeps, like
from headwater.resolve.nested import build
from headwater.resolve.row_value import Row
from headwater.resolve.scope import Item, ResultSet, Scope
from headwater.resolve.select_item import gives_outputs
from headwater.resolve.suggestion import near_item


def expand_star(scope: Scope, node: Any, result: ResultSet) -> None:
    """Add the outputs that a star stands for."""
    add_kept(scope, node, None, result, node)


def add_kept(scope: Scope, node: Any, keeps: Keeps | None, result: ResultSet, place: Any) -> None:
    """Add the outputs of a star whose names stay."""
    if isinstance(node, exp.Star):
        _add(scope, node, _all_columns(scope), result, place, keeps)
        return
    star = node.this
    identifiers = [node.args[k] for k in ("catalog", "db", "table") if node.args.get(k) is not None]
    qualifier = tuple(scope.dialect.column(i) if len(identifiers) == 1 else scope.dialect.table(i) for i in identifiers)
    owner = find_item(scope, qualifier)
    element = _element(scope, owner, qualifier)
    if element is not None:
        add_fields(scope, element, star, result, place)
    elif owner is not None:
        _add(scope, star, _columns_of(scope, owner, qualifier), result, place, keeps)
    elif not _struct_star(scope, identifiers, star, result, node):
        name = ".".join(qualifier)
        hint = near_item(scope, qualifier[-1], "*")
        scope.builder.say(Code.UNRESOLVED_COLUMN, f"nothing in FROM is called {name}", node, name, hint)
        column = result.add("*", node)
        scope.edges.append((column, scope.builder.orphan("*", node), IDENTITY, node))


Listed = tuple[str, int, Item]
"""A column of a star: its name, the column, the FROM item that it comes from."""


def _columns_of(scope: Scope, owner: Owner, qualifier: tuple[str, ...]) -> list[Listed]:
    item = scope.by_name.get(qualifier[-1])
    if item is None or item.owner is not owner:
        item = Item(None, owner, True)
    listed = owner.star()
    if scope.merged and scope.dialect.using_first_of_item:
        places = {name: place for place, name in enumerate(scope.merged) if (id(item), name) in scope.hidden}
        listed = sorted(listed, key=lambda each: places.get(each[0], len(scope.merged)))
    return [(name, column, item) for name, column in listed]


def kept_columns(scope: Scope, node: Any, keeps: Keeps | None) -> list[Listed]:
    """The columns of a star, after its modifiers, whose names stay."""
    star, columns = node, _all_columns(scope)
    if isinstance(node, exp.Column):
        star = node.this
        qualifier = (scope.dialect.column(node.args["table"]),) if node.args.get("table") else ()
        owner = find_item(scope, qualifier) if qualifier else None
        columns = [] if owner is None else _columns_of(scope, owner, qualifier)
    modifiers = Modifiers(scope, star, keeps)
    return [(name, column, item) for name, column, item in columns if not modifiers.drops(name, item)]


def add_all(scope: Scope, result: ResultSet, place: Any) -> None:
    """Add every column of a scope, as a bare `*` does."""
    _add(scope, exp.Star(), _all_columns(scope), result, place)


def _all_columns(scope: Scope) -> list[Listed]:
    """The columns of `*`: of each join those merged by USING first, once; then each item's own."""
    merged = scope.merged
    columns: list[Listed] = []
    first = scope.dialect.using_first and merged
    seen: set[str] = set()
    for i, item in enumerate(scope.items):
        if first:
            columns.extend((n, c, item) for n, c in merged.items() if scope.merged_at.get(n, 0) == i)
        for name, column in item.owner.star():
            if (id(item), name) not in scope.hidden:
                columns.append((name, column, item))
            elif not scope.dialect.using_first and name not in seen:
                seen.add(name)
                columns.append((name, merged[name], item))
    return columns


def _element(scope: Scope, owner: Owner | None, qualifier: tuple[str, ...]) -> int | None:
    """The element of an unnested array whose alias a star names: `i.*` are its fields, so it has some."""
    if not isinstance(owner, ResultSet) or not owner.open or len(qualifier) != 1:
        return None
    column = owner.columns.get(qualifier[0])
    return column if column in scope.builder.elements else None


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
    add_fields(scope, base, star, result, place)
    return True


@gives_outputs(exp.Dot)
def composite_star(scope: Scope, node: Any, result: ResultSet) -> bool:
    """PostgreSQL's `(comp).*`, `f(x).*`: the fields of a column in parentheses, or of any other value."""
    if not isinstance(node.expression, exp.Star):
        return False
    path: list[Any] = []
    base = node.this
    while isinstance(base, exp.Paren) or (isinstance(base, exp.Dot) and isinstance(base.expression, exp.Identifier)):
        if isinstance(base, exp.Dot):
            path.append(base.expression)
        base = base.this
    named = isinstance(base, exp.Column) and isinstance(base.this, exp.Identifier)
    column = column_of(scope, base) if named else None
    if column is None:
        column = scope.builder.function(base)
        flow(scope, base, column, IDENTITY)
        build(scope, base, column)
    for identifier in reversed(path):
        column = field_of(scope.builder, column, scope.dialect.column(identifier))
    add_fields(scope, column, node.expression, result, node)
    return True


def add_fields(scope: Scope, base: int, star: Any, result: ResultSet, place: Any) -> None:
    """The fields of a struct as outputs; one `*` where nobody declared them. Those of a whole row are its columns."""
    built = scope.builder.structs.get(base)
    if isinstance(built, Row):
        item = Item(None, built.owner, True)
        _add(scope, star, [(name, column, item) for name, column in built.owner.star()], result, place)
        return
    excepted = Modifiers(scope, star).excepted
    fields = struct_fields(scope, base)
    if not fields:
        result.pass_on(_Fields(scope, base), "*", base, place)
    for name in fields:
        if name not in excepted:
            source = field_of(scope.builder, base, name)
            scope.edges.append((result.add(name, place), source, IDENTITY, place))
            scope.builder.origins[result.outputs[-1][1]] = source


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


def _add(
    scope: Scope,
    star: Any,
    columns: list[Listed],
    result: ResultSet,
    place: Any,
    keeps: Keeps | None = None,
) -> None:
    """Add columns as outputs, after EXCEPT, REPLACE and RENAME."""
    if keeps is None and not any(star.args.values()):
        for name, column, item in columns:
            result.pass_on(item.owner, name, column, place)
        return
    modifiers = Modifiers(scope, star, keeps)
    for name, column, item in columns:
        if modifiers.drops(name, item):
            continue
        if name in modifiers.replaced:
            flow(scope, modifiers.replaced[name], result.add(name, place), IDENTITY)
        else:
            behind = _Modified(item, modifiers) if item.owner.open else item.owner
            output = result.pass_on(behind, name, column, place, modifiers.new_name(name, item))
            if name == "*" and item.owner.open:
                scope.builder.left_out[output] = modifiers.gone(item)
    if result.open:
        _add_named(scope, modifiers, result, place)


def _add_named(scope: Scope, modifiers: Modifiers, result: ResultSet, place: Any) -> None:
    """What REPLACE and RENAME name is there although the star's other columns are not known; it stands somewhere among them."""
    for name, replacement in modifiers.replaced.items():
        if name not in result.columns:
            flow(scope, replacement, result.add_inside(name, place), IDENTITY)
    for name in (*modifiers.renamed.values(), *modifiers.renamed_of.values()):
        if name not in result.columns and any(owner.may_own(name) for owner in result.stars):
            source = result.claim(name)
            scope.edges.append((result.add_inside(name, place), source, IDENTITY, place))


class Modifiers:
    """EXCEPT, REPLACE, RENAME and ILIKE of a star, and a choice of names; `EXCEPT (t.a)` is about t's column alone."""

    __slots__ = ("excepted", "excepted_of", "keeps", "renamed", "renamed_of", "replaced", "scope")

    def __init__(self, scope: Scope, star: Any, keeps: Keeps | None = None) -> None:
        args = star.args
        fold = scope.dialect.column
        self.scope = scope
        excepted = args.get("except_") or ()
        renamed = [a for a in args.get("rename") or () if isinstance(a, exp.Alias)]
        self.excepted = {fold(_name(c)) for c in excepted if not _qualifier(c)}
        self.excepted_of = {(_owner(scope, c), fold(_name(c))) for c in excepted if _qualifier(c)}
        self.replaced = {fold(a.args["alias"]): a.this for a in args.get("replace") or () if isinstance(a, exp.Alias)}
        self.renamed = {fold(_name(a.this)): fold(a.args["alias"]) for a in renamed if not _qualifier(a.this)}
        self.renamed_of = {
            (_owner(scope, a.this), fold(_name(a.this))): fold(a.args["alias"]) for a in renamed if _qualifier(a.this)
        }
        pattern = args.get("ilike")
        self.keeps = like(pattern.name, True) if isinstance(pattern, exp.Literal) else keeps

    def drops(self, name: str, item: Item) -> bool:
        """Whether a column does not pass."""
        if name in self.excepted or (self.excepted_of and (id(item), name) in self.excepted_of):
            return True
        return self.keeps is not None and name != "*" and not self.keeps(name)

    def gone(self, item: Item) -> frozenset[str]:
        """The names under which no column of an item passes."""
        names = {*self.excepted, *self.renamed}
        return frozenset(names | {name for owner, name in (*self.excepted_of, *self.renamed_of) if owner == id(item)})

    def new_name(self, name: str, item: Item) -> str | None:
        """What RENAME calls a column; None if it keeps its name."""
        return self.renamed.get(name) or (self.renamed_of.get((id(item), name)) if self.renamed_of else None)


class _Modified(Owner):
    """An unknown owner behind a star with modifiers."""

    __slots__ = ("base", "item", "modifiers", "original")

    def __init__(self, item: Item, modifiers: Modifiers) -> None:
        base = item.owner
        self.item = item
        self.builder, self.entity, self.rows = base.builder, base.entity, base.rows
        self.open, self.columns = True, {}
        self.listed = {}
        self.base = base
        self.modifiers = modifiers
        self.original = {new: old for old, new in modifiers.renamed.items()}
        self.original |= {new: old for (owner, old), new in modifiers.renamed_of.items() if owner == id(item)}

    def may_own(self, name: str) -> bool:
        """Any column but those that were taken out or renamed away."""
        modifiers = self.modifiers
        if name in self.original:
            return True
        gone = modifiers.drops(name, self.item) or modifiers.new_name(name, self.item)
        return not gone and self.base.may_own(name)

    def claim(self, name: str) -> int:
        """The column behind the modifiers."""
        return self.base.claim(self.original.get(name, name))

    def star(self) -> list[tuple[str, int]]:
        """The star of the owner itself."""
        return self.base.star()


def _qualifier(node: Any) -> Any:
    return node.args.get("table") if isinstance(node, exp.Column) else None


def _owner(scope: Scope, node: Any) -> int:
    """The identity of the FROM item that a qualified name of a modifier is about."""
    return id(scope.by_name.get(scope.dialect.column(node.args["table"])))


def _name(node: Any) -> Any:
    return node.this if isinstance(node, exp.Column) else node
