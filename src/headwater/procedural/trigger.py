"""The changed rows of a trigger: records that hold the table's own columns, one row after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from headwater.model.entity import PSEUDO_ROWS, EntityKind, TableName
from headwater.model.kind import IDENTITY
from headwater.model.resolution import Variable
from headwater.procedural.control import ROWS_OF_TRIGGER
from headwater.procedural.origin import Key, Origin, State
from headwater.resolve import Session
from headwater.resolve.variable import Variables
from headwater.sql.dialect import Dialect
from headwater.sql.procedural.tree import Branch, Choice, Program


def trigger_rows(program: Program, variables: Variables, session: Session, state: State) -> dict[Key, Variable]:
    """Let NEW and OLD be known; what comes back decides over everything inside: the rows that were changed.

    Of a function that triggers call nobody knows yet whose rows these are.
    """
    if program.trigger is None:
        for name in ("new", "old") if program.returns == "TRIGGER" else ():
            variables.add(name, "record", program.place)
        return {}
    node = program.trigger.table
    table = qualified(node.parts, session, variables.dialect)
    columns = session.columns(table, variables.dialect)
    for name in program.trigger.rows:
        variable = variables.add(name, "record", program.place)
        variables.changed[variable.number] = table
        if columns is not None:
            variables.shapes[variable.number] = tuple(columns)
        for column in ("*", PSEUDO_ROWS):
            state.set((variable.number, column), {(_origin(table, column, node), IDENTITY): None})
    if not program.trigger.rows:
        return {}
    deciding = variables.deciding(ROWS_OF_TRIGGER, program.place)
    key = (deciding.number, deciding.name)
    state.set(key, {(_origin(table, PSEUDO_ROWS, node), IDENTITY): None})
    return {key: deciding}


def _origin(table: TableName, column: str, node: Any) -> Origin:
    return Origin(EntityKind.TABLE, table, column, spelled=".".join(part.name for part in node.parts))


def called_by_trigger(program: Program, session: Session, dialect: Dialect) -> Program:
    """What a statement's program does: of a trigger that calls a function of the script, what that does with the trigger's table."""
    if program.trigger is None or program.trigger.calls is None:
        return program
    called = session.programs.get(qualified(program.trigger.calls.parts, session, dialect))
    if not isinstance(called, Program):
        return program
    steps = called.steps
    if program.steps and isinstance(program.steps[0], Choice):
        steps = (Choice((Branch(program.steps[0].branches[0].condition, steps),)),)
    return replace(called, steps=steps, trigger=program.trigger)


def qualified(identifiers: Sequence[Any], session: Session, dialect: Dialect) -> TableName:
    """The name that a table node's parts spell, qualified by the default schema."""
    parts = tuple(dialect.table(part) for part in identifiers)
    default = session.default_schema
    return default[: len(default) + 1 - len(parts)] + parts if default and len(parts) <= len(default) else parts
