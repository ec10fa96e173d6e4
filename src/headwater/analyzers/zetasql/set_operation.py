"""UNION, EXCEPT, INTERSECT: GoogleSQL has put the operands' columns in order already, BY NAME and CORRESPONDING too."""

from __future__ import annotations

from headwater.analyzers.combination import Operand, combined
from headwater.analyzers.select import Attribute, Select
from headwater.analyzers.zetasql.scan import query_of, reads
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import DISTINCT


@reads("SetOperationScan")
def set_operation(select: Select, node: Node) -> list[Attribute]:
    """Data flows from all operands of a UNION, from the first of the others."""
    operands = [operand_of(select, each) for each in node.nodes("input_item_list")]
    kind = str(node.fields.get("op_type"))
    given = combined(select, operands, len(operands) if kind.startswith("UNION") else 1)
    outputs = [Attribute(c.id, c.name, a.column) for c, a in zip(node.columns(), given, strict=True)]
    if kind == "UNION_DISTINCT":
        for each in outputs:
            select.builder.edge(select.items[-1], each.column, DISTINCT, None)
    return outputs


def operand_of(select: Select, item: Node) -> Operand:
    """An operand: the columns of its scan, in the order of the outputs."""
    return query_of(select.reader, item.node("scan"), select.outer, item.columns("output_column_list"))
