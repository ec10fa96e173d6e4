"""Stars: `*`, `t.*`, `s.*` of a struct, with EXCEPT / EXCLUDE, REPLACE and RENAME."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import IDENTITY, candidate
from headwater.resolve.bind import find_item, pseudo_column, search
from headwater.resolve.builder import Owner, Table
from headwater.resolve.field import field_of, fill
from headwater.resolve.field_names import struct_fields
from headwater.resolve.flow import flow
from headwater.resolve.name_pattern import Keeps
from headwater.resolve.open_struct import OpenStruct
from headwater.resolve.row_value import Row
from headwater.resolve.scope import Item, ResultSet, Scope
from headwater.resolve.select_item import gives_outputs
from headwater.resolve.shape import value_of
from headwater.resolve.star_columns import Listed, Modifiers, all_columns, columns_of
from headwater.resolve.suggestion import near_item
from headwater.resolve.trimmed_struct import add_trimmed
from headwater.resolve.variable import record_named


def expand_star(scope: Scope, node: Any, result: ResultSet) -> None:
    """Add the outputs that a star stands for."""
    add_kept(scope, node, None, result, node)


def add_kept(scope: Scope, node: Any, keeps: Keeps | None, result: ResultSet, place: Any) -> None:
    """Add the outputs of a star whose names stay."""
    if isinstance(node, exp.Star):
        _add(scope, node, all_columns(scope), result, place, keeps)
        return
    star = node.this
    identifiers = [node.args[k] for k in ("catalog", "db", "table") if node.args.get(k) is not None]
    qualifier = tuple(scope.dialect.column(i) if len(identifiers) == 1 else scope.dialect.table(i) for i in identifiers)
    owner = find_item(scope, qualifier)
    element = _element(scope, owner, qualifier)
    if element is not None:
        add_fields(scope, element, star, result, place)
    elif owner is not None:
        _add(scope, star, columns_of(scope, owner, qualifier), result, place, keeps)
    elif not _record_star(scope, qualifier, result, place) and not _struct_star(scope, identifiers, star, result, node):
        name = ".".join(qualifier)
        hint = near_item(scope, qualifier[-1], "*")
        scope.builder.say(Code.UNRESOLVED_COLUMN, f"nothing in FROM is called {name}", node, name, hint)
        column = result.add("*", node)
        scope.edges.append((column, scope.builder.orphan("*", node), IDENTITY, node))


def _record_star(scope: Scope, qualifier: tuple[str, ...], result: ResultSet, place: Any) -> bool:
    """`r.*` where r is a record of the program: its fields, or `*` where nobody knows them."""
    whole = record_named(scope.builder, qualifier[0]) if len(qualifier) == 1 else None
    if whole is None:
        return False
    for name, column in whole.star():
        if name == "*":
            result.add_open_star(whole, place)
            scope.edges.append((result.outputs[-1][1], column, IDENTITY, place))
        else:
            result.pass_on(whole, name, column, place)
    return True


def add_all(scope: Scope, result: ResultSet, place: Any) -> None:
    """Add every column of a scope, as a bare `*` does."""
    _add(scope, exp.Star(), all_columns(scope), result, place)


def _element(scope: Scope, owner: Owner | None, qualifier: tuple[str, ...]) -> int | None:
    """The element of an unnested array whose alias a star names: `i.*` are its fields, so it has some."""
    if not isinstance(owner, ResultSet) or not (owner.open or owner.untyped) or len(qualifier) != 1:
        return None
    column = owner.columns.get(qualifier[0])
    return column if column in scope.builder.elements or owner.untyped else None


def _struct_star(scope: Scope, identifiers: list[Any], star: Any, result: ResultSet, place: Any) -> bool:
    """`s.*` where s is a column: its fields as far as they are known, else one column `*` of them."""
    names = [scope.dialect.column(i) for i in identifiers]
    owner = find_item(scope, (names[0],)) if len(names) > 1 else None
    base = None
    if owner is None or owner.get(names[1]) is None:  # else `t.s.*`, even where t has a column t
        base = search(scope, names[0], place) or pseudo_column(scope, names[0])
    if base is None and len(names) > 1:
        may_claim = owner is not None and (owner.open or _is_pseudo(scope, owner, names[1]))
        base = owner.get(names[1]) or (owner.claim(names[1]) if may_claim else None) if owner is not None else None
        names = names[1:]
    if not isinstance(base, int):
        if not base:
            return False
        base = _one_of(scope, base, place)
    for name in names[1:]:
        base = field_of(scope.builder, base, name)
    add_fields(scope, base, star, result, place)
    return True


def _one_of(scope: Scope, columns: Sequence[int], place: Any) -> int:
    """A column that stands for any of several, of which one is meant."""
    builder = scope.builder
    found = builder.function(place)
    builder.unions[found] = list(columns)
    scope.edges.extend((found, column, candidate(IDENTITY), place) for column in columns)
    return found


def _is_pseudo(scope: Scope, owner: Owner, name: str) -> bool:
    """Whether a table has a column of that name without declaring it."""
    return isinstance(owner, Table) and name in scope.dialect.pseudo_columns


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
    column = value_of(scope, base)
    for identifier in reversed(path):
        column = field_of(scope.builder, column, scope.dialect.column(identifier))
    add_fields(scope, column, node.expression, result, node)
    return True


@gives_outputs(exp.Paren)
def star_in_brackets(scope: Scope, node: Any, result: ResultSet) -> bool:
    """`SELECT (*)`: as without the brackets."""
    if not isinstance(node.this, exp.Star):
        return False
    expand_star(scope, node.this, result)
    return True


@gives_outputs(exp.Anonymous)
def untuple(scope: Scope, node: Any, result: ResultSet) -> bool:
    """ClickHouse's `untuple(t)`: one output per element."""
    if str(node.this).lower() != "untuple" or len(node.expressions) != 1:
        return False
    add_fields(scope, value_of(scope, node.expressions[0]), exp.Star(), result, node)
    return True


def add_fields(scope: Scope, base: int, star: Any, result: ResultSet, place: Any) -> None:
    """The fields of a struct as outputs; one `*` where nobody declared them. Those of a whole row are its columns."""
    built = scope.builder.structs.get(base)
    if isinstance(built, Row):
        item = Item(None, built.owner, True)
        _add(scope, star, [(name, column, item) for name, column in built.owner.star()], result, place)
        return
    fields = struct_fields(scope.builder, base)
    if not fields:
        fill(scope.builder, base)
    item = Item(None, OpenStruct(scope, base), True)
    columns = [(name, field_of(scope.builder, base, name), item) for name in fields] or [("*", base, item)]
    _add(scope, star, columns, result, place)


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
        if name in modifiers.fields:
            add_trimmed(scope, column, name, modifiers.fields[name], result, place)
        elif name in modifiers.replaced:
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
