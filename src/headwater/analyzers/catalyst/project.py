"""Projections, and the operators that only pass columns on."""

from __future__ import annotations

from headwater.analyzers.catalyst.alias import named
from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.pivot import is_pivot
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import derived
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import IDENTITY


@reads("Project")
def project(select: Select, node: Node) -> list[Attribute]:
    """The select list; below it may stand lists that Spark added for its own needs."""
    outermost, select.projected = not select.projected, True
    child = node.children[0]
    if not outermost and child.name == "Aggregate" and is_pivot(child):
        return derived(select, node, type="pivot_table")
    scope = Scope(select, select.read(child))
    merges = not outermost and child.name == "Join" and child.word("joinType") == "FullOuter"
    return [
        _merged(scope, each) if merges and _is_merged(each) else named(scope, each)
        for each in node.trees("projectList")
    ]


def _is_merged(node: Node) -> bool:
    """Whether an expression is what a full join's USING makes of the two columns of one name."""
    if node.name != "Alias" or node.children[0].name != "Coalesce":
        return False
    sides = [side.children[0] if side.name == "Cast" else side for side in node.children[0].children]
    return len(sides) == 2 and all(s.name == "AttributeReference" for s in sides)


def _merged(scope: Scope, node: Node) -> Attribute:
    """Both sides' columns are passed on as one."""
    column = scope.select.column(node.label)
    for side in node.children[0].children:
        reference = side.children[0] if side.name == "Cast" else side
        scope.edges.append((column, scope.find(reference.id), IDENTITY, None))
    return Attribute(node.id, node.label, column)


@reads(
    *("ResolvedHint", "Repartition", "RepartitionByExpression", "RebalancePartitions", "PipeOperator", "Sample"),
    *("LocalLimit", "NoopCommand", "WithWindowDefinition", "SubqueryColumnAliases", "CollectMetrics"),
    *("EventTimeWatermark", "UpdateEventTimeWatermarkColumn"),
)
def passed_on(select: Select, node: Node) -> list[Attribute]:
    """Operators that change neither columns nor, as far as lineage is concerned, rows."""
    return select.read(node.children[0])
