"""SELECT: FROM, then the select list, then everything that decides which rows there are."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import DISTINCT, IDENTITY, QUALIFY, WHERE
from headwater.resolve.builder import Builder
from headwater.resolve.columns import spread
from headwater.resolve.connect_by import connect_by
from headwater.resolve.cte import with_ctes
from headwater.resolve.document_path import below
from headwater.resolve.field import passed_on
from headwater.resolve.flow import constant, flow
from headwater.resolve.from_item import from_clause, from_item
from headwater.resolve.generator import generated_columns
from headwater.resolve.group_by import close_aggregates, close_groupings, group_by
from headwater.resolve.having import having
from headwater.resolve.join_mark import where_with_marks
from headwater.resolve.naming import output_name
from headwater.resolve.order import distinct_on, order_and_limit
from headwater.resolve.query import query_form
from headwater.resolve.regex_column import regex_column
from headwater.resolve.scope import ALIASES_FIRST, ALIASES_LAST, NO_ALIASES, Environment, ResultSet, Scope
from headwater.resolve.script_transform import with_output_names
from headwater.resolve.select_item import gives_outputs
from headwater.resolve.shape import SHAPED, remember
from headwater.resolve.star import add_all, expand_star
from headwater.resolve.time_window import name_time_windows
from headwater.resolve.value_table import struct_as_row
from headwater.resolve.window_order import name_windows
from headwater.resolve.with_expression import announce, name_expressions, name_inner


@query_form(exp.Table)
def whole_table(builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str) -> ResultSet:
    """`TABLE t` is `SELECT * FROM t`."""
    result = ResultSet(builder, type, node)
    scope = Scope(builder, parent, environment, result.rows)
    from_item(scope, node)
    scope.close_from()
    add_all(scope, result, node)
    return result.complete()


@query_form(exp.Select)
def select(builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str) -> ResultSet:
    """The result set of one SELECT."""
    environment = with_ctes(builder, node, parent, environment)
    result = ResultSet(builder, type, node)
    scope = Scope(builder, parent, environment, result.rows)
    if builder.piped:
        builder.stages[result.entity] = scope
    from_clause(scope, node)
    return select_from(scope, node, result)


def select_from(scope: Scope, node: Any, result: ResultSet) -> ResultSet:
    """Complete the result set of a SELECT whose FROM is in the scope already."""
    args = node.args
    dialect = scope.dialect
    scope.close_from()
    if args.get("connect"):
        connect_by(scope, args["connect"], result)
    if args.get("windows"):
        name_windows(scope, node)
    if dialect.lateral_alias:
        scope.alias_rule = ALIASES_LAST
        if dialect.alias_first:
            return _alias_first(scope, node, result)
    if dialect.time_windows and args.get("group") is not None and scope.builder.places.mentions("window"):
        name_time_windows(scope, args["group"])
    if args.get("kind") is None or not struct_as_row(scope, node, result):
        select_list(scope, args.get("expressions") or [], result)
    scope.alias_rule = ALIASES_LAST if dialect.alias_in_where else NO_ALIASES
    if args.get("where") is not None:
        if dialect.join_marks and scope.builder.places.mentions("+"):
            where_with_marks(scope, args["where"].this, result)
        else:
            flow(scope, args["where"].this, result.rows, WHERE)
    _rows(scope, node, result)
    return result.complete()


def _alias_first(scope: Scope, node: Any, result: ResultSet) -> ResultSet:
    """ClickHouse: aliases hide columns everywhere, WITH may name expressions, PREWHERE is a WHERE."""
    name_expressions(scope, node)
    announced = announce(scope, node.args["expressions"])
    scope.alias_rule = ALIASES_FIRST
    name_inner(scope, node)
    select_list(scope, node.args["expressions"], result)
    for name, column in announced.items():
        scope.edges.append((column, scope.aliases[name], IDENTITY, None))
    for clause in ("prewhere", "where"):
        if isinstance(node.args.get(clause), exp.Expr):
            flow(scope, node.args[clause].this, result.rows, WHERE)
    _rows(scope, node, result)
    return result.complete()


def _rows(scope: Scope, node: Any, result: ResultSet) -> None:
    """The clauses after WHERE that decide over groups and rows."""
    args = node.args
    dialect = scope.dialect
    edges = scope.edges
    scope.alias_rule = ALIASES_LAST if dialect.alias_in_group_by else NO_ALIASES
    if dialect.alias_first_in_group_by or dialect.alias_first:
        scope.alias_rule = ALIASES_FIRST
    before = len(edges)
    group = args.get("group")
    aliases = scope.aliases
    if dialect.alias_first_in_group_by:
        scope.aliases = scope.implied | aliases
    has_keys = group is not None and group_by(scope, group, result)
    scope.aliases = aliases
    grouped = len(edges)
    if args.get("having") is not None:
        having(scope, args["having"].this, result, before)
    keys = [edge for edge in edges[before:] if edge[0] == result.rows]
    if args.get("qualify") is not None:
        scope.alias_rule = ALIASES_LAST
        flow(scope, args["qualify"].this, result.rows, QUALIFY)
    if args.get("distinct") is not None:
        distinct(scope, args["distinct"], result)
    order_and_limit(scope, node, result)
    if scope.groupings:
        close_groupings(scope, [edge for edge in edges[before:grouped] if edge[0] == result.rows])
    scope.groups = keys, has_keys
    if scope.aggregates or scope.counts:
        close_aggregates(scope, *scope.groups)


def select_list(scope: Scope, expressions: list[Any], result: ResultSet) -> None:
    """The outputs of a select list, in order; each may see the aliases before it."""
    unnamed = 0
    several = gives_outputs.handlers
    if scope.dialect.column_sets and scope.builder.places.mentions("columns"):
        expressions = spread(scope, expressions)
    elif scope.dialect.script_transforms:
        expressions = with_output_names(expressions)
    if scope.dialect.marks_variables:
        expressions = [_named_before(node) for node in expressions]
    for node in expressions:
        cls = type(node)
        if cls is exp.Alias:
            args = node.args
            alias = args.get("alias")
            if type(alias) is exp.Placeholder and scope.dialect.time_windows:
                key = scope.dialect.fold_column(alias.name, False)  # the grammar's reading of Spark's `v:key`
                _output(scope, below(node.this, key), key, node, result, aliased=True)
                continue
            if alias is not None:
                _output(scope, args.get("this"), scope.fold_column(alias), node, result, aliased=True)
                continue
            node = node.this  # the grammar's reading of DuckDB's `(:x)`
            cls = type(node)
        if cls is exp.Star or (cls is exp.Column and type(node.args.get("this")) is exp.Star):
            expand_star(scope, node, result)
        elif cls is exp.Column:
            if not scope.dialect.regex_columns or not regex_column(scope, node, result):
                _output(scope, node, _own_name(scope, node.args["this"]), node, result, aliased=False)
        elif cls in several and several[cls](scope, node, result):
            continue
        elif not generated_columns(scope, node, result):
            _output(scope, node, output_name(scope, node, unnamed, len(result.outputs)), node, result, aliased=False)
            unnamed += 1


def _own_name(scope: Scope, identifier: Any) -> str:
    """The name of a column without an alias; Snowflake's `t.$2` is called `$2`."""
    return f"${identifier.name}" if type(identifier) is exp.Parameter else scope.fold_column(identifier)


def _named_before(node: Any) -> Any:
    """T-SQL's `x = (SELECT …)` and `'x' = a` as aliases; the grammar makes one of `x = a` only."""
    named: Any = None
    if isinstance(node, exp.Subquery) and isinstance(node.args.get("alias"), exp.Identifier):
        named = exp.Alias(this=node, alias=node.args["alias"])
    elif isinstance(node, exp.EQ) and (isinstance(node.this, exp.National) or node.this.is_string):
        named = exp.Alias(this=node.expression, alias=exp.to_identifier(node.this.name, quoted=True))
    if named is None:
        return node
    named._meta = node._meta
    named.parent = node.parent
    return named


def _output(scope: Scope, node: Any, name: str, place: Any, result: ResultSet, aliased: bool) -> None:
    cls = type(node)
    if aliased and cls is not exp.Column and generated_columns(scope, place, result):
        return
    edges = scope.edges
    before = len(edges)
    column = result.add(name, place)
    flow(scope, node, column, IDENTITY)
    if len(edges) == before:
        constant(scope, node, column)
    if cls is exp.Paren:
        node = node.unnest()
        cls = type(node)
    if cls in _PASSING_ON:
        edge = passed_on(scope.builder, column, before)
        if edge is not None and edge[2] == IDENTITY:
            scope.builder.origins[column] = edge[1]
    elif cls in SHAPED:
        remember(scope, node, column)
    if aliased:
        scope.aliases[name] = column
    elif (scope.dialect.lateral_fields or scope.dialect.alias_in_group_by) and (
        cls is exp.Dot or (cls is exp.Column and node.args.get("table") is not None)
    ):
        scope.implied[name] = column


_PASSING_ON = frozenset({exp.Column, exp.Dot, exp.JSONExtract})
"""Classes of expressions that may be nothing but a column."""


def distinct(scope: Scope, node: Any, result: ResultSet) -> None:
    """DISTINCT makes the row set depend on every output; DISTINCT ON on the columns it names."""
    if node.args.get("on") is not None:
        distinct_on(scope, node, result)
        return
    for _, column in result.outputs:
        scope.edges.append((result.rows, column, DISTINCT, None))
