"""What a build reads, as DataFrames of scripts: files of any kind that `headwater.source` knows.

Files on the driver's disk are read there, or by workers that share it; files at URIs by Spark (`inputs`). Logs: `logs`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.files import read_bytes, refusal
from headwater.openlineage.namespaces import Namespaces
from headwater.pipeline.read.batches import batches_of
from headwater.pipeline.read.inputs import InputFile, contents_at
from headwater.runtime.arrow_ddl import ddl
from headwater.runtime.arrow_frames import from_arrow
from headwater.source import Template, scripts_of
from headwater.sql.target import with_target
from headwater.storage.uri import spark_uri
from headwater.store.identity import identify, script_id

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TIME = pa.timestamp("us", tz="UTC")
COST = pa.struct([("start", pa.int32()), ("bytes", pa.int64()), ("seconds", pa.float64()), ("credits", pa.float64())])
"""What the statements of a script cost that begin at an offset or behind it, up to the next such; all runs together."""
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
        ("costs", pa.list_(COST)),
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
    schemas: tuple[str, ...] = ()
    """Schemas of its own, as `--schema` takes them."""
    target: str = ""
    """The table that its last query fills."""
    catalog: str = ""
    """The name of its own catalog among the build's."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are to be read."""

    dialect: str
    default_schema: str
    template: Template | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """What single files have of their own, by the path they are shown with."""
    namespaces: Namespaces = field(default_factory=Namespaces)
    """Which names of captured jobs and events stand for which names in scripts."""


_CHARACTERS_PER_BATCH = 200_000
"""Characters of scripts that travel together."""
_MAX_FILES_FOR_DRIVER = 50
"""Files that are not worth the start of a worker."""


def read_local(
    spark: SparkSession, files: Sequence[InputFile], reading: Reading, shares_disk: bool, parallelism: int
) -> DataFrame:
    """The scripts in files on the driver's disk; one that cannot be read is a script with a problem.

    Where the workers do not share the disk, the driver reads the files and sends their scripts.
    """
    places = [os.path.abspath(file.place) for file in files]
    table = local_table(files)
    if not shares_disk or (reading.template is None and _are_few(places)):
        return _sent(spark, _local_rows(table.to_batches(), reading))
    tasks = min(len(files), 4 * parallelism)
    return from_arrow(spark, table).repartition(tasks).mapInArrow(_local_reader(reading), ddl(SCRIPT))


def _sent(spark: SparkSession, rows: Iterator[tuple[dict[str, Any], int]]) -> DataFrame:
    """Scripts that the driver has read, as a frame; large ones in several parts, because Spark Connect limits the size of one."""
    parts: list[list[pa.RecordBatch]] = [[]]
    size = 0
    for batch in batches_of(rows, SCRIPT, _CHARACTERS_PER_BATCH):
        if size > _MAX_BYTES_SENT:
            parts.append([])
            size = 0
        parts[-1].append(batch)
        size += batch.nbytes
    frames = [from_arrow(spark, pa.Table.from_batches(part, SCRIPT)) for part in parts]
    return reduce(lambda one, other: one.unionByName(other), frames)


_MAX_BYTES_SENT = 2**25


def _are_few(paths: Sequence[str]) -> bool:
    """Whether files are not worth a worker's start: they are read here."""
    if len(paths) > _MAX_FILES_FOR_DRIVER:
        return False
    with suppress(OSError):
        return sum(os.stat(path).st_size for path in paths) <= _CHARACTERS_PER_BATCH
    return False


def _local_reader(reading: Reading) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from batches_of(_local_rows(batches, reading), SCRIPT, _CHARACTERS_PER_BATCH)

    return run


def _local_rows(batches: Iterable[pa.RecordBatch], reading: Reading) -> Iterator[tuple[dict[str, Any], int]]:
    for batch in batches:
        for path, shown, refused in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            content, problem = (b"", f"the file cannot be read: {refused}") if refused else local_content(path)
            for row in _rows(shown, content, reading):
                yield row | {"problem": problem or row["problem"]}, len(row["text"])


def local_table(files: Sequence[InputFile]) -> pa.Table:
    """Files for workers, one row each: `path`, in the bytes that the file system knows, how it is shown, and why it is not read.

    The driver asks the roots, because workers do not have them.
    """
    places = [os.path.abspath(file.place) for file in files]
    return pa.table(
        {
            "path": pa.array(map(os.fsencode, places), pa.binary()),
            "shown": [file.shown for file in files],
            "refused": [refusal(file.place) for file in files],
        }
    )


def local_content(path: str | bytes) -> tuple[bytes, str]:
    """What a file holds, or why it cannot be read; a pipe or device, which might never end, is none."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b"", "the file cannot be read: it is a pipe, a device or a folder"
        return read_bytes(path), ""
    except OSError as error:
        return b"", f"the file cannot be read: {error.strerror or type(error).__name__}"


def read_remote(spark: SparkSession, files: Sequence[InputFile], reading: Reading) -> DataFrame:
    """The scripts in files at URIs, read by Spark."""
    shown = {file.place: file.shown for file in files}
    return contents_at(spark, list(shown)).mapInArrow(_remote_reader(shown, reading), ddl(SCRIPT))


def scripts_from(spark: SparkSession, files: Sequence[tuple[str, bytes]], reading: Reading) -> DataFrame:
    """The scripts in contents that are here already: standard input."""
    return _sent(spark, ((row, len(row["text"])) for path, content in files for row in _rows(path, content, reading)))


def _remote_reader(
    shown: Mapping[str, str], reading: Reading
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[dict[str, Any], int]]:
        for batch in batches:
            for path, content in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True):
                for row in _rows(shown.get(spark_uri(path), path), content, reading):
                    yield row, len(row["text"])

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from batches_of(rows(batches), SCRIPT, _CHARACTERS_PER_BATCH)

    return run


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
            "schema": own.catalog,
            "encoding": script.encoding,
            "text": with_target(script.text, own.target) if script.kind == "sql" else script.text,
            "problem": script.problem,
            "skipped": script.skipped,
            "seen": 1,
            "first_seen": None,
            "last_seen": None,
            "users": [],
            "costs": [],
        }
        for script in scripts_of(path, content, template=reading.template)
    ]
