"""The graph's answers as plain data, for JSON: ids are strings, because not every reader of JSON has 64-bit integers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from headwater.graph.composition import EndToEnd
from headwater.graph.diff import Diff
from headwater.graph.impact import Impact
from headwater.graph.lost import LostStatement
from headwater.graph.paths import Paths
from headwater.graph.records import Column, Hop, Place, Process, Table
from headwater.graph.tags import TaggedColumn, Violation
from headwater.graph.trace import TableHop, Trace
from headwater.graph.unused import UnusedReport
from headwater.graph.usage import NotReadReport

Document = dict[str, Any]


def table_document(table: Table) -> Document:
    """A table."""
    return {"id": str(table.id), "kind": table.kind, "name": table.name, "temporary": table.temporary}


def column_document(column: Column) -> Document:
    """A column, with its table."""
    return {
        "id": str(column.id),
        "table": column.table.name,
        "table_id": str(column.table.id),
        "kind": column.table.kind,
        "column": column.name,
        "data_type": column.data_type,
        "row_set": column.row_set,
        "inferred": column.inferred,
    }


def place_document(place: Place | None) -> Document | None:
    """A place in a script."""
    return None if place is None else {"path": place.path, "line": place.line, "column": place.column}


def process_document(process: Process | None) -> Document | None:
    """A process."""
    if process is None:
        return None
    return {
        "id": str(process.id),
        "type": process.type,
        "procedure": process.procedure,
        "query_hash": process.query_hash,
        "place": place_document(process.place),
    }


def hop_document(hop: Hop) -> Document:
    """A relation; its ends by id."""
    return {
        "source_id": str(hop.source.id),
        "target_id": str(hop.target.id),
        "source": str(hop.source),
        "target": str(hop.target),
        **hop.kind._asdict(),
        "star": hop.star,
        "expression": hop.expression,
        "process": process_document(hop.process),
        "place": place_document(hop.place),
    }


def trace_document(trace: Trace) -> Document:
    """What lies upstream or downstream: nodes with their distance, and the relations between them; of columns, or of tables."""
    about = {
        "direction": trace.direction.value,
        "flow": "impact" if trace.flow.influence else "data",
        "depth": trace.depth,
        "level": trace.level,
        "start": [column_document(column) for column in trace.start],
    }
    if trace.level == "table":
        tables = [{**table_document(each.what), "distance": each.distance} for each in trace.tables()]
        return {**about, "tables": tables, "hops": [_table_hop(hop) for hop in trace.table_hops()]}
    nodes = [{**column_document(each.what), "distance": each.distance} for each in trace.nodes]
    return {**about, "columns": nodes, "hops": [hop_document(hop) for hop in trace.hops]}


def _table_hop(hop: TableHop) -> Document:
    return {
        "source_id": str(hop.source.id),
        "target_id": str(hop.target.id),
        "source": str(hop.source),
        "target": str(hop.target),
        "process": process_document(hop.process),
    }


def paths_document(found: Paths) -> Document:
    """The ways between two columns."""
    return {
        "source": column_document(found.source),
        "target": column_document(found.target),
        "columns": [column_document(column) for column in found.columns],
        "hops": [hop_document(hop) for hop in found.hops],
        "paths": [[str(column.id) for column in path.columns] for path in found.first],
        "complete": found.complete,
    }


def ends_document(found: list[EndToEnd]) -> list[Document]:
    """First sources, and how they reach the end."""
    return [{**column_document(each.source), "distance": each.distance, **each.kind._asdict()} for each in found]


def impact_document(found: Impact) -> Document:
    """What a change does."""
    hits = [
        {
            **column_document(hit.column),
            "verdict": hit.verdict,
            "severity": hit.severity,
            "reason": hit.reason,
            "distance": hit.distance,
            "hop": hop_document(hit.hop),
        }
        for hit in found.hits
    ]
    tables = [{**table_document(table), "verdict": verdict} for table, verdict in found.tables().items()]
    head = {"column": column_document(found.column), "change": found.change, "breaking": found.breaking}
    lost = [lost_document(each) for each in found.not_understood]
    return {**head, "safe": found.safe, "tables": tables, "hits": hits, "not_understood": lost}


def lost_document(found: LostStatement) -> Document:
    """A statement that was not understood."""
    place = found.place
    where = {"path": place.path, "line": place.line, "column": place.column} if place else None
    return {"code": found.code, "message": found.message, "place": where, "whole_script": found.whole_script}


def tagged_document(found: TaggedColumn, path: tuple[Hop, ...] | None = None) -> Document:
    """A column that carries a tag; with its way, if that is given."""
    document = {
        "tag": found.tag,
        **column_document(found.column),
        "own": found.own,
        "distance": found.distance,
        "origin": column_document(found.origin),
        "said": [asdict(said) for said in found.said],
    }
    return document if path is None else {**document, "path": [hop_document(hop) for hop in path]}


def violation_document(found: Violation) -> Document:
    """A column that a tag has reached and must not."""
    about = {"message": found.message, "policy": found.forbidden.place, "reason": found.forbidden.reason}
    return {**about, **tagged_document(found.found, found.path)}


def unused_document(found: UnusedReport) -> Document:
    """What nobody reads."""
    columns = [
        {
            **column_document(each.column),
            "use": each.use,
            "copy_read": each.copy_read,
            "not_understood": each.not_understood,
        }
        for each in found.columns
    ]
    lost = [lost_document(each) for each in found.not_understood]
    return {"columns": columns, "tables": [table_document(table) for table in found.tables], "not_understood": lost}


def not_read_document(found: NotReadReport) -> Document:
    """What nothing that ran has read."""
    columns = [
        {
            **column_document(each.column),
            "last_read": each.last.isoformat() if each.last else None,
            "in_scripts": each.in_scripts,
            "not_understood": each.not_understood,
        }
        for each in found.columns
    ]
    period = {name: time.isoformat() if time else None for name, time in (("first", found.first), ("last", found.last))}
    lost = [lost_document(each) for each in found.not_understood]
    tables = [table_document(table) for table in found.tables]
    return {"period": period, "columns": columns, "tables": tables, "not_understood": lost}


def diff_document(found: Diff) -> Document:
    """What changed."""
    return {"breaking": found.breaking, "differences": [asdict(each) for each in found.differences]}
