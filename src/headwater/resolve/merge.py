"""MERGE: every WHEN branch is a change set of its own, under ON, its own AND, and the AND of what takes rows from it."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import FROM_ROWS, IDENTITY, JOIN_CONDITION, WHERE, WRITE_ROWS
from headwater.model.resolution import Edge
from headwater.resolve.builder import Builder, Table
from headwater.resolve.cte import with_ctes
from headwater.resolve.flow import flow, make
from headwater.resolve.from_item import alias_name, from_item
from headwater.resolve.join import condition
from headwater.resolve.returning import returning
from headwater.resolve.scope import Environment, Item, ResultSet, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.target import changed, owner_of
from headwater.resolve.update import assign, target_name, write_changes
from headwater.resolve.values import is_default
from headwater.resolve.write import say_mismatch

_DEFAULT = "default"
"""What the parser takes `INSERT DEFAULT VALUES` for: a list of one column."""

_NOTHING = "DO NOTHING"


@resolves(exp.Merge)
def merge(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`MERGE INTO t USING s ON … WHEN …`."""
    environment = with_ctes(builder, node, None, environment)
    target = changed(builder, node.this)
    table = builder.writes(owner_of(builder, target))
    scope = Scope(builder, None, environment)
    alias = alias_name(scope, target)
    scope.add(alias or builder.dialect.column(target.this), table, alias is not None)
    joins = _source(scope, node.args["using"])
    earlier = Earlier(builder)
    rows = []
    for when in node.args["whens"].expressions:
        rows.append(_branch(scope, when, table, node, joins))
        has_condition = isinstance(when.args.get("condition"), exp.Expr)
        earlier.take(_side(when), rows[-1], has_condition and not _is_deletion(when.args["then"]))
    return Outcome("Merge", returning(builder, node, table, environment, scope, rows))


class Earlier:
    """The WHENs before one of the same kind. A row goes to the first that fits, so the condition of that one decides over the others, too.

    Rows that are deleted are gone: whether they are says nothing about the values of the others.
    """

    def __init__(self, builder: Builder) -> None:
        self._edges = builder.edges
        self._last: dict[str, int] = {}

    def take(self, kind: str, rows: int, takes: bool) -> None:
        """Put the row set of a WHEN under the last that took rows before it. `takes`: it has a condition, and takes from later ones."""
        before = self._last.get(kind)
        if before is not None:
            self._edges.append((rows, before, FROM_ROWS, None))
        if takes:
            self._last[kind] = rows


def _side(when: Any) -> str:
    """Which rows a WHEN is for: matched ones, or those of one side."""
    if when.args.get("matched"):
        return "matched"
    return "target" if when.args.get("source") else "source"


def _source(scope: Scope, using: Any) -> list[Edge]:
    """Put the source into the scope; what its joins, if it has any, decide by is for the row set of each branch."""
    edges = scope.builder.edges
    before = len(edges)
    from_item(scope, using)
    joins = [edge for edge in edges[before:] if edge[0] == scope.rows]
    edges[before:] = [edge for edge in edges[before:] if edge[0] != scope.rows]
    return joins


def _match(scope: Scope, node: Any) -> None:
    """ON, or DuckDB's USING (a, b): what decides which rows match."""
    if isinstance(node.args.get("on"), exp.Expr):
        condition(scope, node.args["on"], 1)
    for name in node.args.get("using_cond") or ():
        folded = scope.dialect.column(name)
        for item in scope.items:
            scope.edges.append((scope.rows, item.owner.claim(folded), JOIN_CONDITION, name))


def _branch(outer: Scope, when: Any, table: Table, node: Any, joins: list[Edge]) -> int:
    """One WHEN: a change set under ON and its own condition, over the sides that exist in it; gives its row set."""
    builder = outer.builder
    action = when.args["then"]
    inserts = isinstance(action, exp.Insert)
    changes = ResultSet(builder, "merge-insert" if inserts else "merge-update", when)
    both = Scope(builder, None, outer.environment, changes.rows)
    both.see(outer.items)
    for item in outer.items[1:]:
        builder.edges.append((changes.rows, item.owner.rows, FROM_ROWS, None))
    builder.edges.extend((changes.rows, *edge[1:]) for edge in joins)
    _match(both, node)
    scope = Scope(builder, None, outer.environment, changes.rows)
    scope.see(_visible(outer, when))
    if isinstance(when.args.get("condition"), exp.Expr):
        flow(scope, when.args["condition"], changes.rows, WHERE)
    if isinstance(action, exp.Expr) and isinstance(action.args.get("where"), exp.Where):
        flow(scope, action.args["where"].this, changes.rows, WHERE)
    evolves = bool(node.args.get("schema_evolution"))
    if inserts:
        _insert(scope, action, table, changes, evolves, both)
    elif isinstance(action, exp.Update):
        _update(scope, action, table, changes, evolves)
    else:
        changes.row.type = "merge-delete"
    changes.complete()
    write_changes(builder, table, changes)
    if inserts or _is_deletion(action):
        builder.edges.append((table.rows, changes.rows, WRITE_ROWS, None))
    return changes.rows


def _is_deletion(action: Any) -> bool:
    return not isinstance(action, (exp.Insert, exp.Update)) and action.name.upper() != _NOTHING


def _visible(outer: Scope, when: Any) -> list[Item]:
    """A row that is not matched has one side only: the source, or BY SOURCE the target."""
    return {"matched": outer.items, "target": outer.items[:1], "source": outer.items[1:]}[_side(when)]


def _source_columns(scope: Scope, table: Table, evolves: bool) -> list[tuple[str, int]]:
    """The source's columns that the target has, for `SET *` and `INSERT *`; all of them where the target is unknown or grows."""
    source = scope.items[-1].owner
    columns = source.star()
    if table.schema is None or evolves:
        return columns
    if source.open:
        return [(name, source.claim(name)) for name in table.schema]
    return [(name, column) for name, column in columns if name in table.schema]


def _update(scope: Scope, action: Any, table: Table, changes: ResultSet, evolves: bool) -> None:
    assignments = action.args.get("expressions") or ()
    for assignment in [assignments] if isinstance(assignments, exp.Expr) else assignments:
        if isinstance(assignment, exp.Star):
            _star(scope, table, changes, assignment, evolves)
        else:
            assign(scope, assignment, changes)


def _star(scope: Scope, table: Table, changes: ResultSet, place: Any, evolves: bool) -> None:
    for name, source in _source_columns(scope, table, evolves):
        scope.edges.append((changes.add(name, place), source, IDENTITY, place))


def _insert(scope: Scope, action: Any, table: Table, changes: ResultSet, evolves: bool, both: Scope) -> None:
    columns, cells = _listed(action)
    if isinstance(columns, exp.Star) or not (columns or cells or action.args.get("expression")):
        _star(scope, table, changes, columns, evolves)
        return
    if isinstance(columns, exp.Var):
        _row(scope, table, changes, action)
        return
    if columns is not None:
        names = [_written(both, c) for c in columns.expressions]
    elif table.schema is not None:
        names = list(table.schema)
    else:
        names = _own_names(scope, cells)
    if not cells and names == [_DEFAULT]:
        return
    for name, cell in _pairs(scope, table, names, cells, action):
        written = name in names
        column = changes.add(name, cell) if written else scope.builder.column(changes.entity, name, cell)
        if not is_default(cell):
            make(scope, cell, column)


def _own_names(scope: Scope, cells: list[Any]) -> list[str]:
    """What the columns of a table that nobody knows are called: like the columns that are put there, else as in VALUES."""
    names: dict[str, None] = {}
    for i, cell in enumerate(cells):
        name = _name(scope, cell) if isinstance(cell, exp.Column) else ""
        names[name if name and name not in names else scope.dialect.values_column(i)] = None
    return list(names)


def _pairs(scope: Scope, table: Table, names: list[str], cells: list[Any], place: Any) -> list[tuple[str, Any]]:
    """Columns and their values: by position, or where their numbers differ by their own names, of which some may not be columns."""
    if len(names) == len(cells):
        return list(zip(names, cells, strict=True))
    given = [_name(scope, cell) if isinstance(cell, exp.Column) else "" for cell in cells]
    say_mismatch(scope.builder, table, names, given, place)
    return list(zip(given, cells, strict=True))


def _listed(action: Any) -> tuple[Any, list[Any]]:
    """The column list and the values. BigQuery's parser takes `INSERT VALUES (…)` for a list of one column, a call of VALUES."""
    columns, values = action.this, action.args.get("expression")
    only = columns.expressions[0] if isinstance(columns, exp.Tuple) and len(columns.expressions) == 1 else None
    if not values and isinstance(only, exp.Anonymous) and only.name.upper() == "VALUES":
        return None, only.expressions
    return columns, values.expressions if isinstance(values, exp.Tuple) else []


def _row(scope: Scope, table: Table, changes: ResultSet, place: Any) -> None:
    """`INSERT ROW`: the source's columns by position."""
    columns = scope.items[-1].owner.star()
    names = list(table.schema) if table.schema is not None else [name for name, _ in columns]
    if len(names) != len(columns):
        say_mismatch(scope.builder, table, names, [name for name, _ in columns], place)
        columns = [(name, column) for name, column in columns if name in names]
        names = [name for name, _ in columns]
    for name, (_, source) in zip(names, columns, strict=True):
        scope.edges.append((changes.add(name, place), source, IDENTITY, place))


def _written(both: Scope, node: Any) -> str:
    """A column of the list: the path of a field where dots lead to fields, and do not follow the name of the target."""
    fields = both.dialect.dotted_fields or both.dialect.family == "postgres"
    is_plain = isinstance(node, (exp.Column, exp.Identifier)) and not (fields and node.args.get("table"))
    return _name(both, node) if is_plain else target_name(both, node)


def _name(scope: Scope, node: Any) -> str:
    return scope.dialect.column(node.this if isinstance(node, exp.Column) else node)
