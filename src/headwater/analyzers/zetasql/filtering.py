"""WHERE, HAVING, QUALIFY: what decides which rows stay."""

from __future__ import annotations

from headwater.analyzers.select import Attribute, Scope, Select
from headwater.analyzers.zetasql.flow import flow
from headwater.analyzers.zetasql.scan import below, reads
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import HAVING, QUALIFY, WHERE

_BEFORE = frozenset({"LimitOffsetScan"})


@reads("FilterScan")
def filter_(select: Select, node: Node) -> list[Attribute]:
    """A condition, by what stands below it in the same SELECT: HAVING over groups, QUALIFY over windows, else WHERE."""
    inputs = below(select, node.node("input_scan"), _BEFORE)
    builder, rows = select.builder, select.result.rows
    before = len(builder.edges)
    reader = select.reader
    kind = WHERE
    if select.windowed and reader.qualify:
        kind = QUALIFY
    elif select.aggregated and reader.having:
        kind = HAVING
    flow(Scope(select, inputs), node.node("filter_expr"), rows, kind)
    if kind == HAVING:
        select.keys += [(source, kind) for target, source, kind, _ in builder.edges[before:] if target == rows]
    return inputs
