"""Scripts to pieces: each script is cut where it is read.

In come scripts with their text (`read`), out come chunks of cut scripts without their secrets. Names are 64-bit ids from here on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.budget import Budget
from headwater.captured import CAPTURED
from headwater.model.diagnostic import Code, Diagnostic
from headwater.order.cut import CutScript
from headwater.pipeline.options import Options
from headwater.pipeline.read.catalog_scripts import KIND as FROM_CATALOG
from headwater.pipeline.read.catalog_scripts import remark_of
from headwater.pipeline.read.logs import LOGGED
from headwater.pipeline.read.projects import cut_project
from headwater.pipeline.split.captured_job import cut_job
from headwater.pipeline.split.chunk import CUT, NEVER, CutBuilder
from headwater.pipeline.split.whole_script import WholeScript
from headwater.pipeline.watchdog import Watchdog
from headwater.project.resolved import PROJECT
from headwater.runtime.arrow_ddl import ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PIECES_PER_CHUNK = 2_000
_CHARACTERS_PER_CHUNK = 2_000_000

_COLUMNS = ("script_id", "content_key", "kind", "dialect", "default_schema", "schema", "text", "problem")


def split(scripts: DataFrame, options: Options, made_in: int) -> DataFrame:
    """Scripts to chunks of cut scripts."""
    return scripts.select(*_COLUMNS).mapInArrow(_splitter(options, made_in), ddl(CUT))


def _splitter(options: Options, made_in: int) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    key, budget = options.key, options.budget

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        watchdog = Watchdog(budget.timeout)
        scripts = (script for batch in batches for script in batch.to_pylist())
        try:
            yield from _chunks(scripts, key, budget, watchdog, made_in)
        finally:
            watchdog.stop()

    return run


def _chunks(
    scripts: Iterator[dict[str, Any]], key: str, budget: Budget, watchdog: Watchdog, made_in: int
) -> Iterator[pa.RecordBatch]:
    building, pieces = CutBuilder(), 0
    for script in scripts:
        cut = cuts_of(script, watchdog, budget)
        _add(building, script, cut, key)
        pieces += 1 + len(cut.cuts)
        if pieces >= _PIECES_PER_CHUNK or building.size >= _CHARACTERS_PER_CHUNK:
            watchdog.pause()
            yield building.chunk(made_in)
            building, pieces = CutBuilder(), 0
    if pieces:
        watchdog.pause()
        yield building.chunk(made_in)


def cuts_of(script: dict[str, Any], watchdog: Watchdog, budget: Budget) -> CutScript:
    """A script's cuts: made here, or in a process of its own where its worker died or hung before."""
    if script["dialect"] == CAPTURED:
        return cut_job(script["text"], script["default_schema"]) if script["text"] else CutScript((), "", ())
    if script["dialect"] == PROJECT:
        return cut_project(script["text"])
    dialects = tuple(script["dialect"].split(","))
    whole = WholeScript(script["text"] or "", dialects, script["default_schema"] or "", budget)
    if watchdog.guarded:
        return whole.cut_elsewhere()
    watchdog.look(whole.patience)
    return whole.cut()


def _add(building: CutBuilder, script: dict[str, Any], made: CutScript, key: str) -> None:
    """Add a cut script; one that is not read as it is written, or that killed its process, is cut again in the next build."""
    identity = script["script_id"]
    crashed = any(diagnostic.code is Code.CRASHED for diagnostic, _ in made.remarks)
    again = crashed or any(cut.readable is not None for cut in made.cuts)
    known_by = made.identity or made.text
    building.script(identity, NEVER if again else script["content_key"], made.text, crashed, known_by)
    for ordinal, cut in enumerate(made.cuts):
        building.piece(identity, ordinal, cut, script["dialect"], script["schema"], key)
    for diagnostic, position in made.remarks:
        building.diagnostic(identity, diagnostic, position)
    if script["problem"]:
        building.diagnostic(identity, _problem(script), None)


def _problem(script: dict[str, Any]) -> Diagnostic:
    """What a problem of a script is: a text that a log has only a part of is read all the same."""
    said = script["problem"]
    if script["kind"] == FROM_CATALOG:
        return remark_of(said)
    is_part = script["kind"] == LOGGED and script["text"]
    return Diagnostic(Code.INCOMPLETE_STATEMENT if is_part else Code.UNREADABLE_FILE, said)
