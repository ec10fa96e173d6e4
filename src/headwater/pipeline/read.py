"""What a build reads, as DataFrames of scripts: files of any kind that `headwater.source` knows.

Local files are read where they lie, others by Spark, so they may lie wherever the session can read. Logs: `read_log`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.pipeline.batches import batches_of
from headwater.runtime.arrow_ddl import ddl
from headwater.source import INCLUDED, Template, scripts_of
from headwater.store.identity import identify, script_id

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TIME = pa.timestamp("us", tz="UTC")
SCRIPT = pa.schema(
    [
        ("script_id", pa.int64()),
        ("source_id", pa.int64()),
        ("path", pa.string()),
        ("kind", pa.string()),
        ("dialect", pa.string()),
        ("default_schema", pa.string()),
        ("schema", pa.string()),
        ("encoding", pa.string()),
        ("text", pa.string()),
        ("problem", pa.string()),
        ("skipped", pa.int32()),
        ("seen", pa.int64()),
        ("first_seen", _TIME),
        ("last_seen", _TIME),
        ("users", pa.list_(pa.string())),
    ]
)


def source_id(shown: str) -> int:
    """The id of a file or log that scripts are read from."""
    return identify("source", shown)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a file has of its own, where a manifest, a configuration or a file beside it says so."""

    dialect: str = ""
    default_schema: str = ""
    schema: str = ""
    """The name of its own catalog among the build's."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are to be read."""

    dialect: str
    default_schema: str
    template: Template | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """What single files have of their own, by the path they are shown with."""


_TOGETHER = 200_000
"""Characters of scripts that travel together."""
_FEW = 50
"""Files that are read at once."""


def read_local(spark: SparkSession, files: Sequence[tuple[str, str]], reading: Reading) -> DataFrame:
    """The scripts in local files, given by where they are and how they are shown; one that cannot be read is a script with a problem."""
    places, shown = zip(*((os.path.abspath(place), shown) for place, shown in files), strict=True)
    table = pa.table({"path": list(places), "shown": list(shown)})
    if reading.template is None and _are_few(places):
        rows = [row for row, _ in _local_rows(table.to_batches(), reading)]
        return spark.createDataFrame(pa.Table.from_pylist(rows, schema=SCRIPT))
    frame = spark.createDataFrame(table, "path string, shown string")
    tasks = min(len(files), 4 * max(spark.sparkContext.defaultParallelism, 1))
    return frame.repartition(tasks).mapInArrow(_local_reader(reading), ddl(SCRIPT))


def _are_few(paths: Sequence[str]) -> bool:
    """Whether files are not worth a worker's start: they are read here."""
    if len(paths) > _FEW:
        return False
    with suppress(OSError):
        return sum(os.stat(path).st_size for path in paths) <= _TOGETHER
    return False


def _local_reader(reading: Reading) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from batches_of(_local_rows(batches, reading), SCRIPT, _TOGETHER)

    return run


def _local_rows(batches: Iterable[pa.RecordBatch], reading: Reading) -> Iterator[tuple[dict[str, Any], int]]:
    for batch in batches:
        for path, shown in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True):
            content, problem = _content(path)
            for row in _rows(shown, content, reading):
                yield row | {"problem": problem or row["problem"]}, len(row["text"])


def _content(path: str) -> tuple[bytes, str]:
    """What a file holds, or why it cannot be read; a pipe or device, which might never end, is none."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b"", "the file cannot be read: it is a pipe, a device or a folder"
        return Path(path).read_bytes(), ""
    except OSError as error:
        return b"", f"the file cannot be read: {error.strerror or type(error).__name__}"


def read_files(spark: SparkSession, paths: Sequence[str], reading: Reading) -> DataFrame:
    """The scripts in files that only Spark can reach."""
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", True)
    return reader.load(list(paths)).select("path", "content").mapInArrow(_file_reader(reading), ddl(SCRIPT))


def scripts_from(spark: SparkSession, files: Sequence[tuple[str, bytes]], reading: Reading) -> DataFrame:
    """The scripts in contents that are here already: standard input."""
    rows = [row for path, content in files for row in _rows(path, content, reading)]
    table = pa.Table.from_pylist(rows, schema=SCRIPT)
    return spark.createDataFrame(table)


def _file_reader(reading: Reading) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path, content in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True):
                rows = _rows(path, content, reading) if _is_source(path) else []
                yield pa.RecordBatch.from_pylist(rows, schema=SCRIPT)

    return run


def _is_source(path: str) -> bool:
    """Whether a file on some other file system is of a kind that is read."""
    name = path.rpartition("/")[2].lower()
    return any(fnmatch(name, pattern) for pattern in INCLUDED)


def _rows(path: str, content: bytes, reading: Reading) -> list[dict[str, Any]]:
    own = reading.settings.get(path, Setting())
    return [
        {
            "script_id": script_id(script.path),
            "source_id": source_id(path),
            "path": script.path,
            "kind": script.kind,
            "dialect": own.dialect or script.dialect or reading.dialect,
            "default_schema": own.default_schema or script.default_schema or reading.default_schema,
            "schema": own.schema,
            "encoding": script.encoding,
            "text": script.text,
            "problem": script.problem,
            "skipped": script.skipped,
            "seen": 1,
            "first_seen": None,
            "last_seen": None,
            "users": [],
        }
        for script in scripts_of(path, content, template=reading.template)
    ]
