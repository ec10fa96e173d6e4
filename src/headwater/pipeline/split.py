"""Scripts to pieces: each script is cut where it lies, and each cut becomes a row.

In come scripts with their text (`read`), out come the scripts without their secrets, each with its pieces. Names are 64-bit ids from here
on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.budget import Budget
from headwater.captured import CAPTURED
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Position, Span
from headwater.pipeline.batches import batches_of
from headwater.pipeline.cut import CutScript
from headwater.pipeline.cut_job import cut_job
from headwater.pipeline.definition import table_id
from headwater.pipeline.described import KIND as FROM_CATALOG
from headwater.pipeline.options import Options
from headwater.pipeline.read_project import cut_project
from headwater.pipeline.watch import Watch
from headwater.pipeline.whole_script import WholeScript
from headwater.project.resolved import PROJECT
from headwater.runtime.arrow_ddl import ddl
from headwater.store.identity import identify

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PIECE = {
    "ordinal": pa.int32(),
    "start": pa.int32(),
    "end": pa.int32(),
    "line": pa.int32(),
    "column": pa.int32(),
    "raw": pa.string(),
    "readable": pa.string(),
    "default_schema": pa.list_(pa.string()),
    "text_key": pa.int64(),
    "query_hash": pa.string(),
    "exact": pa.int64(),
    "scoped": pa.bool_(),
    "mentions": pa.list_(pa.int64()),
    "defines": pa.list_(pa.int64()),
    "temporary": pa.bool_(),
}
_REMARK = {
    "code": pa.string(),
    "severity": pa.string(),
    "message": pa.string(),
    "subject": pa.string(),
    "hint": pa.string(),
    "start": pa.int32(),
    "end": pa.int32(),
    "line": pa.int32(),
    "column": pa.int32(),
}
CUT = pa.schema(
    [
        ("script_id", pa.int64()),
        ("content_key", pa.int64()),
        ("dialect", pa.string()),
        ("schema", pa.string()),
        ("redacted", pa.string()),
        ("digest", pa.string()),
        ("pieces", pa.list_(pa.struct(list(PIECE.items())))),
        ("remarks", pa.list_(pa.struct(list(_REMARK.items())))),
    ]
)


_TOGETHER = 200
"""Pieces that travel together, or those of one script."""


def split(scripts: DataFrame, options: Options) -> DataFrame:
    """Scripts to cut scripts, one row each."""
    columns = ["script_id", "content_key", "kind", "dialect", "default_schema", "schema", "text", "problem"]
    return scripts.select(*columns).mapInArrow(_splitter(options), ddl(CUT))


def _splitter(options: Options) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    key, budget = options.key, options.budget

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        watch = Watch(budget.timeout)
        scripts = (script for batch in batches for script in batch.to_pylist())
        rows = (_row(script, key, cuts_of(script, watch, budget)) for script in scripts)
        try:
            yield from batches_of(((row, len(row["pieces"])) for row in rows), CUT, _TOGETHER)
        finally:
            watch.stop()

    return run


def cuts_of(script: dict[str, Any], watch: Watch, budget: Budget) -> CutScript:
    """A script's cuts: made here, or in a process of its own where its worker died or hung before."""
    if script["dialect"] == CAPTURED:
        return cut_job(script["text"], script["default_schema"]) if script["text"] else CutScript((), "", ())
    if script["dialect"] == PROJECT:
        return cut_project(script["text"])
    dialects = tuple(script["dialect"].split(","))
    whole = WholeScript(script["text"] or "", dialects, script["default_schema"] or "", budget)
    if watch.guarded:
        return whole.cut_elsewhere()
    watch.look(whole.patience)
    return whole.cut()


def _row(script: dict[str, Any], key: str, made: CutScript) -> dict[str, Any]:
    remarks = list(made.remarks)
    if script["problem"]:
        code = Code.CATALOG_UNAVAILABLE if script["kind"] == FROM_CATALOG else Code.UNREADABLE_FILE
        remarks.append((Diagnostic(code, script["problem"]), None))
    return {
        "script_id": script["script_id"],
        "content_key": script["content_key"],
        "dialect": script["dialect"],
        "schema": script["schema"],
        "redacted": made.text,
        "digest": f"{identify(made.text) & 0xFFFF_FFFF_FFFF_FFFF:016x}",
        "pieces": [_piece(n, each, f"{script['dialect']} {script['schema']}", key) for n, each in enumerate(made.cuts)],
        "remarks": [_remark(d, p) for d, p in remarks],
    }


def _piece(ordinal: int, made: Any, settings: str, key: str) -> dict[str, Any]:
    default = ".".join(made.default_schema or ()) if made.mentions.unqualified else ""
    return {
        "ordinal": ordinal,
        "start": made.span.start,
        "end": made.span.end,
        "line": made.position.line,
        "column": made.position.column,
        "raw": made.raw,
        "readable": made.readable,
        "default_schema": made.default_schema,
        "text_key": identify("text", made.fingerprint, made.readable or "", settings, default, key),
        "query_hash": made.query_hash,
        "exact": int(made.query_hash[:16], 16) - 2**63,
        "scoped": made.scoped,
        "mentions": [table_id(name) for name in made.mentions.named],
        "defines": [table_id(name) for name in made.mentions.defined],
        "temporary": bool(made.mentions.temporary) and set(made.mentions.defined) <= set(made.mentions.temporary),
    }


def _remark(diagnostic: Diagnostic, position: Position | None) -> dict[str, Any]:
    span = diagnostic.span or Span(0, 0)
    line, column = position or (1, 1)
    return {
        "code": diagnostic.code.value,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "subject": diagnostic.subject,
        "hint": diagnostic.hint,
        "start": span.start,
        "end": span.end,
        "line": line,
        "column": column,
    }
