"""Statements in an order in which everything is defined before it is used, and those that use each other in a circle."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from headwater.model.entity import TableName
from headwater.project.mentioned import mentioned
from headwater.project.statement import ProjectStatement
from headwater.sql.mentions import Mentions


def in_order(statements: Sequence[ProjectStatement]) -> tuple[list[ProjectStatement], list[tuple[TableName, ...]]]:
    """The statements in order, and circles among what they define; a circle is cut where it was found."""
    makers: dict[TableName, list[int]] = {}
    mentions = [mentioned(each).mentions for each in statements]
    for number, statement in enumerate(statements):
        for table in dict.fromkeys((statement.entity, *mentions[number].defined)):
            makers.setdefault(table, []).append(number)
    needs = {number: _needs(number, each, mentions[number], makers) for number, each in enumerate(statements)}
    circles: list[tuple[TableName, ...]] = []
    while True:
        try:
            return [statements[number] for number in TopologicalSorter(needs).static_order()], circles
        except CycleError as error:
            circle = error.args[1]
            circles.append(tuple(dict.fromkeys(statements[number].entity for number in circle)))
            needs[circle[1]].discard(circle[0])


def _needs(
    number: int, statement: ProjectStatement, mentions: Mentions, makers: dict[TableName, list[int]]
) -> set[int]:
    """The statements that come before one: those that make what it names, and those before it that make the same."""
    own = {statement.entity, *mentions.defined}
    others = {maker for table in mentions.named if table not in own for maker in makers.get(table, ())}
    return others | {maker for table in own for maker in makers.get(table, ()) if maker < number}
