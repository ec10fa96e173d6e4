"""Views inside a plan: Spark has put their queries in their places."""

from __future__ import annotations

from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import derived
from headwater.analyzers.select import Attribute, Select


@reads("View")
def view(select: Select, node: Node) -> list[Attribute]:
    """A lasting view stands for itself, as in SQL; a temporary one is no more than its query."""
    if node.fields.get("isTempView"):
        return _renamed(select, node.children[0]) or derived(select, node.children[0])
    [table] = select.reader.owners(node)
    view = select.builder.reads(table)
    select.items.append(view.rows)
    fold = view.builder.dialect.fold_column
    return [Attribute(a.id, a.name, view.claim(fold(a.name, False))) for a in _outputs(node)]


def _outputs(node: Node) -> list[Attribute]:
    """The outputs of a view's query, which ends with a projection to the view's own names and types."""
    listed = node.children[0].trees("projectList") or node.children[0].trees("output")
    return [Attribute(each.id, each.label, -1) for each in listed]


def _renamed(select: Select, node: Node) -> list[Attribute]:
    """The outputs of a query under a view's names; the casts to the view's types, which are the query's, are Spark's own."""
    if node.name != "Project":
        return []
    sources = [_uncast(each) for each in node.trees("projectList")]
    if any(source.name != "AttributeReference" for source in sources):
        return []
    columns = {each.id: each.column for each in derived(select, node.children[0])}
    return [
        Attribute(each.id, each.label, columns[source.id])
        for each, source in zip(node.trees("projectList"), sources, strict=True)
    ]


def _uncast(node: Node) -> Node:
    while node.name in ("Alias", "Cast"):
        node = node.children[0]
    return node
