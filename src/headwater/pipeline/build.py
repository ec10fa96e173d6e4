"""A build: from what is read to a published snapshot.

    read → split → units, order → extract, stage by stage → stitch → write

Between the steps everything is Parquet in the store's work folder, so that nothing is worked out twice and the driver holds ids only.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater import __version__
from headwater.catalog.pull import Pulled
from headwater.graph.arrays import write_arrays
from headwater.model.entity import EntityKind
from headwater.pipeline.behind_stars import write_behind_stars
from headwater.pipeline.chosen import chosen
from headwater.pipeline.coverage import coverage
from headwater.pipeline.cuts import Cuts, keep_cuts, standing_scripts
from headwater.pipeline.extraction import Extraction
from headwater.pipeline.one_task import OneTask, is_little
from headwater.pipeline.options import Options
from headwater.pipeline.part_files import ELSEWHERE, KNOWN, PartFiles, Read
from headwater.pipeline.piece_texts import PieceTexts
from headwater.pipeline.renewal import ASKED, BEHIND_STARS, CUTS, KEYS, PLACES, STAMPED, Renewal, cuts_of
from headwater.pipeline.round import Extracted
from headwater.pipeline.script_keys import READ, keyed, read_scripts, write_keys
from headwater.pipeline.script_texts import ChangedMeanwhile, ScriptTexts
from headwater.pipeline.sources import STAMPS, Sources
from headwater.pipeline.split import CUT, split
from headwater.pipeline.standing_files import write_rows
from headwater.pipeline.standing_sources import StandingSources
from headwater.pipeline.state import State
from headwater.pipeline.stitch import stitch
from headwater.pipeline.tags import write_tags
from headwater.pipeline.touched import Remembered
from headwater.pipeline.units import read_pieces, requirements, units_of, write_places
from headwater.runtime.arrow_ddl import ddl
from headwater.sql.dialect import dialect
from headwater.store import Snapshot, Store
from headwater.store.identity import column_id, entity_id
from headwater.store.schema import STITCHED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

_AT_ONCE = 4
"""Tables that are written at a time."""

_LITTLE = 2**16
"""Bytes of scripts, packed, that one task cuts before others would be at it."""

Tell = Callable[[str, float], None]
"""Hears which step is under way, and how much of it is done."""


@dataclass(slots=True)
class Summary:
    """What a build did."""

    scripts: int = 0
    statements: int = 0
    distinct: int = 0
    reused: int = 0
    entities: int = 0
    columns: int = 0
    relations: int = 0
    failed: dict[str, int] = field(default_factory=dict)
    circles: int = 0
    written: int = 0
    """Columns of tables and views that a statement of the corpus defines or writes."""
    unsourced: int = 0
    """Those of them that no column flows into: constants, and what could not be traced."""
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def sourced(self) -> float:
        """The share of written columns that have a source."""
        return 1 - self.unsourced / self.written if self.written else 1.0

    def as_dict(self) -> dict[str, Any]:
        """As it is kept in the run's record."""
        return {name: getattr(self, name) for name in Summary.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Built:
    """A published snapshot, and what the build did."""

    snapshot: Snapshot
    summary: Summary
    pulled: Pulled | None = None
    """What a live catalog said."""


class Build:
    """One build into one store."""

    def __init__(self, spark: SparkSession, store: Store, options: Options, tell: Tell | None = None) -> None:
        self._spark = spark
        self._store = store
        self._options = options
        self._tell = tell or (lambda step, done: None)
        self._summary = Summary()

    def run(self, sources: Sources) -> Built:
        """Build a snapshot of what is in *sources* and make it the current one."""
        self._store.create()
        self._store.sweep()
        try:
            return self._run(sources, trusting=True)
        except ChangedMeanwhile:
            self._summary = Summary()
            return self._run(sources, trusting=False)

    def _run(self, sources: Sources, trusting: bool) -> Built:
        """A build; one that is *trusting* does not read a file whose stamp is the same as in the build before."""
        with self._store.build() as work:
            self._previous = self._store.pin(work / "previous")
            parts = self._parts(sources, trusting, work)
            target = work / "snapshot"
            target.mkdir()
            self._tables(parts, work, target)
            with self._step("keep"):
                os.rename(self._extracted.records, target / "records")
                for name in (CUTS, KEYS, PLACES, STAMPED, BEHIND_STARS, ASKED):
                    os.rename(work / name, target / name)
                self._extracted.state.write(target / "state.parquet")
                self._write_tags(target, sources)
            self._finish(target)
            return Built(self._store.publish(target), self._summary)

    def _tables(self, parts: PartFiles, work: Path, target: Path) -> None:
        """Write the store's tables; what the build before this one has of them is used again."""
        idle: set[str] = set()
        with self._step("stitch"):
            renewal = self._renewal(parts, work)
            if renewal is not None:
                parts, idle = renewal.narrowed(parts, work / "touched")
            read = OneTask(self._spark).read if is_little(parts.size) else self._read
        anew = target if renewal is None else work / "anew"
        with self._step("write"):
            self._write(self._stitched(parts, read, idle, work), anew)
            if renewal is not None:
                renewal.put_together(anew, target)

    def _renewal(self, parts: PartFiles, work: Path) -> Renewal | None:
        """What is touched since the build before this one; None if everything is to be stitched anew."""
        if self._previous is None:
            return None
        return Renewal.of(
            self._previous, Remembered(work / KEYS, parts.places, parts.records, work / ASKED), self._fresh
        )

    def _stitched(self, parts: PartFiles, read: Read, idle: set[str], work: Path) -> dict[str, Callable[[], DataFrame]]:
        """The tables to write, but for what is known to be empty."""

        def keep(frame: DataFrame, name: str) -> DataFrame:
            if name in idle:
                return frame.where("false")
            frame.write.parquet(str(work / "stitch" / name))
            return read(work / "stitch" / name, frame.schema)

        tables = stitch(parts.parts(read), keep) if STITCHED.keys() - idle else {}
        return {name: table for name, table in tables.items() if name not in idle}

    def _parts(self, sources: Sources, trusting: bool, work: Path) -> PartFiles:
        with self._step("read"):
            texts = self._texts(sources, trusting, work)
            scripts = pa.concat_tables([texts.unread.scripts, read_scripts(work / "read")])
        with self._step("split"):
            cuts = self._cut(scripts, texts.read, work)
        with self._step("order"):
            pieces = read_pieces(scripts, cuts.folder)
            units = units_of(pieces)
            needs = requirements(pieces, units)
            self._summary.distinct = len(units.ids)
            write_places(pieces, units, work / PLACES)
        with self._step("extract"):
            found = PieceTexts(texts, cuts)
            extraction = Extraction(self._spark, self._options, found, pieces, units, work, self._told("extract"))
            self._extracted = extraction.run(*needs, self._before())
            self._fresh = extraction.fresh
            write_behind_stars(self._extracted, units, *extraction.needs, work)
            self._summary.reused, self._summary.circles = extraction.reused, extraction.circles
        write_rows([self._known()], KNOWN, work / "known.parquet")
        write_rows([], ELSEWHERE, work / "elsewhere.parquet")
        files = (KEYS, CUTS, PLACES, self._extracted.records, BEHIND_STARS, "known.parquet", "elsewhere.parquet")
        return PartFiles(*(work / name for name in files))

    def _texts(self, sources: Sources, trusting: bool, work: Path) -> ScriptTexts:
        """Read what may have changed since the build before this one."""
        stamps = sources.stamps(self._options.key)
        write_rows([stamps], STAMPS, work / STAMPED)
        unread = StandingSources.none()
        if trusting and self._previous is not None:
            unread = StandingSources.of(self._previous.path, stamps)
        found = sources.but(set(unread.ids.tolist())).scripts(self._spark)
        folder = work / "read"
        if found is not None:
            keyed(found, self._options).write.parquet(str(folder))
        else:
            folder.mkdir()
            write_rows([], READ, folder / "0.parquet")
        return ScriptTexts(self._read(folder, ddl(READ)), sources, unread, self._options, work)

    def _cut(self, scripts: pa.Table, read: DataFrame, work: Path) -> Cuts:
        """Cut the scripts that the build before this one has not cut."""
        before = cuts_of(self._previous) if self._previous else None
        standing = standing_scripts(scripts, before)
        cuts = Cuts(work / CUTS, work / "split", standing)
        new = np.setdiff1d(scripts.column("script_id").to_numpy(), standing)
        if len(new):
            rows = chosen(read, "script_id", new) if len(standing) else read
            split(self._spread(rows, work / "read"), self._options).write.parquet(str(cuts.made))
        else:
            cuts.made.mkdir()
            write_rows([], CUT, cuts.made / "0.parquet")
        write_keys(scripts, keep_cuts(cuts, before, work / "kept"), work / KEYS)
        return cuts

    def _before(self) -> Extracted | None:
        """What the build before this one has extracted."""
        if self._previous is None:
            return None
        folder = self._previous.path
        state = State.read(folder / "state.parquet")
        return Extracted(folder / "records", state) if state is not None else None

    def _told(self, step: str) -> Callable[[float], None]:
        return lambda done: self._tell(step, done)

    def _spread(self, scripts: DataFrame, folder: Path) -> DataFrame:
        """Scripts out of a folder over all cores, however few the files they were read from, unless there is next to nothing."""
        size = sum(path.stat().st_size for path in folder.glob("*.parquet"))
        return scripts.repartition(self._cores * 4) if size > _LITTLE else scripts.coalesce(1)

    @property
    def _cores(self) -> int:
        return max(self._spark.sparkContext.defaultParallelism, 1)

    def _known(self) -> pa.Table:
        """The catalog's tables."""
        spoken = dialect(self._options.dialect.partition(",")[0])
        rows: dict[int, dict[str, Any]] = {}
        for name, columns in self._options.catalog.tables(spoken.spelled_table, spoken.spelled_column):
            identity = entity_id(EntityKind.TABLE, name)
            ids = [column_id(identity, column) for column in columns]
            row = {"entity_id": identity, "parts": list(name), "column_ids": ids}
            rows.setdefault(identity, {**row, "columns": list(columns), "types": list(columns.values())})
        return pa.Table.from_pylist(list(rows.values()), schema=KNOWN)

    def _write(self, tables: dict[str, Callable[[], DataFrame]], folder: Path) -> None:
        """Write tables, several at a time: most are small, and each has stages that leave cores idle."""

        def write(name: str) -> None:
            frame = tables[name]().coalesce(self._cores)
            frame.write.option("compression", "zstd").parquet(str(folder / name))

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for number, _ in enumerate(pool.map(write, tables), 1):
                self._tell("write", number / len(tables))

    def _write_tags(self, target: Path, sources: Sources) -> None:
        catalogs = (self._options.catalog, *self._options.own.values())
        spoken = dialect(self._options.dialect.partition(",")[0])
        write_tags(Snapshot(target), self._previous, sources.projects, catalogs, spoken)

    def _finish(self, target: Path) -> None:
        """Count what was written, and write the run's record and the graph's arrays."""
        snapshot = Snapshot(target)
        for marker in [*target.glob("*/_SUCCESS"), *target.glob("*/.*.crc")]:
            marker.unlink()
        for name in ("scripts", "entities", "columns", "relations"):
            setattr(self._summary, name, snapshot.dataset(name).count_rows())
        self._summary.statements = pc.sum(snapshot.table("statements", ["seen"]).column(0)).as_py() or 0
        codes = snapshot.table("diagnostics", ["code"]).column("code").value_counts().to_pylist()
        self._summary.failed = dict(sorted((each["values"], each["counts"]) for each in codes))
        self._summary.written, self._summary.unsourced = coverage(snapshot)
        with self._step("arrays"):
            write_arrays(snapshot)
        record = {"version": __version__, "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        (target / "run.json").write_text(json.dumps(record | self._summary.as_dict(), indent=2) + "\n")

    def _read(self, path: Path, schema: str | StructType) -> DataFrame:
        return self._spark.read.schema(schema).parquet(str(path))

    def _step(self, name: str) -> _Step:
        return _Step(name, self._tell, self._summary.seconds)


class _Step:
    """A step under way: told when it begins, timed when it ends."""

    def __init__(self, name: str, tell: Tell, seconds: dict[str, float]) -> None:
        self._name, self._tell, self._seconds = name, tell, seconds

    def __enter__(self) -> None:
        self._start = time.perf_counter()
        self._tell(self._name, 0.0)

    def __exit__(self, *_: object) -> None:
        self._seconds[self._name] = round(time.perf_counter() - self._start, 3)
        self._tell(self._name, 1.0)
