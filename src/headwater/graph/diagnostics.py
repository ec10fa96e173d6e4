"""What a snapshot says could not be understood, or only guessed: filtered and counted as tables, and only what is shown becomes records."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from headwater.graph.records import Place
from headwater.graph.scripts import Scripts
from headwater.graph.search import matching
from headwater.store import Snapshot

_ORDER = ["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which diagnostics are asked for; what is empty does not choose."""

    codes: Collection[str] = ()
    severities: Collection[str] = ()
    script: int | None = None
    like: str | None = None
    """A part of the message, of the name it is about, or of the script's path; or a pattern."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A diagnostic."""

    code: str
    severity: str
    message: str
    subject: str
    hint: str
    place: Place | None
    statement: int
    is_of_file: bool = False
    """Whether it is about the script as a whole: its place says no more than the path."""


@dataclass(frozen=True, slots=True)
class Remarks:
    """Some diagnostics, errors first, then by script and place; and how many there are under the same filters."""

    total: int
    codes: dict[str, int]
    severities: dict[str, int]
    items: tuple[Remark, ...]


def diagnostics(snapshot: Snapshot, scripts: Scripts, wanted: Wanted, limit: int, offset: int) -> Remarks:
    """The diagnostics that are asked for."""
    table = snapshot.dataset("diagnostics").to_table(filter=_condition(wanted))
    if wanted.like is not None:
        table = table.filter(pa.array(_like(table, scripts, wanted.like)))
    severity = pc.fill_null(pc.index_in(table.column("severity"), value_set=pa.array(_ORDER)), len(_ORDER))
    keys = [("rank", "ascending"), *((name, "ascending") for name in ("script_id", "start", "code", "message"))]
    order = pc.sort_indices(table.append_column("rank", severity), sort_keys=keys)
    shown = table.take(order[offset : offset + limit]).to_pylist()
    return Remarks(
        total=table.num_rows,
        codes=_counts(table, "code"),
        severities=_counts(table, "severity"),
        items=tuple(_remark(row, scripts) for row in shown),
    )


def _condition(wanted: Wanted) -> ds.Expression | None:
    conditions = [
        ds.field(name).isin(sorted(values))
        for name, values in (("code", wanted.codes), ("severity", wanted.severities))
        if values
    ]
    if wanted.script is not None:
        conditions.append(ds.field("script_id") == wanted.script)
    found = None
    for each in conditions:
        found = each if found is None else found & each
    return found


def _like(table: pa.Table, scripts: Scripts, like: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    ids = table.column("script_id").combine_chunks().dictionary_encode()
    paths = pa.array([scripts.path(id) or "" for id in ids.dictionary.to_pylist()], pa.string())
    found = matching(paths, like)[ids.indices.to_numpy()] if len(paths) else np.zeros(table.num_rows, dtype=bool)
    for name in ("message", "subject"):
        found = found | matching(pc.fill_null(table.column(name), "").combine_chunks(), like)
    return found


def _counts(table: pa.Table, name: str) -> dict[str, int]:
    """How many rows have each value, the most frequent first."""
    counts = pc.value_counts(table.column(name)).to_pylist()
    found = {each["values"] or "": each["counts"] for each in counts}
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))


def _remark(row: dict[str, object], scripts: Scripts) -> Remark:
    script = int(str(row["script_id"] or 0))
    path = scripts.path(script)
    place = None
    if path is not None:
        place = Place(path, int(str(row["line"] or 1)), int(str(row["column"] or 1)), script)
    code, severity, message, subject, hint = (
        str(row[name] or "") for name in ("code", "severity", "message", "subject", "hint")
    )
    statement = int(str(row["statement_id"] or 0))
    is_of_file = not (statement or row["start"] or row["end"]) and (
        place is None or (place.line, place.column) == (1, 1)
    )
    return Remark(code, severity, message, subject, hint, place, statement, is_of_file)
