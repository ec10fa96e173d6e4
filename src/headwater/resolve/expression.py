"""An expression by itself, as a semantic layer holds it: whether it aggregates, and the bare names in it.

SUM(amount) / NULLIF(COUNT(*), 0)     aggregates; its bare names are amount
SUM(amount) OVER (PARTITION BY day)   does not: a window gives every row a value
SUM((SELECT MAX(x) FROM t))           does; what a subquery aggregates is its own affair
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from headwater.model.span import Span
from headwater.resolve.function_facts import facts_of
from headwater.sql.dialect import Dialect
from headwater.sql.grammar import parse_as
from headwater.sql.tokens import plain_tokens


class NotAnExpression(ValueError):
    """A text that the dialect does not take for an expression."""


class BareName(NamedTuple):
    """A name that stands by itself, where it stands, folded."""

    name: str
    span: Span


def aggregates(text: str, dialect: Dialect) -> bool:
    """Whether an expression gives one value for many rows; raises `NotAnExpression`."""
    return any(facts_of(node)[0] for node in _own(_parsed(text, dialect)) if isinstance(node, exp.Func))


def bare_names(text: str, dialect: Dialect) -> list[BareName]:
    """The columns in an expression that no table's name stands before, in order; raises `NotAnExpression`.

    Those inside of a subquery are its own affair.
    """
    found = []
    for node in _own(_parsed(text, dialect)):
        if isinstance(node, exp.Column) and not node.table and isinstance(node.this, exp.Identifier):
            start, end = node.this.meta.get("start"), node.this.meta.get("end")
            if start is not None and end is not None:
                found.append(BareName(dialect.column(node.this), Span(start, end + 1)))
    return sorted(found, key=lambda each: each.span)


def can_be_key(text: str, dialect: Dialect) -> bool:
    """Whether rows can be grouped by an expression: not by a constant, nor by a window over groups; raises `NotAnExpression`."""
    tree = _parsed(text, dialect)
    if tree.find(exp.Window) is not None:
        return False
    while isinstance(tree, (exp.Paren, exp.Neg, exp.Cast)):
        tree = tree.this
    return not isinstance(tree, (exp.Literal, exp.Null, exp.Boolean))


def filtered(text: str, condition: str, dialect: Dialect) -> str:
    """An expression whose aggregates take only rows for which a condition holds; raises `NotAnExpression`.

    >>> from headwater.sql.dialect import dialect
    >>> filtered("SUM(a) / COUNT(*)", "b > 0", dialect("duckdb"))
    'SUM(a) FILTER(WHERE b > 0) / COUNT(*) FILTER(WHERE b > 0)'
    >>> filtered("SUM(a) / COUNT(*)", "b > 0", dialect("mysql"))
    'SUM(CASE WHEN b > 0 THEN a END) / COUNT(CASE WHEN b > 0 THEN 1 END)'
    """
    tree = exp.Paren(this=_parsed(text, dialect))
    where = _parsed(condition, dialect)
    for node in [each for each in _own(tree) if isinstance(each, exp.Func) and facts_of(each)[0]]:
        _take_only(node, where, dialect)
    return str(tree.this.sql(dialect=dialect.grammar))


def _take_only(aggregate: Any, condition: Any, dialect: Dialect) -> None:
    """Have an aggregate take only rows for which a condition holds, whatever it took before."""
    whole = aggregate.parent if isinstance(aggregate.parent, exp.WithinGroup) else aggregate
    earlier = whole.parent if isinstance(whole.parent, exp.Filter) else None
    if earlier is not None:
        condition = exp.and_(earlier.expression.this, condition)
    value = None if dialect.aggregate_filter else _first_value(whole)
    if value is None:
        (earlier or whole).replace(exp.Filter(this=whole.copy(), expression=exp.Where(this=condition.copy())))
        return
    kept = exp.Literal.number(1) if value.is_star else value.copy()
    value.replace(exp.Case(ifs=[exp.If(this=condition.copy(), true=kept)]))
    if earlier is not None:
        earlier.replace(whole)


def _first_value(aggregate: Any) -> Any:
    """What an aggregate is worked out from, and is no value where it should not count: its first argument, or what it is ordered by."""
    if isinstance(aggregate, exp.WithinGroup):
        ordered = aggregate.expression.expressions
        return ordered[0].this if ordered else None
    value = aggregate.this if isinstance(aggregate.this, exp.Expression) else next(iter(aggregate.expressions), None)
    while isinstance(value, (exp.Distinct, exp.Order, exp.Limit, exp.IgnoreNulls, exp.RespectNulls)):
        value = next(iter(value.expressions), None) if isinstance(value, exp.Distinct) else value.this
    return value


def _parsed(text: str, dialect: Dialect) -> Any:
    try:
        return parse_as(exp.Condition, plain_tokens(text, dialect), text, dialect)
    except (ParseError, TokenError, RecursionError) as error:
        raise NotAnExpression("it cannot be read as an expression") from error


def _own(tree: Any) -> Iterator[Any]:
    """The nodes of an expression, without those of subqueries, and without functions that a window spreads over rows."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, exp.Query):
            continue
        if isinstance(node, exp.Window):
            function = node.this
            pending += [child for child in function.iter_expressions() if child is not None]
            pending += [child for child in node.iter_expressions() if child is not function]
            continue
        yield node
        pending += node.iter_expressions()
