"""MATCH_RECOGNIZE: rows that fit a pattern, as a suffix of a FROM item.

PARTITION BY and ORDER BY arrange the input, DEFINE says what each pattern variable matches: together they decide over the matches. A
measure is a value of a match: its expression, in the arrangement of the rows, like a window function's. A pattern variable is
another name for the input, so `down.price` is the input's price.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import AGGREGATE_ROWS, IDENTITY, MATCH_RECOGNIZE, WINDOW
from headwater.resolve.flow import flow
from headwater.resolve.from_item import alias_columns, alias_name, hangs_on_item
from headwater.resolve.naming import output_name
from headwater.resolve.scope import ResultSet, Scope

_WORD = re.compile(r'"([^"]+)"|([^\W\d][\w$#]*)')
_OF_MATCH = ("CLASSIFIER", "MATCH_NUMBER", "MATCH_SEQUENCE_NUMBER")
"""Functions of the match itself: they read no column."""


@hangs_on_item("match")
def match_recognize(scope: Scope, node: Any, first: int) -> None:
    """Replace the last FROM item by its matches."""
    clause = node.args["match"]
    result = ResultSet(scope.builder, "match_recognize", clause)
    base = Scope(scope.builder, scope.parent, scope.environment, result.rows)
    base.see(scope.take(max(first, len(scope.items) - 1)))
    base.close_from()
    _name_variables(base, clause)
    arrangement = [*clause.args.get("partition_by", ()), *_order_keys(clause)]
    for key in arrangement:
        flow(base, key, result.rows, MATCH_RECOGNIZE)
    for definition in clause.args.get("define") or ():
        if isinstance(definition, exp.Alias):
            flow(base, _navigated(definition.this), result.rows, MATCH_RECOGNIZE)
        else:
            scope.builder.say(
                Code.UNSUPPORTED_CONSTRUCT, "what DEFINE says here defines no variable", definition, "define"
            )
    _outputs(base, clause, arrangement, result)
    columns = alias_columns(scope, clause)
    if columns:
        result.rename(columns)
    result.row.alias = alias_name(scope, clause)
    scope.add(result.row.alias, result.complete())


def _name_variables(base: Scope, clause: Any) -> None:
    """Pattern variables stand for the input, under any name that the pattern or a definition gives them."""
    fold = base.dialect.fold_column
    pattern = clause.args.get("pattern")
    names = [fold(q or w, bool(q)) for q, w in _WORD.findall(pattern.name if pattern is not None else "")]
    definitions = [d for d in clause.args.get("define") or () if isinstance(d, exp.Alias)]
    names += [base.dialect.column(d.args["alias"]) for d in definitions]
    for name in names if base.items else ():
        base.by_name[name] = base.items[0]
    for name in _OF_MATCH:
        folded = fold(name, False)
        if all(folded not in item.owner.listed for item in base.items):
            column = base.names[folded] = base.builder.function(clause)
            base.edges.append((column, base.rows, AGGREGATE_ROWS, None))


def _order_keys(clause: Any) -> list[Any]:
    order = clause.args.get("order")
    return [key.this if isinstance(key, exp.Ordered) else key for key in order.expressions] if order else []


def _navigated(node: Any) -> Any:
    """An expression over a match, its functions as those that hand on a value of some row, or count rows."""
    return node.transform(_navigation)


def _navigation(node: Any) -> Any:
    made: Any = None
    if node.__class__ is exp.First:
        made = exp.FirstValue(**node.args, navigates=True)
    elif node.__class__ is exp.Last:
        made = exp.LastValue(**node.args, navigates=True)
    elif node.__class__ is exp.Count and isinstance(node.this, exp.Column) and isinstance(node.this.this, exp.Star):
        made = exp.Count(this=exp.Star())
    elif node.__class__ is exp.Anonymous and str(node.this).upper() in _OF_MATCH:
        made = exp.Column(this=exp.Identifier(this=str(node.this).upper(), quoted=False))
        made.this._meta = node._meta
    if made is None:
        return node
    made._meta = node._meta
    return made


def _outputs(base: Scope, clause: Any, arrangement: list[Any], result: ResultSet) -> None:
    """The columns of a match: keys and measures; with ALL ROWS PER MATCH every column of the input as well.

    Snowflake puts the measures after the input's columns, the standard before those that arrange nothing.
    """
    rows = clause.args.get("rows")
    if not (rows is not None and rows.name.upper().startswith("ALL ROWS")):
        _pass_on_keys(base, clause.args.get("partition_by") or (), result)
        _measures(base, clause, arrangement, result)
    elif base.dialect.family == "snowflake":
        _pass_on_input(base, result)
        _measures(base, clause, arrangement, result)
    else:
        _pass_on_keys(base, arrangement, result)
        _measures(base, clause, arrangement, result)
        _pass_on_input(base, result)


def _pass_on_keys(base: Scope, keys: Any, result: ResultSet) -> None:
    for key in keys:
        if isinstance(key, exp.Column) and base.dialect.column(key.this) not in result.columns:
            before = len(base.edges)
            column = result.add(base.dialect.column(key.this), key)
            flow(base, key, column, IDENTITY)
            if len(base.edges) == before + 1:
                base.builder.origins[column] = base.edges[before][1]


def _pass_on_input(base: Scope, result: ResultSet) -> None:
    keys = set(result.columns)
    for item in base.items:
        for name, column in item.owner.star():
            if name not in keys:
                result.pass_on(item.owner, name, column, None)


def _measures(base: Scope, clause: Any, arrangement: list[Any], result: ResultSet) -> None:
    for i, measure in enumerate(clause.args.get("measures") or ()):
        node = measure.this
        named = node.args["alias"] if isinstance(node, exp.Alias) else node.this
        is_name = isinstance(named, exp.Identifier)
        column = result.add(base.dialect.column(named) if is_name else output_name(base, node, i, i), node)
        base.counts.clear()
        flow(base, _navigated(node), column, IDENTITY)
        for key in arrangement:
            flow(base, key, column, WINDOW)
        for count in base.counts:
            base.edges.append((count, result.rows, AGGREGATE_ROWS, None))
