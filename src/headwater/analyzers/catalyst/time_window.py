"""`window(at, '5 minutes')`: what Spark's analyzer makes of it is arithmetic of its own, and nobody wrote the CASE in it."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import call_node, flow, handles, leaves, make
from headwater.analyzers.catalyst.nested import remember
from headwater.analyzers.catalyst.plan import Node, tree
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import TRANSFORMATION


@handles("PreciseTimestampConversion")
def time_arithmetic(scope: Scope, node: Node, target: int, kind: int) -> None:
    """The start or the end of a window: each column below flows into it."""
    value = call_node(scope, node, target, kind)
    for leaf in leaves(node):
        if leaf.name != "Literal":
            flow(scope, leaf, value, TRANSFORMATION)


def is_sliding(node: Node) -> bool:
    """Whether an operator is an Expand that puts each row into several windows."""
    rows = (node.fields.get("projections") or []) if node.name == "Expand" else []
    return any(tree(row[0]).name == "CreateNamedStruct" for row in rows[:1])


def sliding_window(select: Select, node: Node) -> list[Attribute]:
    """The window, which all its rows make of the same columns, and the columns below."""
    scope = Scope(select, select.read(node.children[0]))
    window, *others = node.trees("output")
    column = select.column(window.label)
    value = tree(node.fields["projections"][0][0])
    make(scope, value, column)
    remember(scope, value, column)
    passed = [Attribute(each.id, each.label, scope.find(each.id)) for each in others]
    return [Attribute(window.id, window.label, column), *passed]
