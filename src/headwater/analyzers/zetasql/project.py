"""Select lists, and the expressions that GoogleSQL computes before grouping, ordering and windows."""

from __future__ import annotations

from headwater.analyzers.select import Attribute, Scope, Select
from headwater.analyzers.zetasql.flow import make
from headwater.analyzers.zetasql.nested import remember
from headwater.analyzers.zetasql.scan import below, reads
from headwater.analyzers.zetasql.tree import Node, everywhere
from headwater.model.kind import IDENTITY

_MERGED = "$full_join"
"""What a full join's USING makes of two columns."""
_BEFORE = frozenset({"LimitOffsetScan"})


@reads("ProjectScan")
def project(select: Select, node: Node) -> list[Attribute]:
    """Computed columns, beside those from below."""
    inputs = below(select, node.node("input_scan"), _BEFORE)
    return inputs + computed(Scope(select, inputs), node.nodes("expr_list"))


def computed(scope: Scope, items: list[Node]) -> list[Attribute]:
    """Columns that expressions make."""
    return [_computed(scope, each) for each in items]


def _computed(scope: Scope, item: Node) -> Attribute:
    column, expression = item.column(), item.node("expr")
    if expression.name == "ColumnRef":
        return Attribute(column.id, column.name, scope.select.passed(column.name, scope.find(expression.column().id)))
    own = scope.select.column(column.name)
    if column.of == _MERGED:
        for side in expression.arguments:
            reference = side.node("expr") if side.name == "Cast" else side
            scope.edges.append((own, scope.find(reference.column().id), IDENTITY, None))
        return Attribute(column.id, column.name, own)
    if not any(each.name == "ColumnRef" for each in everywhere(expression)):
        scope.select.reader.constants.add(column.id)
    make(scope, expression, own)
    remember(scope, expression, own)
    return Attribute(column.id, column.name, own)
