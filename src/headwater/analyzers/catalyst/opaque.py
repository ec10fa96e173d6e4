"""Programs inside a plan, which nobody can look into: TRANSFORM … USING, mapInPandas, applyInPandas and their kin."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import GROUP_BY, LATERAL, TRANSFORMATION


@reads(
    *("ScriptTransformation", "MapInPandas", "MapInArrow", "PythonMapInArrow"),
    *("FlatMapGroupsInPandas", "FlatMapGroupsInArrow", "FlatMapCoGroupsInPandas", "FlatMapCoGroupsInArrow"),
    *("FlatMapGroupsInPandasWithState", "TransformWithStateInPandas", "TransformWithStateInPySpark"),
)
def program(select: Select, node: Node) -> list[Attribute]:
    """Every output may be made of every input, and so may the number of rows."""
    inputs = [each for child in node.children for each in select.read(child)]
    sources = dict.fromkeys(each.column for each in inputs)
    rows = select.result.rows
    for key in node.trees("groupingAttributes"):
        flow(Scope(select, inputs), key, rows, GROUP_BY)
    outputs = []
    for each in node.trees("output") or node.trees("outputAttrs"):
        column = select.column(each.label)
        for source in sources:
            select.builder.edge(column, source, TRANSFORMATION, None)
        outputs.append(Attribute(each.id, each.label, column))
    for source in sources:
        select.builder.edge(rows, source, LATERAL, None)
    return outputs
