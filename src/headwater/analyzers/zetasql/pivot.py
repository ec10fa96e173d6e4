"""PIVOT and UNPIVOT."""

from __future__ import annotations

from headwater.analyzers.select import Attribute, Scope, Select
from headwater.analyzers.zetasql.aggregate import aggregated
from headwater.analyzers.zetasql.flow import argument_kind, flow
from headwater.analyzers.zetasql.join import side
from headwater.analyzers.zetasql.project import computed
from headwater.analyzers.zetasql.scan import reads
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import AGGREGATION, GROUP_BY, IDENTITY, PIVOT_FILTER, PIVOT_FOR
from headwater.sql.place import Elsewhere


@reads("PivotScan")
def pivot(select: Select, node: Node) -> list[Attribute]:
    """The grouping columns are passed on and decide over the rows; each aggregate takes its argument and the FOR column."""
    inner = Select(select.reader, select.outer, "pivot_table")
    source = side(inner, node.node("input_scan"))
    scope = Scope(inner, source)
    keys = [each.node("expr") for each in node.nodes("group_by_list")]
    for key in keys:
        flow(scope, key, inner.result.rows, GROUP_BY)
    outputs = computed(scope, node.nodes("group_by_list"))
    expressions = node.nodes("pivot_expr_list")
    for each in node.nodes("pivot_column_list"):
        column = each.column()
        own = inner.column(column.name)
        call = expressions[int(each.fields.get("pivot_expr_index", 0))]
        value = aggregated(scope, call, own, IDENTITY)
        if value in inner.counts:
            for counted in source:
                scope.edges.append((value, counted.column, argument_kind(call, AGGREGATION), None))
        flow(scope, node.node("for_expr"), value, PIVOT_FOR)
        for key in keys:
            flow(scope, key, value, GROUP_BY)
        outputs.append(Attribute(column.id, column.name, own))
    return _closed(select, inner, outputs)


@reads("UnpivotScan")
def unpivot(select: Select, node: Node) -> list[Attribute]:
    """Value columns take each listed column, the name column is a constant."""
    inner = Select(select.reader, select.outer, "pivot_table")
    scope = Scope(inner, side(inner, node.node("input_scan")))
    outputs = computed(scope, node.nodes("projected_input_column_list"))
    groups = [each.nodes("column_list") for each in node.nodes("unpivot_arg_list")]
    for i, column in enumerate(node.columns("value_column_list")):
        own = inner.column(column.name)
        for listed in groups:
            flow(scope, listed[i], own, IDENTITY)
            if not node.fields.get("include_nulls"):
                flow(scope, listed[i], inner.result.rows, PIVOT_FILTER)
        outputs.append(Attribute(column.id, column.name, own))
    label = node.column("label_column")
    own = inner.column(label.name)
    scope.edges.append((own, scope.builder.literal(Elsewhere(label.name, None)), IDENTITY, None))
    return _closed(select, inner, [*outputs, Attribute(label.id, label.name, own)])


def _closed(select: Select, inner: Select, outputs: list[Attribute]) -> list[Attribute]:
    closed = inner.close(outputs)
    select.items.append(inner.result.rows)
    return closed
