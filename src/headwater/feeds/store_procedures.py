"""The procedures, functions and triggers of a store: read again from the texts of the statements that create them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pyarrow as pa
import pyarrow.compute as pc

from headwater.analysis import dialects_of, first_session, script_lineage
from headwater.export.numbers import NewNumbers
from headwater.export.records import Place, Procedure
from headwater.export.statement_records import StatementRecords
from headwater.feeds.store_records import StoreRecords
from headwater.store import Snapshot

_HEADS = tuple(f"Create {kind}" for kind in ("Procedure", "Function", "Macro", "Trigger", "Package", "Type"))
"""Types of processes that create routines."""


def procedures(snapshot: Snapshot, records: StoreRecords) -> list[Procedure]:
    """All procedures, in order of their processes; their numbers are behind those of all that the store keeps."""
    table = snapshot.table("processes", ["process_id", "type"])
    heads = table.filter(pc.is_in(table.column("type"), value_set=pa.array(_HEADS))).column("process_id")
    processes = sorted(records.process_of(id) for id in heads.to_pylist())
    schemas = _default_schemas(snapshot, {records.process(each).path for each in processes})
    numbers = count(records.first_inner)
    return [
        told._replace(id=next(numbers), arguments=tuple(each._replace(id=next(numbers)) for each in told.arguments))
        for process in processes
        for told in _created(process, records, schemas)
    ]


def _default_schemas(snapshot: Snapshot, paths: set[str]) -> dict[str, str]:
    """The default schemas of scripts, by their paths."""
    if not paths:
        return {}
    table = snapshot.table("scripts", ["path", "default_schema"])
    found = table.filter(pc.is_in(table.column("path"), value_set=pa.array(sorted(paths))))
    return {path: schema or "" for path, schema in zip(*(column.to_pylist() for column in found.columns), strict=True)}


def _created(process: int, records: StoreRecords, schemas: dict[str, str]) -> Iterator[Procedure]:
    """The procedures that a process creates."""
    told = records.process(process)
    dialects = dialects_of(told.dialect or "spark")
    session = first_session(None, schemas.get(told.path) or None, dialects, "static", "candidates")
    lineage, _ = script_lineage(told.text, dialects, session, told.path)
    place: Place | None = told.places[0] if told.places else None
    for statement in lineage.statements:
        if statement.resolution.routines:
            where = (place.script, NewNumbers(), place.start) if place else (0, NewNumbers())
            for each in StatementRecords(statement, lineage, *where).procedures():
                yield each._replace(process=process) if place else _nowhere(each._replace(process=process))


def _nowhere(procedure: Procedure) -> Procedure:
    """A procedure of a script that is not known."""
    arguments = tuple(each._replace(places=()) for each in procedure.arguments)
    return procedure._replace(places=(), arguments=arguments)
