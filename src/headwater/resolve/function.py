"""Function calls: a node of its own between arguments and result; aggregates, masking, FILTER and WITHIN GROUP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import AGGREGATE_FILTER, AGGREGATION, GROUP_BY, WINDOW
from headwater.resolve.collection import element
from headwater.resolve.dictionary_lookup import look_up, look_up_key
from headwater.resolve.flow import Handler, flow, handles, handles_below
from headwater.resolve.function_facts import facts_of
from headwater.resolve.scope import ALIASES_OUTSIDE_AGGREGATES, NO_ALIASES, Scope
from headwater.resolve.sql_function import aggregates as defined_as_aggregate
from headwater.resolve.sql_function import expand
from headwater.resolve.star_columns import kept_columns

_CALLED: dict[str, Handler] = {}


def called(name: str) -> Callable[[Handler], Handler]:
    """Register the handler of a function that the grammar does not know, by its name in lower case."""

    def register(handler: Handler) -> Handler:
        _CALLED[name] = handler
        return handler

    return register


@handles_below(exp.Func)
def function(scope: Scope, node: Any, target: int, kind: int) -> None:
    """A function call: its arguments flow into it, it flows into the target; one that the script defined flows through its body.

    What looks like one may be an element of a collection, `l(i)`.
    """
    if type(node) is exp.Anonymous:
        if element(scope, (node,), target, kind):
            return
        handler = _CALLED.get(str(node.this).lower())
        if handler is not None:
            handler(scope, node, target, kind)
            return
        if scope.dialect.dictionaries and look_up(scope, node, target, kind):
            return
        if scope.dialect.lookup_schema and look_up_key(scope, node, target, kind):
            return
    if scope.builder.session.functions and expand(scope, node, target, kind):
        return
    call(scope, node, target, kind)


@called("date_bucket")
def date_bucket(scope: Scope, node: Any, target: int, kind: int) -> None:
    """T-SQL's `DATE_BUCKET(week, 1, a)`: week is a unit."""
    if scope.dialect.family == "tsql" and len(node.expressions) > 1:
        call(scope, exp.Anonymous(this=node.this, expressions=node.expressions[1:]), target, kind)
    else:
        call(scope, node, target, kind)


@handles(exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)
def wrapped(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`f(…) FILTER (WHERE …)`, `f(…) WITHIN GROUP (ORDER BY …)`, `f(…) IGNORE NULLS`."""
    call(scope, node, target, kind)


@handles(exp.Order)
def order_inside(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`array_agg(x ORDER BY y)`: x is the argument, y only orders."""
    if node.args.get("this") is not None:
        flow(scope, node.this, target, kind)
    for ordered in node.expressions:
        flow(scope, ordered, target, WINDOW)


@handles(exp.Star)
def star_argument(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`struct(*)`, `hash(* EXCEPT (a))`: every column in FROM that the star stands for."""
    if not scope.items:
        scope.builder.say(Code.UNRESOLVED_COLUMN, "there is no table that * could stand for", node, "*")
        scope.edges.append((target, scope.builder.orphan("*", node), kind, node))
    for _, column, _item in kept_columns(scope, node, None):
        scope.edges.append((target, column, kind, node))


@handles(exp.HavingMax)
def having_max(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`any_value(x HAVING MAX y)`: y chooses the row."""
    if not isinstance(node.this, exp.Star):
        flow(scope, node.this, target, kind)
    flow(scope, node.expression, target, AGGREGATE_FILTER)


@handles(exp.Normalize)
def normalize(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`NORMALIZE(x, NFKC)`: the form is a word, whatever it looks like."""
    value = scope.builder.function(node)
    scope.edges.append((target, value, kind, node))
    flow(scope, node.this, value, facts_of(node)[1])


def call(scope: Scope, node: Any, target: int, kind: int, windowed: bool = False) -> int:
    """Resolve a call with whatever wraps it; gives the column that stands for its value."""
    filters, orders = [], []
    while True:
        cls = type(node)
        if cls is exp.Filter:
            filters.append(node.expression.this)
        elif cls is exp.WithinGroup:
            orders.append(node.expression)
        elif cls is not exp.IgnoreNulls and cls is not exp.RespectNulls:
            break
        node = node.this
    value = _plain_call(scope, node, target, kind, windowed)
    for condition in filters:
        flow(scope, condition, value, AGGREGATE_FILTER)
    for order in orders:
        flow(scope, order, value, WINDOW)
    return value


def _plain_call(scope: Scope, node: Any, target: int, kind: int, windowed: bool) -> int:
    builder = scope.builder
    aggregates, argument_kind = facts_of(node, scope.dialect)
    if not aggregates and _is_aggregate_here(scope, node, windowed):
        aggregates, argument_kind = True, AGGREGATION
    value = builder.function(node)
    scope.edges.append((target, value, kind, node))
    if aggregates:
        if not windowed:
            grouped = scope.parent if scope.parent is not None and _is_in_where(node) else scope
            grouped.aggregates.append(value)
        if counts_rows(node):
            scope.counts.append(value)
            if node.find(*_VARIABLES) is None:
                return value
    elif argument_kind == GROUP_BY and not node.expressions and node.args.get("this").__class__ in (str, type(None)):
        scope.groupings.append(value)
    rule = scope.alias_rule
    if aggregates and rule == ALIASES_OUTSIDE_AGGREGATES:
        scope.alias_rule = NO_ALIASES
    condition = _condition(node)
    for key, argument in node.args.items():
        if key == "return_type":  # of `JSON_ARRAYAGG(a RETURNING CLOB)`
            continue
        if type(argument) is list:
            for each in argument:
                if isinstance(each, exp.Expr):
                    flow(scope, each, value, AGGREGATE_FILTER if each is condition else argument_kind)
        elif isinstance(argument, exp.Expr):
            flow(scope, argument, value, argument_kind)
    scope.alias_rule = rule
    return value


def _is_aggregate_here(scope: Scope, node: Any, windowed: bool) -> bool:
    """Whether a call is one of an aggregate of the script's own, or `first_value(x ORDER BY y)` without a window."""
    if type(node) is exp.Anonymous:
        return bool(scope.builder.session.functions) and defined_as_aggregate(scope, node)
    return not windowed and type(node) in _FIRST_OR_LAST and type(node.this) is exp.Order


_FIRST_OR_LAST = (exp.FirstValue, exp.LastValue)


def _is_in_where(node: Any) -> bool:
    """Whether a call stands in WHERE: an aggregate there is one of the query around the subquery."""
    return isinstance(node.find_ancestor(exp.Where, exp.Filter, exp.Query), exp.Where)


def _condition(node: Any) -> Any:
    """What chooses the rows of ClickHouse's `sumIf(x, c)` and `groupArrayIf(10)(x, c)`, like FILTER: the last argument."""
    if type(node) not in _COMBINED or not str(node.this).endswith("If"):
        return None
    given = node.args.get("params") or node.expressions
    return given[-1] if len(given) > 1 else None


_COMBINED = (exp.CombinedAggFunc, exp.CombinedParameterizedAgg)


def counts_rows(node: Any) -> bool:
    """Whether an aggregate looks at rows, not at columns: `count(*)`, `count(1)`, `count()`, `sum(1)`, `sum(2 * 3)`.

    `count(DISTINCT *)`, `hash_agg(*)` and `array_agg(struct(*))` look at every column, `sum($2)` at the second.
    """
    argument = node.args.get("this")
    if type(argument) is exp.Column:
        return False
    if type(argument) is str:  # the name of a function that the grammar does not know
        counts = argument.lower().startswith("count")
        argument = node.expressions[0] if node.expressions else None
    else:
        counts = type(node) is exp.Count
    if counts and type(argument) in _NO_VALUE:
        return True
    first = argument
    while isinstance(first, exp.Expr):  # the first operand is a column in most: no need to search all of them
        if type(first) is exp.Column:
            return False
        args = first.args
        first = args.get("this") or (args.get("ifs") or (None,))[0]  # of a CASE, its first condition
    ordered = node.parent.__class__ is exp.WithinGroup
    return not (ordered or node.find(*_VALUES) or any(p.name.isdigit() for p in node.find_all(exp.Parameter)))


_NO_VALUE = (exp.Star, exp.Literal, type(None))
_VALUES = (exp.Column, exp.Query, exp.Star, exp.PositionalColumn)
"""What is not the same for all rows."""
_VARIABLES = (exp.Parameter, exp.SessionParameter, exp.Placeholder)
