"""BigQuery's functions that take a table and hand its columns on, such as ML.PREDICT, ML.GENERATE_TEXT, GAP_FILL and VECTOR_SEARCH.

The input, `TABLE t` or a query, keeps its columns. Those that the function adds are known by how their names begin, and depend on the
model and on all of the input.

```sql
SELECT id, predicted_label FROM ML.PREDICT(MODEL d.m, (SELECT id, a, b FROM d.t))   -- id is t.id; predicted_label: m, id, a, b
```
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY, TRANSFORMATION
from headwater.resolve.call_argument import flow_arguments, input_owner, whole_input
from headwater.resolve.from_item import add_derived
from headwater.resolve.generator import arguments_of
from headwater.resolve.row_value import Row
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.table_function import call_form

_PREDICTED = (
    "predicted_",
    "centroid_id",
    "nearest_centroids_distance",
    "anomaly",
    "is_anomaly",
    "mean_squared_error",
    "trial_id",
)
_GENERATED = ("ml_", "text_", "processed_input", "statistics", "rai_", "grounding", "result", "full_response", "status")

_ADDED: dict[type, tuple[str, ...]] = {
    exp.Predict: _PREDICTED,
    exp.GenerateText: _GENERATED,
    exp.GenerateEmbedding: _GENERATED,
    exp.MLTranslate: _GENERATED,
    exp.FeaturesAtTime: (),
    exp.GapFill: (),
}
"""How the names of the columns begin that a function adds to those of its input."""


class _Enriched(ResultSet):
    """The input's rows with more columns: a name that begins as the function's own do is one of these, made by the call."""

    __slots__ = ("beginnings", "call")
    beginnings: tuple[str, ...]
    call: int

    def may_own(self, name: str) -> bool:
        """One of the function's own, or what the input may have."""
        return name.startswith(self.beginnings) or any(owner.may_own(name) for owner in self.stars)

    def claim(self, name: str) -> int:
        """A column of the function's own, else one of the input."""
        if name in self.columns or name in self.claims or not name.startswith(self.beginnings):
            return super().claim(name)
        found = self.claims[name] = self.builder.column(self.entity, name, None)
        self.builder.edges.append((found, self.call, IDENTITY, None))
        return found


@call_form(*_ADDED)
def model_function(scope: Scope, node: Any, call: Any) -> bool:
    """The input's columns, then those that the function adds."""
    with_model = "expression" in call.arg_types
    argument = call.args.get("expression" if with_model else "this")
    given = whole_input(argument)
    if given is None:
        return False
    builder = scope.builder
    result = _Enriched(builder, "function", node)
    result.call = made = builder.function(call)
    result.beginnings = _ADDED[call.__class__]
    flow_arguments(scope, [each for each in arguments_of(call) if each is not argument], made, result.rows)
    owner = input_owner(scope, given, result.rows)
    builder.edges.extend((made, column, TRANSFORMATION, node) for _, column in owner.star())
    for name, column in owner.star():
        result.pass_on(owner, name, column, node)
    if result.beginnings:
        result.open = True
        builder.edges.append((result.add("*", node), made, IDENTITY, node))
    add_derived(scope, node, result.complete())
    return True


@call_form(exp.VectorSearch)
def vector_search(scope: Scope, node: Any, call: Any) -> bool:
    """`query` and `base` are rows of the two tables, `distance` is how far they are from each other."""
    inputs = [each for each in map(whole_input, arguments_of(call)) if each is not None]
    if len(inputs) != 2:
        return False
    builder = scope.builder
    result = ResultSet(builder, "function", node)
    base, asked = (input_owner(scope, each, result.rows) for each in inputs)
    for name, owner in (("query", asked), ("base", base)):
        row = result.add(name, node)
        builder.structs[row] = Row(owner)
        builder.edges.extend((row, column, TRANSFORMATION, node) for _, column in owner.star())
    distance = result.add("distance", node)
    for owner in (asked, base):
        builder.edges.extend((distance, column, TRANSFORMATION, node) for _, column in owner.star())
    add_derived(scope, node, result.complete())
    return True
