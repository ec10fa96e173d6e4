"""WITH, recursive too: a CTE is read once, each reference has its columns by position."""

from __future__ import annotations

from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.combination import take
from headwater.analyzers.select import Attribute, Select, Unread, query
from headwater.resolve.scope import ResultSet


@reads("WithCTE")
def with_cte(select: Select, node: Node) -> list[Attribute]:
    """The CTEs, then the query that uses them."""
    for definition in node.children[:-1]:
        inner = definition.children[0]
        alias = inner.fields["identifier"]["name"] if inner.name == "SubqueryAlias" else None
        result, outputs = query(select.reader, inner.children[0] if alias else inner, select.outer, "cte")
        result.row.alias = alias
        select.reader.ctes[int(definition.fields["id"])] = (result, outputs)
    return select.read(node.children[-1])


@reads("CTERelationRef")
def reference(select: Select, node: Node) -> list[Attribute]:
    """A CTE in FROM."""
    return _referred(select, node, "cteId")


@reads("UnionLoopRef")
def inner_reference(select: Select, node: Node) -> list[Attribute]:
    """A recursive CTE inside itself."""
    return _referred(select, node, "loopId")


def _referred(select: Select, node: Node, key: str) -> list[Attribute]:
    found = select.reader.ctes.get(int(node.fields[key]))
    if found is None:
        raise Unread("a CTE that is not defined before its use")
    result, columns = found
    select.items.append(result.rows)
    return [Attribute(a.id, a.label, c.column) for a, c in zip(node.trees("output"), columns, strict=True)]


@reads("UnionLoop")
def recursive(select: Select, node: Node) -> list[Attribute]:
    """The anchor, then the step that sees what both give."""
    builder, reader = select.builder, select.reader
    anchor, columns = query(reader, node.children[0], select.outer)
    result = ResultSet(builder, "union", None)
    ids = [int(each["id"]) for each in node.fields["outputAttrIds"]]
    outputs = [Attribute(id, c.name, result.add(select.fold(c.name), None)) for id, c in zip(ids, columns, strict=True)]
    reader.ctes[int(node.fields["id"])] = (result, outputs)
    step, stepped = query(reader, node.children[1], select.outer)
    take(result, outputs, (anchor, columns))
    take(result, outputs, (step, stepped))
    select.items.append(result.complete().rows)
    return outputs
