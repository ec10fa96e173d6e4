"""What could not be understood, or only guessed: by code, and by what it is said of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.records import Place
from headwater.report.subject import Subject

_PLACES = 3
_ORDER = {"error": 0, "warning": 1, "info": 2}


@dataclass(frozen=True, slots=True)
class Cause:
    """A name that diagnostics of one code are about; without one, a message that they have in common."""

    subject: str
    message: str
    count: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """The diagnostics of one code."""

    code: str
    severity: str
    count: int
    statements: int
    scripts: int
    causes: tuple[Cause, ...]
    """The most frequent first."""
    causes_in_all: int


@dataclass(frozen=True, slots=True)
class Problems:
    """All diagnostics."""

    codes: tuple[Problem, ...]
    """Errors first, then by how many there are."""


def problems(subject: Subject, processes: pa.Array | None, top: int) -> Problems:
    """Count the diagnostics of a snapshot; of the given processes only, if some are given."""
    fields = ["script_id", "statement_id", "process_id", "code", "severity", "subject", "message", "line", "column"]
    said = subject.snapshot.table("diagnostics", fields)
    if processes is not None:
        said = said.filter(pc.is_in(said.column("process_id"), value_set=processes))
    said = said.set_column(said.schema.get_field_index("subject"), "subject", pc.fill_null(said.column("subject"), ""))
    codes = said.group_by(["code", "severity"]).aggregate([([], "count_all"), ("script_id", "count_distinct")])
    found = [_problem(subject, said, row, top) for row in codes.to_pylist()]
    return Problems(tuple(sorted(found, key=lambda each: (_ORDER.get(each.severity, 3), -each.count, each.code))))


def _problem(subject: Subject, said: pa.Table, row: dict[str, Any], top: int) -> Problem:
    same = said.filter(
        pc.and_(pc.equal(said.column("code"), row["code"]), pc.equal(said.column("severity"), row["severity"]))
    )
    named = pc.not_equal(same.column("subject"), "")
    cause = pc.if_else(named, same.column("subject"), same.column("message"))
    same = same.append_column("named", named).append_column("cause", cause)
    causes = same.group_by(["named", "cause"]).aggregate([([], "count_all"), ("message", "min")])
    keys = [("count_all", "descending"), ("cause", "ascending"), ("named", "ascending")]
    first = causes.take(pc.sort_indices(causes, sort_keys=keys)[:top]).to_pylist()
    return Problem(
        code=row["code"],
        severity=row["severity"],
        count=row["count_all"],
        statements=len(pc.unique(same.filter(pc.not_equal(same.column("statement_id"), 0)).column("statement_id"))),
        scripts=row["script_id_count_distinct"],
        causes=tuple(_cause(subject, same, each) for each in first),
        causes_in_all=causes.num_rows,
    )


def _cause(subject: Subject, same: pa.Table, row: dict[str, Any]) -> Cause:
    fitting = pc.and_(pc.equal(same.column("cause"), row["cause"]), pc.equal(same.column("named"), row["named"]))
    name = row["cause"] if row["named"] else ""
    return Cause(name, row["message_min"] or "", row["count_all"], _places(subject, same.filter(fitting)))


def _places(subject: Subject, said: pa.Table) -> tuple[Place, ...]:
    """The first few places, by path and line."""
    scripts = subject.snapshot.table("scripts", ["script_id", "path"])
    at = pc.index_in(said.column("script_id"), value_set=scripts.column("script_id").combine_chunks())
    where = pa.table({"path": scripts.column("path").take(at), "line": said["line"], "column": said["column"]})
    where = where.group_by(["path", "line"]).aggregate([("column", "min")])
    keys = [("path", "ascending"), ("line", "ascending")]
    rows = where.take(pc.sort_indices(where, sort_keys=keys)[:_PLACES]).to_pylist()
    return tuple(
        Place(row["path"], row["line"] or 1, row["column_min"] or 1) for row in rows if row["path"] is not None
    )
