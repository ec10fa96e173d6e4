"""UNION, EXCEPT, INTERSECT: Spark has put the operands' columns in order already, BY NAME too."""

from __future__ import annotations

from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.combination import combined
from headwater.analyzers.select import Attribute, Select, query
from headwater.resolve.scope import ResultSet

_FROM = frozenset(
    {"SubqueryAlias", "Filter", "Join", "LateralJoin", "Generate", "OneRowRelation", "Window", "LogicalRelation"}
)
"""What a select list of somebody's own stands upon."""


@reads("Union")
def union(select: Select, node: Node) -> list[Attribute]:
    """Outputs take each operand's column by position."""
    return combined(select, [operand_of(select, each) for each in node.children], len(node.children))


@reads("Except", "Intersect")
def compared(select: Select, node: Node) -> list[Attribute]:
    """Data flows from the left side only; what is compared decides over the rows."""
    return combined(select, [operand_of(select, each) for each in node.children], 1)


def operand_of(select: Select, node: Node) -> tuple[ResultSet, list[Attribute]]:
    """An operand as it was written: casts that Spark put around it, so that the operands' types fit, hold no transformation."""
    if not _only_fits_types(node):
        return query(select.reader, node, select.outer)
    result, inner = query(select.reader, node.children[0], select.outer)
    columns = {each.id: each.column for each in inner}
    fitted = []
    for each in node.trees("projectList"):
        reference = each
        while reference.children:
            reference = reference.children[0]
        fitted.append(Attribute(each.id, each.label, columns[reference.id]))
    return result, fitted


def _only_fits_types(node: Node) -> bool:
    if node.name != "Project" or node.children[0].name in _FROM:
        return False
    return all(_is_fitted(each) for each in node.trees("projectList"))


def _is_fitted(node: Node) -> bool:
    """A column, cast or not, under its own name."""
    names = []
    while node.children:
        names.append(node.name)
        node = node.children[0]
    return node.name == "AttributeReference" and set(names) <= {"Alias", "Cast"}
