"""An analyzer's answer in the place of the static resolver's: what the two share, and what happens where the analyzer has none.

The static resolver has looked at the statement before: the process, the places of names and expressions, the names of outputs that have
none, and what the statement leaves behind for the next ones (a default schema, functions) are its own. Tables, columns and
relations are what the analyzer says. Where the analyzer refuses the statement, or its answer holds something that is not read, the
static result stands, and a diagnostic says so.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from headwater.analyzers.select import Unread
from headwater.budget import Resolved
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import PERSISTENT, EntityKind, TableName
from headwater.model.kind import IDENTITY
from headwater.model.relation import Process
from headwater.model.resolution import ColumnRow, Edge, EntityRow, Resolution
from headwater.model.work import OutOfTime, TooLarge
from headwater.resolve.builder import Builder
from headwater.resolve.statement import Outcome, resolution_of
from headwater.sql.statement import Statement

_SAID_BY_NAMES = frozenset(
    {Code.UNRESOLVED_COLUMN, Code.AMBIGUOUS_COLUMN, Code.GUESSED_COLUMN, Code.MISSING_SCHEMA, Code.SCHEMA_MISMATCH}
    | {Code.SYNTAX_ERROR, Code.UNSUPPORTED_CONSTRUCT, Code.UNSUPPORTED_STATEMENT, Code.UNKNOWN_TABLE_FUNCTION}
    | {Code.INTERNAL_ERROR}
)
"""Diagnostics of the static resolver that an analysis answers."""


class Refused(Exception):
    """An analyzer does not take a statement; the message is its own, in one line."""


class Unanswered(Exception):
    """An analyzer did not come to an end with a statement; the message says why."""


def answered(
    statement: Statement, static: Iterable[Resolved], analyzer: str, read: Callable[[Resolution], Resolution]
) -> Iterator[Resolved]:
    """What a statement resolves to, given what the static resolver made of it; heavy ones stay with that, in its own process.

    *analyzer* is its name in messages; *read* makes the resolution that the analyzer gives.
    """
    for each in static:
        if statement.postponed:
            why = f"the statement is too heavy to be analysed by {analyzer}"
            made = _instead(each.resolution, statement, why)
        else:
            made = _read(statement, each.resolution, analyzer, read)
        yield each._replace(resolution=made)


def _read(
    statement: Statement, static: Resolution, analyzer: str, read: Callable[[Resolution], Resolution]
) -> Resolution:
    try:
        return read(static)
    except Refused as refusal:
        why = f"{analyzer} refuses the statement: {statement.text.hide(str(refusal))}"
    except Unanswered as failure:
        why = f"{analyzer} gives no answer: {failure}"
    except Unread as unread:
        why = f"{unread} is not read from {analyzer}'s answer"
    except TooLarge as excess:
        why = f"{analyzer}'s answer has {excess.message}"
    except OutOfTime:
        why = f"the time of the script is up before {analyzer}'s answer is read (--timeout)"
    except Exception as error:  # noqa: BLE001 - the statement boundary: whatever happens, the script goes on
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {where.name}, line {where.lineno} of {where.filename.rsplit('/', 1)[-1]}"
        return _instead(static, statement, f"{analyzer}'s answer was not understood: {place}")
    if not static.edges and not static.diagnostics:
        return static  # nothing flows, nothing is lost
    return _instead(static, statement, why)


def _instead(static: Resolution, statement: Statement, why: str) -> Resolution:
    message = f"{why}; this is the static engine's answer"
    return static._replace(diagnostics=[*static.diagnostics, Diagnostic(Code.ENGINE_FALLBACK, message, statement.span)])


def readable(statement: Statement) -> str:
    """The statement's text as it was parsed: what belongs to a client or a template is blank."""
    start, end = statement.span
    made = statement.source
    return made.readable[start - made.offset : end - made.offset] if made is not None else statement.text.raw[start:end]


def redacting(statement: Statement) -> Callable[[str], str]:
    """Takes the statement's secrets, if it has any, out of what an analyzer writes."""
    start, end = statement.span
    return str if statement.sql == statement.text.raw[start:end] else statement.text.hide


def completed(builder: Builder, statement: Statement, static: Resolution, outcome: Outcome) -> Resolution:
    """The resolution that an analyzer's reader has built, with what the static resolver knows."""
    builder.diagnostics.extend(d for d in static.diagnostics if d.code not in _SAID_BY_NAMES)
    _name_outputs(builder, static, outcome)
    _mark_states(builder, static)
    _place(builder, static)
    _note_wildcards(builder, static)
    builder.default_schema = static.default_schema
    made = resolution_of(builder, statement, outcome)
    unseen = _written(static) - _written(made)
    if unseen:
        raise Unread(f"what is written into {', '.join(sorted(unseen))}")
    process = Process(outcome.type, statement.query_hash, statement.span)
    return made._replace(process=process, functions=static.functions, dropped_functions=static.dropped_functions)


def _written(resolution: Resolution) -> set[str]:
    """The names of the tables that a statement writes."""
    tables = (resolution.entities[number].table for number in resolution.written)
    return {".".join(table) for table in tables if table is not None}


def _name_outputs(builder: Builder, static: Resolution, outcome: Outcome) -> None:
    """An unwritten query's outputs are called as the model calls them: one without a name by its text, not as the analyzer spells it."""
    result = outcome.result
    if result is None or len(result.outputs) != len(static.outputs):
        return
    result.rename([static.columns[column][1] for column in static.outputs])
    for (_, own), theirs in zip(result.outputs, static.outputs, strict=True):
        entity, name, _ = builder.columns[own]
        builder.columns[own] = (entity, name, static.columns[theirs][2])


def _mark_states(builder: Builder, static: Resolution) -> None:
    """Mark tables that the statement does not read in their current state, in the static resolver's words.

    An analyzer whose tables were declared for it has them in one state only.
    """
    states: dict[TableName, set[str]] = {}
    for row in static.entities:
        if row.table is not None and row.kind in PERSISTENT:
            states.setdefault(row.table, set()).add(row.as_of)
    knows_states = any(row.as_of for row in builder.entities)
    for row in builder.entities:
        found = states.get(row.table, {""}) if row.table is not None else {""}
        if len(found) > 1 and not knows_states:
            raise Unread("a table in several states")
        past = found - {""}
        if len(past) == 1 and (row.as_of or len(found) == 1):
            row.as_of = min(past)


def _note_wildcards(builder: Builder, static: Resolution) -> None:
    """Take over which of the tables stand for many."""
    names = {static.entities[each.entity].table: each for each in static.wildcards}
    for number, row in enumerate(builder.entities) if names else ():
        if row.table in names:
            builder.wildcards[number] = names[row.table]._replace(entity=number)


def _place(builder: Builder, static: Resolution) -> None:
    """Where the static resolver found tables and expressions in the text."""
    by_name = {
        row.table: row for row in static.entities if row.kind in PERSISTENT and row.kind is not EntityKind.ORPHAN
    }
    for row in builder.entities:
        known = by_name.get(row.table) if row.table is not None else None
        if known is not None:
            row.place, row.places, row.spelled = known.place, known.places, known.spelled
    places: dict[tuple[TableName | None, str], list[Any]] = {}
    for table, name, source in _writes(static.edges, static.columns, static.entities, static.written):
        places.setdefault((table, name), []).append(static.columns[source][2])
    for table, name, source in _writes(builder.edges, builder.columns, builder.entities, builder.written):
        found = places.get((table, name))
        if found:
            entity, label, _ = builder.columns[source]
            builder.columns[source] = (entity, label, found.pop(0))


def _writes(
    edges: list[Edge], columns: list[ColumnRow], entities: list[EntityRow], written: Iterable[int]
) -> Iterator[tuple[TableName | None, str, int]]:
    """What is written where: the table, its column, and the result set's column that goes there, in order."""
    tables = set(written)
    for target, source, kind, _ in edges:
        entity, name, _ = columns[target]
        if kind == IDENTITY and entity in tables and entities[columns[source][0]].kind is EntityKind.RESULT_SET:
            yield entities[entity].table, name, source
