"""How the driver and the tasks exchange data: through Spark, never through files that a worker opens by path.

    save      a frame as Parquet, in the build's work place or among the data that the store keeps; read back by Spark or the driver
    send      a table of the driver's to Spark
    collect   a frame's rows to the driver

Where the files are on the driver's own disk, the driver reads them itself: that is quicker than a Spark job.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from headwater.pipeline.ids import Ids, Only
from headwater.runtime.arrow_ddl import ddl
from headwater.runtime.arrow_frames import from_arrow, to_arrow
from headwater.runtime.build_session import sibling
from headwater.runtime.versions import is_connect
from headwater.store import Snapshot
from headwater.store.build_folder import BuildFolder
from headwater.store.identity import identify
from headwater.store.manifest import SnapshotFile

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_DISK = "file://"
_MAX_LISTED_IDS = 200
"""Ids that are compared one by one where rows are read; more of them are joined."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Parquet files of one schema: what this build has saved, or what an earlier one has kept."""

    exchange: Exchange
    uris: tuple[str, ...]
    """Files, or folders of files, as Spark names them."""
    schema: pa.Schema

    def also(self, *others: Saved) -> Saved:
        """These files, and others of the same schema."""
        return replace(self, uris=(*self.uris, *(uri for other in others for uri in other.uris)))

    def frame(self, *columns: str) -> DataFrame:
        """The rows, for Spark."""
        if not self.uris:
            return self.exchange.send(self.schema.empty_table()).select(*(columns or self.schema.names))
        found = self.exchange.spark.read.schema(ddl(self.schema)).parquet(*self.uris)
        return found.select(*columns) if columns else found

    def table(self, columns: Sequence[str] | None = None, only: Only | None = None) -> pa.Table:
        """The rows, or some of them, for the driver; of a column of texts that repeat themselves, ask for little else."""
        wanted = pa.schema([self.schema.field(name) for name in columns or self.schema.names])
        paths = self.exchange.local_files(self.uris)
        if paths is None:
            frame = self.frame()
            frame = frame if only is None else self.exchange.with_ids(frame, only.column, only.ids)
            return to_arrow(frame.select(*wanted.names)).cast(wanted)
        meant = None if only is None else ds.field(only.column).isin(pa.array(only.ids, pa.int64()))
        return ds.dataset(paths, schema=self.schema, format="parquet").to_table(columns=wanted.names, filter=meant)

    def by_file(self, *columns: str) -> Iterator[tuple[int, pa.Table]]:
        """The rows of each file, for the driver, with the file's id."""
        paths = self.exchange.local_files(self.uris)
        if paths is not None:
            for path in paths:
                yield file_id(path), pq.read_table(path, columns=list(columns), partitioning=None)
        elif self.uris:
            found = to_arrow(self.frame().select(*columns, "_metadata.file_path"))
            files = found.column("file_path")
            for file in pc.unique(files).to_pylist():
                yield file_id(file), found.filter(pc.equal(files, file)).select(list(columns))

    def in_files(self, files: Ids) -> Saved:
        """The rows in some files; those of a folder are not told apart."""
        known = set(files.tolist())
        uris = tuple(uri for uri in self.uris if not uri.endswith(_FILE) or file_id(uri) in known)
        return replace(self, uris=uris)


_FILE = ".parquet"


def file_id(place: str) -> int:
    """The id of a file: that of its name, which no other file has."""
    return identify("file", place.rpartition("/")[2])


class Exchange:
    """The way between the driver and the tasks of one build."""

    def __init__(self, spark: SparkSession, build: BuildFolder, parallelism: int, little: bool = False) -> None:
        self.spark = spark
        self.build = build
        self.parallelism = parallelism
        """How many tasks run at a time."""
        self.little = little
        """Whether queries read so little that the driver picks their rows, one task does the rest, and the driver writes the result."""

    def for_little(self) -> Exchange:
        """An exchange for queries that read little: several tasks, and exchanges between them, would cost more than the work itself."""
        return Exchange(_one_task_session(self.spark), self.build, self.parallelism, little=True)

    def save(self, frame: DataFrame, name: str, schema: pa.Schema) -> Saved:
        """Write a frame to the work place: it is gone when the build ends."""
        return self._write(frame, self.build.work_uri(name), schema)

    def keep(self, frame: DataFrame, name: str, schema: pa.Schema) -> Saved:
        """Write a frame to the data that the snapshot may list."""
        return self._write(frame, self.build.uri(name), schema)

    def _write(self, frame: DataFrame, uri: str, schema: pa.Schema) -> Saved:
        packed = all(pa.types.is_binary(field.type) or pa.types.is_integer(field.type) for field in schema)
        frame.write.option("compression", "none" if packed else "zstd").parquet(uri)
        return Saved(self, (uri,), schema)

    def add(self, table: pa.Table, name: str) -> list[SnapshotFile]:
        """Add a table that fits into the driver's memory to the data that the snapshot may list."""
        return [self.build.write(name, table)]

    def kept(self, snapshot: Snapshot | None, name: str, schema: pa.Schema) -> Saved:
        """What an earlier build has kept; nothing if there is none."""
        return Saved(self, tuple(snapshot.uris(name)) if snapshot is not None else (), schema)

    def send(self, table: pa.Table) -> DataFrame:
        """A table of the driver's, as a frame."""
        frame = from_arrow(self.spark, table)
        return frame.coalesce(1) if self.little else frame

    def collect(self, frame: DataFrame, schema: pa.Schema) -> pa.Table:
        """The rows of a frame."""
        return to_arrow(frame).cast(schema)

    def local_files(self, uris: Sequence[str]) -> list[str] | None:
        """The Parquet files at some places, if these are on the driver's own disk."""
        found: list[str] = []
        for uri in uris:
            if not uri.startswith(_DISK):
                return None
            path = Path(uri.removeprefix(_DISK))
            found += sorted(map(str, path.rglob("*.parquet"))) if path.is_dir() else [str(path)]
        return found

    def with_ids(self, frame: DataFrame, key: str, ids: Ids) -> DataFrame:
        """The rows of a frame whose *key* is one of some ids."""
        from pyspark.sql import functions as f

        if len(ids) <= _MAX_LISTED_IDS:
            return frame.where(f.col(key).isin(ids.tolist()))
        wanted = self.send(pa.table({key: pa.array(ids, pa.int64())}))
        return frame.join(f.broadcast(wanted), key, "left_semi")


_ONE_TASK = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.enabled": "false",
}
"""No exchanges, and no plans that change under way. Code generation stays on: without it (`codegen.factoryMode`) Spark 4.3 gives
wrong rows, and no more than half a second is won."""


def _one_task_session(spark: SparkSession) -> SparkSession:
    """A session for queries of one task; Spark Connect has one session per client, and keeps its settings."""
    return spark if is_connect(spark) else sibling(spark, _ONE_TASK)
