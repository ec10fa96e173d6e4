"""Statements in an order in which everything is defined before it is used, and those that use each other in a circle."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from headwater.budget import Budget
from headwater.model.entity import TableName
from headwater.project.mentioned import mentioned
from headwater.project.resolved import resolve_statement
from headwater.project.statement import ProjectStatement
from headwater.resolve import Session


def in_order(statements: Sequence[ProjectStatement]) -> tuple[list[ProjectStatement], list[tuple[TableName, ...]]]:
    """The statements in order, and circles among what they define; a circle is cut where it was found.

    What a statement may name is more than what it reads: a CTE may be called like a table. So a statement in a circle is looked into.
    """
    makers: dict[TableName, list[int]] = {}
    for number, statement in enumerate(statements):
        makers.setdefault(statement.entity, []).append(number)
    needs = {
        number: {m for table in mentioned(each).mentions.named if table != each.entity for m in makers.get(table, ())}
        for number, each in enumerate(statements)
    }
    circles: list[tuple[TableName, ...]] = []
    looked: set[int] = set()
    while True:
        try:
            return [statements[number] for number in TopologicalSorter(needs).static_order()], circles
        except CycleError as error:
            circle = error.args[1]
            unread = [number for number in circle if number not in looked]
            for number in unread:
                tables = _read(statements[number])
                needs[number] = {m for m in needs[number] if statements[m].entity in tables}
            looked.update(unread)
            if not unread:
                circles.append(tuple(dict.fromkeys(statements[number].entity for number in circle)))
                needs[circle[1]].discard(circle[0])


def _read(statement: ProjectStatement) -> set[TableName]:
    """The tables that a statement really reads."""
    if statement.reads is not None:
        return set(statement.reads)
    made = resolve_statement(statement, Session(), Budget())
    return {row.table for each in made for row in each.resolution.entities if row.table is not None}
