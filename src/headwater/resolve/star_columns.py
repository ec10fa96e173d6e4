"""The columns that a star stands for: `*`, `t.*`, with EXCEPT / EXCLUDE, REPLACE and RENAME."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.bind import find_item, search
from headwater.resolve.builder import Owner
from headwater.resolve.field import field_of
from headwater.resolve.field_names import struct_fields
from headwater.resolve.name_pattern import Keeps, like
from headwater.resolve.scope import Item, Scope

Listed = tuple[str, int, Item]
"""A column of a star: its name, the column, the FROM item that it comes from."""


def columns_of(scope: Scope, owner: Owner, qualifier: tuple[str, ...]) -> list[Listed]:
    """The columns of `t.*`; where the dialect has it so, those that USING merged come first, or not at all."""
    item = scope.by_name.get(qualifier[-1])
    if item is None or item.owner is not owner:
        item = Item(None, owner, True)
    listed = owner.star()
    scope.builder.check(len(listed))
    if scope.merged and scope.dialect.using_first_of_item:
        places = {name: place for place, name in enumerate(scope.merged) if (id(item), name) in scope.hidden}
        listed = sorted(listed, key=lambda each: places.get(each[0], len(scope.merged)))
    if scope.merged and scope.dialect.using_leaves_item:
        listed = [each for each in listed if (id(item), each[0]) not in scope.hidden]
    return [(name, column, item) for name, column in listed]


def kept_columns(scope: Scope, node: Any, keeps: Keeps | None) -> list[Listed]:
    """The columns of a star, after its modifiers, whose names stay."""
    star, columns = node, all_columns(scope)
    if isinstance(node, exp.Column):
        star = node.this
        qualifier = (scope.dialect.column(node.args["table"]),) if node.args.get("table") else ()
        owner = find_item(scope, qualifier) if qualifier else None
        columns = _fields_of(scope, node) if owner is None else columns_of(scope, owner, qualifier)
    modifiers = Modifiers(scope, star, keeps)
    return [(name, column, item) for name, column, item in columns if not modifiers.drops(name, item)]


def _fields_of(scope: Scope, node: Any) -> list[Listed]:
    """The fields of `s.*`, where s is a struct, as far as they are known."""
    column = search(scope, scope.dialect.column(node.args["table"]), node) if node.args.get("table") else None
    if not isinstance(column, int) or not scope.items:
        return []
    fields = struct_fields(scope.builder, column)
    return [(name, field_of(scope.builder, column, name), scope.items[0]) for name in fields]


def all_columns(scope: Scope) -> list[Listed]:
    """The columns of `*`: of each join those merged by USING first, once; then each item's own."""
    merged = _merged(scope) if scope.merged else []
    columns: list[Listed] = []
    first = scope.dialect.using_first and merged
    seen: set[tuple[int, str]] = set()
    for i, item in enumerate(scope.items):
        if first:
            columns.extend((n, c, item) for start, n, c in merged if start == i)
        listed = item.owner.star()
        scope.builder.check(len(listed))
        for name, column in listed:
            if (id(item), name) not in scope.hidden:
                columns.append((name, column, item))
            elif not scope.dialect.using_first:
                start, one = max((start, c) for start, n, c in merged if n == name and start <= i)
                if (start, name) not in seen:
                    seen.add((start, name))
                    columns.append((name, one, item))
    return columns


def _merged(scope: Scope) -> list[tuple[int, str, int]]:
    """The columns that USING and NATURAL merged: the first item of the join, the name, the column."""
    return [*scope.merged_before, *((scope.merged_at.get(n, 0), n, c) for n, c in scope.merged.items())]


class Modifiers:
    """EXCEPT, REPLACE, RENAME and ILIKE of a star, and a choice of names; `EXCEPT (t.a)` is about t's column alone.

    Where fields are written with dots, `EXCEPT (s.x)` takes the field x out of the struct s, unless a FROM item is called s.
    """

    __slots__ = ("earlier", "excepted", "excepted_of", "fields", "keeps", "renamed", "renamed_of", "replaced", "scope")

    def __init__(self, scope: Scope, star: Any, keeps: Keeps | None = None) -> None:
        args = star.args
        fold = scope.dialect.column
        self.scope = scope
        excepted = args.get("except_") or ()
        renamed = [a for a in args.get("rename") or () if isinstance(a, exp.Alias)]
        self.earlier: set[str] = set()
        """Columns that are named by an alias of an earlier step."""
        self.fields: dict[str, list[tuple[str, ...]]] = {}
        """Paths of fields that are taken out, by the struct that has them."""
        if scope.dialect.dotted_fields:
            excepted = [c for c in excepted if not self._takes_field(c)]
        self.excepted = {fold(_name(c)) for c in excepted if not _qualifier(c)}
        self.excepted_of = {(_owner(scope, c), fold(_name(c))) for c in excepted if _qualifier(c)}
        self.replaced = {fold(a.args["alias"]): a.this for a in args.get("replace") or () if isinstance(a, exp.Alias)}
        self.renamed = {fold(_name(a.this)): fold(a.args["alias"]) for a in renamed if not _qualifier(a.this)}
        self.renamed_of = {
            (_owner(scope, a.this), fold(_name(a.this))): fold(a.args["alias"]) for a in renamed if _qualifier(a.this)
        }
        pattern = args.get("ilike")
        self.keeps = like(pattern.name, True) if isinstance(pattern, exp.Literal) else keeps

    def _takes_field(self, node: Any) -> bool:
        """Note what `EXCEPT (s.x)`, `EXCEPT (t.s.x)` take out of a struct; not what is a column."""
        if not _qualifier(node):
            return False
        parts = [node.args[key] for key in ("catalog", "db", "table", "this") if node.args.get(key) is not None]
        names = [self.scope.dialect.column(part) for part in parts]
        item = self.scope.by_name.get(names[0])
        if item is not None and (len(names) == 2 or names[1] in item.owner.listed):
            names = names[1:]
        elif item is None and find_item(self.scope, (names[0],)) is not None:
            self.earlier.add(names[1])  # a step of a pipe before this one goes by that name
            return True
        if len(names) == 1:
            return False
        self.fields.setdefault(names[0], []).append(tuple(names[1:]))
        return True

    def drops(self, name: str, item: Item) -> bool:
        """Whether a column does not pass."""
        if name in self.excepted or name in self.earlier or (self.excepted_of and (id(item), name) in self.excepted_of):
            return True
        return self.keeps is not None and name != "*" and not self.keeps(name)

    def gone(self, item: Item) -> frozenset[str]:
        """The names under which no column of an item passes."""
        names = {*self.excepted, *self.renamed}
        return frozenset(names | {name for owner, name in (*self.excepted_of, *self.renamed_of) if owner == id(item)})

    def new_name(self, name: str, item: Item) -> str | None:
        """What RENAME calls a column; None if it keeps its name."""
        return self.renamed.get(name) or (self.renamed_of.get((id(item), name)) if self.renamed_of else None)


def _qualifier(node: Any) -> Any:
    return node.args.get("table") if isinstance(node, exp.Column) else None


def _owner(scope: Scope, node: Any) -> int:
    """The identity of the FROM item that a qualified name of a modifier is about."""
    return id(scope.by_name.get(scope.dialect.column(node.args["table"])))


def _name(node: Any) -> Any:
    return node.this if isinstance(node, exp.Column) else node
