"""Statements in an order in which everything is defined before it is used, and those that use each other in a circle."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from headwater.model.entity import TableName
from headwater.project.mentioned import mentioned
from headwater.project.statement import ProjectStatement


def in_order(statements: Sequence[ProjectStatement]) -> tuple[list[ProjectStatement], list[tuple[TableName, ...]]]:
    """The statements in order, and circles among what they define; a circle is cut where it was found."""
    makers: dict[TableName, list[int]] = {}
    for number, statement in enumerate(statements):
        makers.setdefault(statement.entity, []).append(number)
    needs = {
        number: {m for table in mentioned(each).mentions.named if table != each.entity for m in makers.get(table, ())}
        for number, each in enumerate(statements)
    }
    circles: list[tuple[TableName, ...]] = []
    while True:
        try:
            return [statements[number] for number in TopologicalSorter(needs).static_order()], circles
        except CycleError as error:
            circle = error.args[1]
            circles.append(tuple(dict.fromkeys(statements[number].entity for number in circle)))
            needs[circle[1]].discard(circle[0])
