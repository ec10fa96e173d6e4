"""PIVOT and UNPIVOT, as a suffix of a FROM item and as DuckDB's statement.

A pivot groups by every column of its source that it does not use itself, and makes one column per value and aggregate. An
unpivot turns listed columns into rows: a value column that takes each of them, and a constant name column.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import (
    AGGREGATE_ROWS,
    AGGREGATION,
    FROM_ROWS,
    GROUP_BY,
    IDENTITY,
    PIVOT_FILTER,
    PIVOT_FOR,
    TRANSFORMATION,
    masked,
)
from headwater.resolve.bind import column_of
from headwater.resolve.builder import Builder, Owner
from headwater.resolve.columns import references
from headwater.resolve.cte import with_ctes
from headwater.resolve.flow import flow
from headwater.resolve.from_item import alias_columns, alias_name, from_item, hangs_on_item
from headwater.resolve.function import call, counts_rows
from headwater.resolve.pivot_names import generated_names
from headwater.resolve.query import query_form
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.sql.form import PIVOT_XML


@hangs_on_item("pivots")
def apply_pivots(scope: Scope, node: Any, first: int) -> None:
    """Replace the FROM items from *first* on by what the node's PIVOT and UNPIVOT clauses make of them."""
    for clause in node.args["pivots"]:
        result = ResultSet(scope.builder, "pivot_table", clause)
        base = Scope(scope.builder, scope.parent, scope.environment, result.rows)
        base.see(scope.take(first))
        base.close_from()
        if not clause.args.get("fields"):
            scope.builder.say(Code.UNSUPPORTED_CONSTRUCT, "PIVOT has no FOR", clause, "PIVOT")
        elif clause.args.get("unpivot"):
            values, names, fields = _unpivot_parts(base, clause)
            _unpivot(base, clause, values, names, fields, result)
        else:
            _pivot(base, clause, clause.args["fields"], clause.expressions, result)
        columns = alias_columns(scope, clause)
        if columns:
            result = _renamed(result.complete(), columns, clause)
        alias = alias_name(scope, clause) or alias_name(scope, node)
        kept = None if base.items[0].aliased else base.items[0].name
        result.row.alias = alias or kept
        scope.add(alias or kept, result.complete(), aliased=alias is not None)


def _renamed(pivot: ResultSet, names: list[str], clause: Any) -> ResultSet:
    """`PIVOT (…) AS p (a, b)`: a result set of its own, whose columns are the pivot's by position."""
    builder = pivot.builder
    result = ResultSet(builder, "pivot_alias", clause.args["alias"])
    builder.edges.append((result.rows, pivot.rows, FROM_ROWS, None))
    for name, column in pivot.by_position().outputs:
        result.pass_on(pivot, name, column, None)
    result.rename(names)
    for (_, column), node in zip(result.outputs, clause.args["alias"].args["columns"], strict=False):
        builder.written_at(column, node)
    return result


def _pivot(base: Scope, clause: Any, fields: list[Any], aggregates: list[Any], result: ResultSet) -> None:
    """The grouping columns, then one column per value and aggregate, or in Oracle's PIVOT XML one for all of them."""
    is_xml = bool(aggregates) and isinstance(aggregates[-1], exp.Anonymous) and aggregates[-1].name == PIVOT_XML
    aggregates = aggregates[:-1] if is_xml else aggregates
    before = len(base.edges)
    functions = [_aggregate(base, node, fields) for node in aggregates]
    used = _used(base, before)
    group = clause.args.get("group")
    if group is None:
        _group(base, result, used, functions)
    else:
        _group_by(base, group, result, functions)
    if is_xml:
        _as_xml(base, fields, functions, result, clause)
        return
    _generated(base, fields, aggregates, functions, result, clause)


def _group_by(base: Scope, group: Any, result: ResultSet, functions: list[int]) -> None:
    """DuckDB's GROUP BY inside a pivot: only what it names groups, and is passed on."""
    for key in group.expressions:
        column = result.add(base.dialect.column(_identifier(key)), key)
        flow(base, key, column, IDENTITY)
        flow(base, key, result.rows, GROUP_BY)
        for function in functions:
            flow(base, key, function, GROUP_BY)


def _used(base: Scope, before: int) -> set[int]:
    """Columns that the aggregates and FOR name: the others are the implicit grouping."""
    owned = {item.owner.entity for item in base.items}
    return {edge[1] for edge in base.edges[before:] if base.builder.columns[edge[1]][0] in owned}


def _aggregate(base: Scope, node: Any, fields: list[Any]) -> int:
    """One aggregate of a PIVOT: a function node that every generated column takes its value from."""
    builder = base.builder
    inner = node.this if isinstance(node, exp.Alias) else node
    holder = builder.function(inner)
    base.aggregates.clear()
    base.counts.clear()
    value = call(base, inner, holder, IDENTITY)
    for each in fields:
        flow(base, each.this if isinstance(each, exp.In) else each, value, PIVOT_FOR)
        for listed in each.expressions if isinstance(each, exp.In) else ():
            if isinstance(listed, exp.Query):
                flow(
                    Scope(builder, None, base.environment), listed, value, PIVOT_FOR
                )  # it sees no column of the source
    return value


def _group(base: Scope, result: ResultSet, used: set[int], functions: list[int]) -> None:
    """The columns that a PIVOT groups by are passed on, and decide over the aggregates and the rows."""
    edges = base.edges
    for item in base.items:
        owner = item.owner
        for name, column in owner.star():
            if column in used:
                continue
            result.pass_on(owner, name, column, None)
            edges.append((result.rows, column, GROUP_BY, None))
            for function in functions:
                edges.append((function, column, GROUP_BY, None))
        for function in functions:
            node = base.builder.columns[function][2]
            if counts_rows(node):
                for _, column in owner.star():
                    edges.append((function, column, masked(AGGREGATION), None))
                edges.append((function, owner.rows, AGGREGATE_ROWS, None))


def _unpivot_parts(base: Scope, clause: Any) -> tuple[list[str], str, list[tuple[list[Any], Any]]]:
    """Value column names, the name column's name, and for each row the columns and the label."""
    fold = base.dialect.column
    values = [
        fold(_identifier(i)) for e in clause.expressions for i in (e.expressions if isinstance(e, exp.Tuple) else [e])
    ]
    field = clause.args["fields"][0]
    rows = []
    for each in field.expressions:
        columns = each.this if isinstance(each, exp.PivotAlias) else each
        label = each.args.get("alias") if isinstance(each, exp.PivotAlias) else each
        rows += _unpivoted(base, columns, label)
    return values, fold(_identifier(field.this)), rows


def _unpivoted(base: Scope, columns: Any, label: Any) -> list[tuple[list[Any], Any]]:
    """The rows that one element of an UNPIVOT list gives: one, or one for each column of a set."""
    if isinstance(columns, (exp.Columns, exp.Star)):
        chosen = columns if isinstance(columns, exp.Columns) else exp.Columns(this=columns)
        return [([reference], reference) for _, reference in references(base, chosen)]
    return [(columns.expressions if isinstance(columns, exp.Tuple) else [columns], label)]


def _left_out(base: Scope, clause: Any) -> list[str]:
    """Columns that a set over an unknown table leaves out: these at least are passed on."""
    stars = [s for e in (*clause.expressions, *(clause.args.get("fields") or ())) for s in e.find_all(exp.Star)]
    return [base.dialect.column(_identifier(c)) for s in stars for c in s.args.get("except_") or ()]


def _identifier(node: Any) -> Any:
    while isinstance(node, (exp.Column, exp.Paren)):
        node = node.this
    return node


def _unpivot(
    base: Scope, clause: Any, values: list[str], name: str, rows: list[tuple[list[Any], Any]], result: ResultSet
) -> None:
    builder = base.builder
    edges = base.edges
    listed = {column_of(base, c) for columns, _ in rows for c in columns if isinstance(c, exp.Column)}
    for item in base.items:
        owner = item.owner
        for column_name, column in owner.star():
            if column not in listed:
                result.pass_on(owner, column_name, column, None)
            elif column_name == "*" and owner.open:
                for kept in _left_out(base, clause):
                    result.pass_on(owner, kept, owner.claim(kept), None)
    value_first = bool(clause.args.get("value_columns_first")) or base.dialect.family == "bigquery"
    outputs = [result.add(v, None) for v in values] if value_first and rows else []
    if not rows:
        builder.say(Code.UNSUPPORTED_CONSTRUCT, "UNPIVOT names no column", clause, "UNPIVOT")
        return
    labels = result.add(name, None)
    outputs = outputs or [result.add(v, None) for v in values]
    for columns, label in rows:
        edges.append((labels, builder.literal(label), IDENTITY, label))
        for output, column in zip(outputs, columns, strict=False):
            flow(base, column, output, IDENTITY)
            if not clause.args.get("include_nulls"):
                flow(base, column, result.rows, PIVOT_FILTER)


@query_form(exp.Pivot)
def pivot_statement(
    builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str
) -> ResultSet:
    """DuckDB's `PIVOT t ON m USING sum(a) GROUP BY id` and `UNPIVOT t ON a, b INTO NAME k VALUE v`."""
    environment = with_ctes(builder, node, parent, environment)
    result = ResultSet(builder, "pivot_table", node)
    base = Scope(builder, parent, environment, result.rows)
    from_item(base, node.this)
    base.close_from()
    if node.args.get("unpivot"):
        into = node.args.get("into")
        fold = builder.dialect.column
        values = [fold(_identifier(e)) for e in into.args.get("expressions") or ()] if into is not None else ["value"]
        named = into is not None and isinstance(into.this, exp.Expr)
        name = fold(_identifier(into.this)) if named else "name"
        rows: list[tuple[list[Any], Any]] = []
        for each in node.expressions:
            rows += _unpivoted(base, each.this if isinstance(each, exp.Alias) else each, each)
        _unpivot(base, node, values, name, rows, result)
        return result.complete()
    aggregates = node.args.get("using") or [exp.Count(this=exp.Star())]
    _pivot(base, node, node.expressions, aggregates, result)
    return result.complete()


def _generated(
    base: Scope, fields: list[Any], aggregates: list[Any], functions: list[int], result: ResultSet, place: Any
) -> None:
    """The columns of the values after IN; where these are not written down they are only known when the data is."""
    names = generated_names(base, fields, aggregates)
    if names is None:
        base.builder.say(
            Code.MISSING_SCHEMA,
            "the columns that PIVOT makes depend on the data; each may exist, and takes every aggregate",
            place,
            "PIVOT",
            "list the values after IN",
        )
        output = result.add_open_star(_Generated(base.builder, result.entity, functions), place)
        for function in functions:
            base.edges.append((output, function, IDENTITY, place))
        return
    for name, aggregate in names:
        column = result.add(name, place)
        base.edges.append((column, functions[aggregate], IDENTITY, place))


def _as_xml(base: Scope, fields: list[Any], functions: list[int], result: ResultSet, place: Any) -> None:
    """`C_XML` of `FOR c IN (ANY)`: a document of the values of c and the aggregates of each."""
    values = [each.this if isinstance(each, exp.In) else each for each in fields]
    parts = [part for value in values for part in (value.expressions if isinstance(value, exp.Tuple) else [value])]
    names = [base.dialect.column(_identifier(part)) for part in parts]
    column = result.add("_".join([*names, "XML"]), place)
    for function in functions:
        base.edges.append((column, function, TRANSFORMATION, place))
    for part in parts:
        flow(base, part, column, TRANSFORMATION)


class _Generated(Owner):
    """Columns that a pivot makes from its data: any name may be one, and each takes every aggregate."""

    __slots__ = ("functions",)

    def __init__(self, builder: Builder, entity: int, functions: list[int]) -> None:
        super().__init__(builder, entity, None, True)
        self.functions = functions

    def claim(self, name: str) -> int:
        """A generated column."""
        found = self.columns.get(name)
        if found is None:
            found = self.columns[name] = self.builder.column(self.entity, name, None)
            for function in self.functions:
                self.builder.edges.append((found, function, IDENTITY, None))
        return found

    def star(self) -> list[tuple[str, int]]:
        """All generated columns as one."""
        return [("*", self.claim("*"))]
