"""WHERE, HAVING, QUALIFY and DISTINCT: what decides which rows stay."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import derived
from headwater.analyzers.catalyst.time_window import is_sliding
from headwater.analyzers.catalyst.unpivot import is_unpivot, unpivoted_rows
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import DISTINCT, HAVING, QUALIFY, WHERE


@reads("Filter")
def filter_(select: Select, node: Node) -> list[Attribute]:
    """A condition, by what stands below it in the same SELECT: HAVING over groups, QUALIFY over windows, else WHERE."""
    child = node.children[0]
    if is_unpivot(child) and not is_sliding(child):
        return unpivoted_rows(select, child, excludes_nulls=True)
    apart = child.name in ("Distinct", "GlobalLimit")
    inputs = derived(select, child) if apart else select.read(child, beside=child.name == "Aggregate")
    condition = node.tree("condition")
    assert condition is not None
    builder, rows = select.builder, select.result.rows
    before = len(builder.edges)
    kind = QUALIFY if select.windowed else HAVING if select.aggregated and select.reader.having else WHERE
    flow(Scope(select, inputs), condition, rows, kind)
    if kind == HAVING:
        select.keys += [(source, kind) for target, source, kind, _ in builder.edges[before:] if target == rows]
    return inputs


@reads("Distinct")
def distinct(select: Select, node: Node) -> list[Attribute]:
    """DISTINCT and UNION (distinct) make the row set depend on every column."""
    inputs = select.read(node.children[0])
    for each in inputs:
        select.builder.edge(select.result.rows, each.column, DISTINCT, None)
    return inputs


@reads("Deduplicate", "DeduplicateWithinWatermark")
def deduplicate(select: Select, node: Node) -> list[Attribute]:
    """`dropDuplicates`: one row for each key; which one, nobody knows."""
    inputs = select.read(node.children[0])
    scope = Scope(select, inputs)
    for key in node.trees("keys"):
        flow(scope, key, select.result.rows, DISTINCT)
    return inputs
