"""VALUES: rows of expressions as a query or a FROM item, with the names that the dialect gives."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY, WHERE
from headwater.resolve.builder import Builder
from headwater.resolve.collection import record
from headwater.resolve.flow import flow, make
from headwater.resolve.from_item import add_derived, alias_columns, stands_in_from
from headwater.resolve.query import query_form
from headwater.resolve.scope import ALIASES_FIRST, Environment, ResultSet, Scope
from headwater.resolve.shape import remember
from headwater.resolve.struct_members import BUILDING
from headwater.resolve.variable import Holder, record_named


@query_form(exp.Values)
def values(builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str) -> ResultSet:
    """The result set of a VALUES list: each column takes the cells below each other."""
    result = ResultSet(builder, type, node)
    scope = Scope(builder, parent, environment, result.rows)
    names = _row_names(scope, node)
    for row in node.expressions:
        cells = _cells(scope, row)
        whole = record(scope, cells[0]) if len(cells) == 1 and scope.dialect.family == "oracle" else None
        if whole is not None:
            _add_record(scope, result, whole, cells[0])
        else:
            _add_row(scope, result, cells, names)
    listed = alias_columns(scope, node)
    if listed:
        result.rename(listed)
    return result.complete()


def _add_record(scope: Scope, result: ResultSet, whole: Holder, cell: Any) -> None:
    """PL/SQL's `VALUES r`: each field is a cell; of `VALUES l(i)` the index chooses the row."""
    for name, column in whole.star():
        result.pass_on(whole, name, column, cell)
    for index in cell.expressions:
        flow(scope, index, result.rows, WHERE)


def _add_row(scope: Scope, result: ResultSet, cells: list[Any], names: list[str]) -> None:
    """One row: each cell flows into its column, which later cells may know by its name."""
    for i, cell in enumerate(cells):
        if i == len(result.outputs):
            named = isinstance(cell, exp.Alias)  # Impala's `VALUES (1 AS a, 2 AS b), (3, 4)`
            result.add(scope.dialect.column(cell.args["alias"]) if named else scope.dialect.values_column(i), cell)
        cell = cell.this if isinstance(cell, exp.Alias) else cell
        if not is_default(cell) and not _add_struct(scope, cell, result.outputs[i][1]):
            make(scope, cell, result.outputs[i][1])
        if i < len(names):
            scope.aliases[names[i]] = result.outputs[i][1]


def _add_struct(scope: Scope, cell: Any, column: int) -> bool:
    """A cell that makes a struct, or an array of structs, whose fields are those of the column; False for any other."""
    elements = cell.expressions if cell.__class__ is exp.Array else [cell]
    if not elements or elements[0].__class__ not in BUILDING:
        return False
    builder = scope.builder
    made = builder.function(cell)
    if not remember(scope, cell, made):
        return False
    make(scope, cell, made)
    builder.edge(column, made, IDENTITY, cell)
    builder.unions.setdefault(column, []).append(made)
    return True


_ROW_CONSTRUCTORS = frozenset({"trino", "presto", "athena"})
"""Grammars that read `ROW(1, 2)` as a struct."""


def _cells(scope: Scope, row: Any) -> list[Any]:
    """The cells of a row; `VALUES ROW(1, 2)` is a row as well. ClickHouse's grammar gives each cell brackets of its own."""
    cells = row.expressions if isinstance(row, exp.Tuple) else [row]
    if len(cells) == 1 and isinstance(cells[0], exp.Anonymous) and cells[0].name.upper() == "ROW":
        return list(cells[0].expressions)
    if len(cells) == 1 and isinstance(cells[0], exp.Struct) and scope.dialect.family in _ROW_CONSTRUCTORS:
        return list(cells[0].expressions)
    if any(isinstance(c, exp.Column) and isinstance(c.this, exp.Star) for c in cells):
        cells = [each for c in cells for each in _spread(scope, c)]
    return [c.expressions[0] if isinstance(c, exp.Tuple) and len(c.expressions) == 1 else c for c in cells]


def _spread(scope: Scope, cell: Any) -> list[Any]:
    """The fields of a record in PL/pgSQL's `VALUES (r.*)`; any other cell as it is."""
    named = isinstance(cell, exp.Column) and isinstance(cell.this, exp.Star) and cell.args.get("table") is not None
    whole = record_named(scope.builder, scope.dialect.column(cell.args["table"])) if named else None
    if whole is None:
        return [cell]
    names = [name for name, _ in whole.star()]
    return [exp.Column(this=exp.to_identifier(name, quoted=True), table=cell.args["table"].copy()) for name in names]


def _row_names(scope: Scope, node: Any) -> list[str]:
    """The columns that a row of INSERT fills, where the dialect lets its later values use the earlier ones."""
    insert = node.parent
    if not (scope.dialect.insert_sees_row and isinstance(insert, exp.Insert) and isinstance(insert.this, exp.Schema)):
        return []
    scope.alias_rule = ALIASES_FIRST
    return [scope.dialect.column(c) for c in insert.this.expressions if isinstance(c, exp.Identifier)]


def is_default(cell: Any) -> bool:
    """Whether a cell is the word DEFAULT."""
    return isinstance(cell, exp.Var) or (
        isinstance(cell, exp.Column) and cell.name.upper() == "DEFAULT" and not cell.args.get("table")
    )


@stands_in_from(exp.Values)
def values_in_from(scope: Scope, node: Any) -> None:
    """`FROM (VALUES (1, 2)) AS v (a, b)`."""
    if scope.dialect.family == "clickhouse":
        add_derived(scope, node, _values_function(scope, node))
        return
    add_derived(scope, node, values(scope.builder, node, scope, scope.environment, "select_list"))


def _values_function(scope: Scope, node: Any) -> ResultSet:
    """ClickHouse's `values('a UInt8, b String', (1, 'x'), …)`: the first argument may name the columns, the others are rows."""
    result = ResultSet(scope.builder, "select_list", node)
    arguments = _cells(scope, node.expressions[0]) if node.expressions else []
    names: list[str] = []
    if arguments and isinstance(arguments[0], exp.Literal) and arguments[0].is_string and " " in arguments[0].name:
        names = _structure(arguments.pop(0).name)
    for row in arguments:
        _add_row(scope, result, list(row.expressions) if isinstance(row, exp.Tuple) else [row], [])
    if names:
        result.rename(names)
    return result.complete()


def _structure(text: str) -> list[str]:
    """The names in a list of names and types; commas inside of a type's brackets do not count."""
    parts, depth = [""], 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.split()[0].strip('`"') for part in parts if part.split()]
