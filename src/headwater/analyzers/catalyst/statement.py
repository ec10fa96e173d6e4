"""One statement to its resolution, by Spark's analysis.

The static resolver has looked at the statement before: the process, the places of names and expressions, the names of outputs that have
none, and what the statement leaves behind for the next ones (a default schema, functions) are its own. Tables, columns and
relations are what the analysed plan says. Where Spark refuses the statement, or its plan holds something that is not read here, the
static result stands, and a diagnostic says so.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from typing import Any

from headwater.analyzers.catalyst.catalogs import foreign_schemas, names_in, respelled
from headwater.analyzers.catalyst.jvm import Refused
from headwater.analyzers.catalyst.plan import Unread, everywhere
from headwater.analyzers.catalyst.reading import read_one, read_script
from headwater.analyzers.catalyst.session import Catalyst
from headwater.analyzers.catalyst.work import Work
from headwater.budget import Resolved
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import PERSISTENT, EntityKind, TableName
from headwater.model.kind import IDENTITY
from headwater.model.relation import Process
from headwater.model.resolution import ColumnRow, Edge, EntityRow, Resolution
from headwater.resolve.builder import Builder
from headwater.resolve.session import Session
from headwater.resolve.statement import Outcome, resolution_of
from headwater.sql.place import Places
from headwater.sql.statement import Statement

_DANGEROUS = frozenset({"UnresolvedExecuteImmediate", "ExecuteImmediateCommand", "ExecuteImmediateQuery"})
"""What Spark would run while it analyses."""
_SAID_BY_NAMES = frozenset(
    {Code.UNRESOLVED_COLUMN, Code.AMBIGUOUS_COLUMN, Code.GUESSED_COLUMN, Code.MISSING_SCHEMA, Code.SCHEMA_MISMATCH}
    | {Code.SYNTAX_ERROR, Code.UNSUPPORTED_CONSTRUCT, Code.UNSUPPORTED_STATEMENT, Code.UNKNOWN_TABLE_FUNCTION}
    | {Code.INTERNAL_ERROR}
)
"""Diagnostics of the static resolver that an analysis by Spark answers."""


def analysed(
    statement: Statement, session: Session, static: Iterable[Resolved], engine: Catalyst
) -> Iterator[Resolved]:
    """What a statement resolves to, given what the static resolver made of it; heavy ones stay with that, in its own process."""
    for each in static:
        if statement.postponed:
            made = _instead(each.resolution, statement, "the statement is too heavy to be analysed by Spark")
        else:
            made = resolve(statement, session, each.resolution, engine)
        yield each._replace(resolution=made)


def resolve(statement: Statement, session: Session, static: Resolution, engine: Catalyst) -> Resolution:
    """The resolution of a statement as Spark understands it; *static* where Spark does not."""
    try:
        return _resolved(statement, session, static, engine)
    except Refused as refusal:
        why = f"Spark refuses the statement: {statement.text.hide(str(refusal))}"
    except Unread as unread:
        why = f"{unread} is not read from Spark's plan"
    except Exception as error:  # noqa: BLE001 - the statement boundary: whatever happens, the script goes on
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {where.name}, line {where.lineno} of {where.filename.rsplit('/', 1)[-1]}"
        return _instead(static, statement, f"Spark's plan was not understood: {place}")
    if not static.edges and not static.diagnostics:
        return static  # nothing flows, nothing is lost
    return _instead(static, statement, why)


def _instead(static: Resolution, statement: Statement, why: str) -> Resolution:
    message = f"{why}; this is the static engine's answer"
    return static._replace(diagnostics=[*static.diagnostics, Diagnostic(Code.ENGINE_FALLBACK, message, statement.span)])


def _resolved(statement: Statement, session: Session, static: Resolution, engine: Catalyst) -> Resolution:
    text = _readable(statement)
    plan = engine.parse(text)
    node = engine.read(plan)
    schemas = foreign_schemas(names_in(node))
    if schemas:
        plan = engine.parse(respelled(statement, text, schemas))
        node = engine.read(plan)
    inside = {each.name for each in everywhere(node)}
    if inside & _DANGEROUS:
        raise Unread("dynamic SQL, which Spark would run,")
    redacted = (
        str if statement.sql == statement.text.raw[statement.span.start : statement.span.end] else statement.text.hide
    )
    builder = Builder(statement.dialect, session, Places(statement))
    work = Work(engine, builder, redacted, static.process.type)
    work.schemas = schemas
    work.reader.having = "UnresolvedHaving" in inside
    outcome = read_script(work, plan) if node.name == "CompoundBody" else read_one(work, plan, node)
    return _completed(work, statement, static, outcome)


def _readable(statement: Statement) -> str:
    """The statement's text as it was parsed: what belongs to a client or a template is blank."""
    start, end = statement.span
    made = statement.source
    return made.readable[start - made.offset : end - made.offset] if made is not None else statement.text.raw[start:end]


def _completed(work: Work, statement: Statement, static: Resolution, outcome: Outcome) -> Resolution:
    builder = work.builder
    builder.diagnostics.extend(d for d in static.diagnostics if d.code not in _SAID_BY_NAMES)
    _name_outputs(work, static, outcome)
    _place(work, static)
    builder.default_schema = static.default_schema
    made = resolution_of(builder, statement, outcome)
    process = Process(outcome.type, statement.query_hash, statement.span)
    return made._replace(process=process, functions=static.functions, dropped_functions=static.dropped_functions)


def _name_outputs(work: Work, static: Resolution, outcome: Outcome) -> None:
    """An unwritten query's outputs are called as the model calls them: one without a name by its text, not as Spark spells it."""
    result = outcome.result
    if result is None or len(result.outputs) != len(static.outputs):
        return
    builder = work.builder
    result.rename([static.columns[column][1] for column in static.outputs])
    for (_, own), theirs in zip(result.outputs, static.outputs, strict=True):
        entity, name, _ = builder.columns[own]
        builder.columns[own] = (entity, name, static.columns[theirs][2])


def _place(work: Work, static: Resolution) -> None:
    """Where the static resolver found tables and expressions in the text."""
    builder = work.builder
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
