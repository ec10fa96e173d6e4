"""Named expressions: what a projection or an aggregation gives."""

from __future__ import annotations

import re

from headwater.analyzers.catalyst.flow import is_constant, make
from headwater.analyzers.catalyst.nested import remember
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Attribute, Scope

_MOVED = re.compile(r"_w\d+")
"""The names of window functions' arguments that Spark works out before."""


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
    if _MOVED.fullmatch(node.label) and is_constant(scope, value):
        scope.select.reader.constants.add(node.id)
    column = scope.select.column(node.label, value)
    make(scope, value, column)
    remember(scope, value, column)
    return Attribute(node.id, node.label, column)
