"""WITH, recursive too: a CTE is read once, each reference has its columns by position."""

from __future__ import annotations

from headwater.analyzers.combination import Operand, take
from headwater.analyzers.select import Attribute, Select, Unread
from headwater.analyzers.zetasql.scan import query_of, reads
from headwater.analyzers.zetasql.set_operation import operand_of
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import DISTINCT
from headwater.resolve.scope import ResultSet

_INNERMOST = ""
"""In the place of a name: the recursive query that is being read."""


@reads("WithScan")
def with_scan(select: Select, node: Node) -> list[Attribute]:
    """The CTEs, then the query that uses them."""
    for entry in node.nodes("with_entry_list"):
        name, inner = str(entry.fields["with_query_name"]), entry.node("with_subquery")
        result, outputs = query_of(select.reader, inner, select.outer, inner.columns(), "cte")
        result.row.alias = name
        select.reader.ctes[name] = (result, outputs)
    return select.read(node.node("query"))


@reads("WithRefScan")
def reference(select: Select, node: Node) -> list[Attribute]:
    """A CTE in FROM."""
    return _referred(select, node, str(node.fields["with_query_name"]))


@reads("RecursiveRefScan")
def inner_reference(select: Select, node: Node) -> list[Attribute]:
    """A recursive CTE inside itself."""
    return _referred(select, node, _INNERMOST)


def _referred(select: Select, node: Node, name: str) -> list[Attribute]:
    found: Operand | None = select.reader.ctes.get(name)
    if found is None:
        raise Unread("a CTE that is not defined before its use")
    result, columns = found
    if len(columns) != len(node.columns()):
        raise Unread("a recursive query with its depth")
    select.items.append(result.rows)
    return [Attribute(c.id, c.name, known.column) for c, known in zip(node.columns(), columns, strict=True)]


@reads("RecursiveScan")
def recursive(select: Select, node: Node) -> list[Attribute]:
    """The anchor, then the step that sees what both give."""
    ctes = select.reader.ctes
    around = ctes.get(_INNERMOST)
    anchor = operand_of(select, node.node("non_recursive_term"))
    result = ResultSet(select.builder, "union", None)
    outputs = [Attribute(c.id, c.name, result.add(select.fold(c.name), None)) for c in node.columns()]
    ctes[_INNERMOST] = (result, outputs)
    step = operand_of(select, node.node("recursive_term"))
    if around is not None:
        ctes[_INNERMOST] = around
    take(result, outputs, anchor)
    take(result, outputs, step)
    if node.fields.get("op_type") == "UNION_DISTINCT":
        for each in outputs:
            select.builder.edge(result.rows, each.column, DISTINCT, None)
    select.items.append(result.complete().rows)
    return outputs
