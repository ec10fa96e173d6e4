"""Named expressions: what a projection or an aggregation gives."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import make
from headwater.analyzers.catalyst.nested import remember
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Attribute, Scope


def named(scope: Scope, node: Node) -> Attribute:
    """The output that a named expression gives: a column passed on, or a new one."""
    if node.name == "AttributeReference":
        return Attribute(node.id, node.label, scope.find(node.id))
    if node.name == "OuterReference":
        inner = node.tree("e")
        assert inner is not None
        return named(scope, inner)
    value = node.children[0]
    if value.name == "AttributeReference":
        return Attribute(node.id, node.label, scope.select.passed(node.label, scope.find(value.id)))
    column = scope.select.column(node.label, value)
    make(scope, value, column)
    remember(scope, value, column)
    return Attribute(node.id, node.label, column)
