"""A build: from what is read to a published snapshot.

    read → split → plan → extract, stage by stage → stitch → write

What tasks exchange goes through Spark (`exchange`); the driver holds ids only. What the build before has left is reused (`incremental`).
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from headwater import __version__
from headwater.catalog.pull import Pulled
from headwater.graph.arrays import write_arrays
from headwater.graph.coverage import coverage
from headwater.graph.files import open_arrays
from headwater.model.entity import EntityKind
from headwater.pipeline.exchange import Exchange
from headwater.pipeline.extract.rounds import Extraction
from headwater.pipeline.incremental.carry_over import CarryOver
from headwater.pipeline.incremental.changes import Present, changes
from headwater.pipeline.incremental.memo import CUTS, FORMAT, RECORDS, SCRIPTS, Memo, memo_files
from headwater.pipeline.options import Options
from headwater.pipeline.plan.units import contested, requirements, units_of
from headwater.pipeline.read.sources import Sources
from headwater.pipeline.script_cuts import ChangedMeanwhile, ScriptCuts
from headwater.pipeline.stitch.parts import KNOWN, UNIT_PLACES, Changed, Parts
from headwater.pipeline.stitch.star_columns import StarColumns, star_columns
from headwater.pipeline.stitch.tables import KEYS, stitch
from headwater.pipeline.stitch.tags import tags_table
from headwater.runtime.arrow_frames import to_arrow
from headwater.sql.dialect import dialect
from headwater.store import Snapshot, Store
from headwater.store.build_folder import BuildFolder, begin
from headwater.store.identity import column_id, entity_id
from headwater.store.manifest import SnapshotFile
from headwater.store.schema import STITCHED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TABLES_AT_ONCE = 4
"""Tables that are written at a time."""
_MAX_BYTES_IN_ONE_TASK = 8 * 2**20
"""Bytes of cuts and records that one task stitches before several would have begun: some 7,000 statements."""
_MAX_UNITS_IN_ONE_TASK = 5_000
"""Units in changed scripts that one task stitches before several would have begun."""
_UNITS_PER_FILE = 5_000
"""Units whose rows make a file of a table: few enough that a change rewrites little."""

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
    """Circles among what statements may name; a CTE may be called like a table, so `cyclic-definition` alone tells real ones."""
    written: int = 0
    explained: int = 0
    lost_statements: int = 0
    lost_scripts: int = 0
    headline: str = ""
    """How much of what is written is explained, in words (`headwater.graph.coverage`)."""
    seconds: dict[str, float] = field(default_factory=dict)

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

    def __init__(
        self, spark: SparkSession, parallelism: int, store: Store, options: Options, tell: Tell | None = None
    ) -> None:
        self._spark = spark
        self._parallelism = parallelism
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
        with begin(self._store) as folder:
            files = self._tables(folder, sources, trusting)
            snapshot = folder.snapshot(files)
            with self._step("tags"):
                files["tags"] = self._tags(folder, snapshot, sources)
            with self._step("arrays"):
                files["graph"] = self._arrays(folder, snapshot)
            return Built(folder.publish(files, self._record(snapshot)), self._summary)

    def _tables(self, folder: BuildFolder, sources: Sources, trusting: bool) -> dict[str, list[SnapshotFile]]:
        """Write the tables that Spark makes, and the memo. What the driver holds for that is gone afterwards."""
        exchange = Exchange(self._spark, folder, self._parallelism)
        memo = Memo.of(exchange)
        cuts = ScriptCuts(exchange, sources, self._options, memo)
        with self._step("read"):
            cuts.read(trusting)
        with self._step("split"):
            cuts.cut()
        now, stars = self._extracted(exchange, cuts, memo)
        with self._step("stitch"):
            parts = self._parts(exchange, cuts, now, stars, memo)
        with self._step("write"):
            files = self._written(parts, memo, len(now.units.ids))
        with self._step("memo"):
            return files | self._memo(exchange, cuts, now, memo)

    def _extracted(self, exchange: Exchange, cuts: ScriptCuts, memo: Memo | None) -> tuple[Present, StarColumns]:
        """Analyse the units of all scripts, as far as these have changed."""
        with self._step("order"):
            pieces = cuts.pieces()
            names = contested(pieces.texts)
            units = units_of(pieces, names)
            needs = requirements(pieces, units)
            self._summary.distinct = len(units.ids)
        with self._step("extract"):
            extraction = Extraction(
                exchange, self._options, cuts.texts, pieces, units, lambda done: self._tell("extract", done)
            )
            extracted = extraction.run(*needs, memo.extracted if memo else None)
            stars = star_columns(extracted, pieces, units, *extraction.needs)
            self._summary.reused, self._summary.circles = extraction.reused, extraction.cycles
        now = Present(cuts.scripts, pieces, units, names, cuts.new, extracted, extraction.fresh, stars.asked)
        return now, stars

    def _parts(
        self, exchange: Exchange, cuts: ScriptCuts, now: Present, stars: StarColumns, memo: Memo | None
    ) -> Parts:
        """What is to be stitched, by one task or by many."""
        changed = changes(exchange, memo, now) if memo is not None else None
        size = sum(file.size for file in (*cuts.files(), *self._record_files(exchange, memo)))
        few = changed is not None and len(changed.units) <= _MAX_UNITS_IN_ONE_TASK
        if few or size <= _MAX_BYTES_IN_ONE_TASK:
            exchange = exchange.for_little()
        places = pa.table([now.units.ids, now.units.first], schema=UNIT_PLACES)
        return Parts(
            exchange,
            cuts.described(exchange, changed.described if changed is not None else None),
            cuts.chunks(changed.scripts if changed is not None else None),
            now.contested,
            now.extracted,
            stars.records,
            places,
            self._known(),
            changed,
        )

    def _record_files(self, exchange: Exchange, memo: Memo | None) -> list[SnapshotFile]:
        """The files of all records: those of the build before, and those of this one."""
        return [*(memo.snapshot.files(RECORDS) if memo is not None else ()), *exchange.build.listed(RECORDS)]

    def _written(self, parts: Parts, memo: Memo | None, units: int) -> dict[str, list[SnapshotFile]]:
        """Write the store's tables; of those of the build before, what is unchanged is carried over."""
        exchange = parts.exchange
        tables = stitch(parts, lambda frame, name: _saved(exchange, frame, f"stitch/{name}"))
        count = max(self._parallelism, units // _UNITS_PER_FILE)

        def write(name: str) -> list[SnapshotFile]:
            changed = _changed_ids(parts.changed, name)
            carried: Sequence[SnapshotFile] = ()
            if memo is not None and changed is not None:
                carried = CarryOver(exchange, memo.snapshot, name, STITCHED[name].schema, KEYS[name]).but(changed)
                if not len(changed):
                    return list(carried)
            frame = tables[name]()
            if exchange.little:
                return [*carried, *exchange.add(exchange.collect(frame, STITCHED[name].schema), name)]
            frame = frame.repartition(count, KEYS[name]) if count > self._parallelism else frame.coalesce(count)
            frame.write.option("compression", "zstd").parquet(exchange.build.uri(name))
            return [*carried, *exchange.build.listed(name)]

        found: dict[str, list[SnapshotFile]] = {}
        with ThreadPoolExecutor(_TABLES_AT_ONCE) as pool:
            for number, (name, files) in enumerate(zip(tables, pool.map(write, tables), strict=True), 1):
                found[name] = list(dict.fromkeys(files))
                self._tell("write", number / len(tables))
        return found

    def _memo(
        self, exchange: Exchange, cuts: ScriptCuts, now: Present, memo: Memo | None
    ) -> dict[str, list[SnapshotFile]]:
        """What is kept for the next build."""
        superseded = {CUTS: cuts.chunks().superseded, RECORDS: now.extracted.records.superseded}
        files = memo_files(exchange, cuts.stamps, now.extracted, now.asked, now.contested, superseded)
        files[SCRIPTS] = cuts.memo_files()
        files[CUTS] = cuts.files()
        files[RECORDS] = self._record_files(exchange, memo)
        return files

    def _known(self) -> pa.Table:
        """The catalog's tables."""
        spoken = dialect(self._options.dialect.partition(",")[0])
        rows: dict[int, dict[str, Any]] = {}
        for name, columns in self._options.catalog.spelled_tables(spoken):
            identity = entity_id(EntityKind.TABLE, name)
            ids = [column_id(identity, column) for column in columns]
            row = {"entity_id": identity, "parts": list(name), "column_ids": ids}
            rows.setdefault(identity, {**row, "columns": list(columns), "types": list(columns.values())})
        return pa.Table.from_pylist(list(rows.values()), schema=KNOWN)

    def _tags(self, folder: BuildFolder, snapshot: Snapshot, sources: Sources) -> list[SnapshotFile]:
        """Write the tags; where the snapshot before has the same, its file is listed."""
        catalogs = (self._options.catalog, *self._options.own.values())
        spoken = dialect(self._options.dialect.partition(",")[0])
        table = tags_table(snapshot, sources.projects, catalogs, spoken)
        before = folder.previous
        same = before is not None and before.files("tags") and before.table("tags").equals(table)
        return list(before.files("tags")) if before is not None and same else [folder.write("tags", table)]

    def _arrays(self, folder: BuildFolder, snapshot: Snapshot) -> list[SnapshotFile]:
        """Write the graph's arrays; and count with them how much is explained."""
        made = folder.scratch / "graph"
        made.mkdir()
        write_arrays(snapshot, made)
        found, summary = coverage(open_arrays(made), snapshot), self._summary
        summary.written, summary.explained, summary.headline = found.written, found.explained, found.headline
        summary.lost_statements, summary.lost_scripts = found.losses.lost_statements, found.losses.lost_scripts
        return [folder.add(path, f"graph/{path.name}") for path in sorted(made.iterdir())]

    def _record(self, snapshot: Snapshot) -> dict[str, Any]:
        """Count what was written; gives the run's record."""
        for name in ("scripts", "entities", "columns", "relations"):
            setattr(self._summary, name, snapshot.dataset(name).count_rows())
        counts = snapshot.dataset("statements").to_batches(columns=["seen"])
        self._summary.statements = sum(pc.sum(batch.column(0)).as_py() or 0 for batch in counts)
        codes = snapshot.table("diagnostics", ["code"]).column("code").value_counts().to_pylist()
        self._summary.failed = dict(sorted((each["values"], each["counts"]) for each in codes))
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        record = {"version": __version__, "time": now, "host": platform.node(), "memo": FORMAT}
        return record | self._summary.as_dict()

    def _step(self, name: str) -> _Step:
        return _Step(name, self._tell, self._summary.seconds)


def _saved(exchange: Exchange, frame: DataFrame, name: str) -> DataFrame:
    """A frame that several tables are made of, worked out once."""
    if exchange.little:
        return exchange.send(to_arrow(frame))
    uri = exchange.build.work_uri(name)
    frame.write.parquet(uri)
    return exchange.spark.read.schema(frame.schema).parquet(uri)


def _changed_ids(changed: Changed | None, table: str) -> Any:
    """The ids of the rows of a table that are stitched anew; None if all are."""
    if changed is None:
        return None
    if table == "relations":
        return changed.related
    return {"script_id": changed.scripts, "process_id": changed.processes, "entity_id": changed.entities}[KEYS[table]]


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
