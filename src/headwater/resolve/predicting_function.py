"""Flink's functions that add columns to a table by a model or a search: ML_PREDICT, VECTOR_SEARCH.

```sql
SELECT id, label FROM ML_PREDICT(TABLE reviews, MODEL m, DESCRIPTOR(body))   -- reviews.id; m.label, made of reviews.body
```

The table's columns are passed on. What a model adds are the columns of its OUTPUT, made of those that the descriptor names.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import LATERAL, TRANSFORMATION
from headwater.resolve.builder import Owner, Table
from headwater.resolve.call_argument import descriptor_columns, input_owner, named, table_of, whole_input
from headwater.resolve.flow import flow, flow_all
from headwater.resolve.from_item import add_derived
from headwater.resolve.generator import arguments_of
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.table_function import FunctionRows, in_from


@in_from("ml_predict", dialects=("flink",))
def ml_predict(scope: Scope, node: Any, call: Any) -> bool:
    """The table's columns, then those of the model."""
    arguments = [named(scope, each)[1] for each in arguments_of(call)]
    data = next(filter(None, map(whole_input, arguments)), None)
    model = next(filter(None, (_model(scope, each) for each in arguments)), None)
    if data is None or model is None:
        return False
    builder = scope.builder
    result = ResultSet(builder, "function", node)
    owner = input_owner(scope, data, result.rows)
    made = FunctionRows(builder, "function", node)
    made.table, made.call = model, builder.function(call)
    made.open = model.schema is None
    for name in model.schema or ():
        made.fill(made.add(name, node), name)
    flow_all(_over(scope, owner, result), _described(arguments), made.call, TRANSFORMATION)
    for each in (owner, made.complete()):
        for name, column in each.star():
            result.pass_on(each, name, column, node)
    add_derived(scope, node, result.complete())
    return True


@in_from("vector_search", dialects=("flink",))
def vector_search(scope: Scope, node: Any, call: Any) -> bool:
    """The table's columns, and how near each row is to the vector that is looked for."""
    arguments = [named(scope, each)[1] for each in arguments_of(call)]
    data = next(filter(None, map(whole_input, arguments)), None)
    described = _described(arguments)
    if data is None or not described:
        return False
    result = ResultSet(scope.builder, "function", node)
    owner = input_owner(scope, data, result.rows)
    for name, column in owner.star():
        result.pass_on(owner, name, column, node)
    score = result.add("score", node)
    inside = _over(scope, owner, result)
    given = [each for each in arguments if whole_input(each) is None and not descriptor_columns(each)]
    for seen, expressions in ((inside, described), (scope, given)):
        for each in expressions:
            flow(seen, each, score, TRANSFORMATION)
            flow(seen, each, result.rows, LATERAL)
    add_derived(scope, node, result.complete())
    return True


def _described(arguments: list[Any]) -> list[Any]:
    return [column for each in arguments for column in descriptor_columns(each)]


def _over(scope: Scope, owner: Owner, result: ResultSet) -> Scope:
    """A scope that sees the input alone: descriptors name its columns."""
    inside = Scope(scope.builder, None, scope.environment, result.rows)
    inside.add(None, owner)
    return inside


def _model(scope: Scope, node: Any) -> Table | None:
    """The model that `MODEL m` names."""
    if not isinstance(node, exp.Anonymous) or str(node.this).upper() != "MODEL" or len(node.expressions) != 1:
        return None
    return scope.builder.reads(scope.builder.table(table_of(node.expressions[0])))
