"""UNPIVOT, which Spark writes as an Expand with one projection per column, below a filter unless nulls are included."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.plan import Node, tree
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import IDENTITY, PIVOT_FILTER

_GROUPING_ID = "spark_grouping_id"


def is_unpivot(node: Node) -> bool:
    """Whether an operator is an Expand that makes rows of columns, not of grouping sets."""
    return node.name == "Expand" and all(a.label != _GROUPING_ID for a in node.trees("output"))


def unpivoted_rows(select: Select, node: Node, excludes_nulls: bool) -> list[Attribute]:
    """A FROM item: value columns take each listed column, the name column is a constant."""
    inner = Select(select.reader, select.outer, "pivot_table")
    scope = Scope(inner, inner.read(node.children[0]))
    projections = [[tree(each) for each in row] for row in node.fields.get("projections") or []]
    outputs = []
    for i, each in enumerate(node.trees("output")):
        cells = [row[i] for row in projections]
        if all(c.name == "AttributeReference" and c.id == each.id for c in cells):
            outputs.append(Attribute(each.id, each.label, scope.find(each.id)))
            continue
        column = inner.column(each.label)
        for cell in cells:
            value = cell
            while value.name in ("Alias", "Cast"):
                value = value.children[0]
            flow(scope, value, column, IDENTITY)
            if excludes_nulls and value.name != "Literal":
                flow(scope, value, inner.result.rows, PIVOT_FILTER)
        outputs.append(Attribute(each.id, each.label, column))
    closed = inner.close(outputs)
    select.items.append(inner.result.rows)
    return closed
