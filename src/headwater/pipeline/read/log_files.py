"""Query logs as frames: files that Spark reads (Parquet, JSON, CSV), tables of the session, and plain text (`log_text`)."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa

from headwater.files import passes_over
from headwater.pipeline.read.batches import batches_of
from headwater.pipeline.read.file_stamp import files_below
from headwater.pipeline.read.inputs import PATTERN, TABLE, InputFile, NothingToRead, contents_at
from headwater.pipeline.read.log_preset import LogPreset
from headwater.pipeline.read.log_text import MYSQL, POSTGRES, mysql_rows, postgres_rows
from headwater.runtime.arrow_ddl import ddl
from headwater.runtime.arrow_frames import from_arrow
from headwater.storage.uri import is_uri, spark_uri

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LOG_ENDINGS = {".parquet": "parquet", ".json": "json", ".jsonl": "json", ".ndjson": "json", ".csv": "csv"}
"""Files that are query logs, by what Spark reads them as."""
TEXT_ENDINGS = (".log", ".txt")
"""Files that are query logs, as plain text, where the preset knows such."""
BROKEN = "headwater_broken_row"
"""The column that holds a row which cannot be read."""
_CHARACTERS_PER_BATCH = 1 << 22
_TEXTS = {"postgres": (postgres_rows, POSTGRES), "mysql": (mysql_rows, MYSQL)}


def ending(path: str) -> str:
    """The ending of a log's path, which may be a pattern."""
    return os.path.splitext(path.rstrip("/*"))[1].lower()


def is_log_path(path: str, preset: LogPreset | None) -> bool:
    """Whether a path is that of a query log, by its ending."""
    return ending(path) in LOG_ENDINGS or (preset is not None and preset.text_files and ending(path) in TEXT_ENDINGS)


def opened_log(spark: SparkSession, log: InputFile, preset: LogPreset | None, shares_disk: bool) -> DataFrame:
    """A query log as Spark reads it."""
    if log.place.startswith(TABLE):
        return spark.table(log.place.removeprefix(TABLE))
    if ending(log.place) in TEXT_ENDINGS and preset is not None:
        return _text(spark, log.place, preset, shares_disk)
    if not is_uri(log.place) and not shares_disk:
        raise NothingToRead(
            f"the log {log.place} is on this machine's disk, which the workers do not see: "
            "put it where they read it (s3a://…, hdfs://…, a table), and name it there"
        )
    kind = LOG_ENDINGS[ending(log.place)]
    if kind == "csv":
        return _csv(spark, log.place, preset)
    whole = kind == "json" and _is_one_document(spark, log.place)
    return spark.read.option("multiLine", whole).format(kind).load(_spark_paths(log.place))


def _spark_paths(place: str) -> list[str]:
    """A log as Spark is given it: as it was named, or file by file where some of it may not be read."""
    if is_uri(place):
        return [spark_uri(place)]
    folders = [os.path.join(at, name) for at, names, _ in os.walk(place) for name in names]
    files = files_below(place)
    refused = {path for path in (*folders, *files) if passes_over(path)}
    if not refused:
        return [spark_uri(place)]
    return [PATTERN.sub(r"\\\1", spark_uri(path)) for path in files if path not in refused]


def _csv(spark: SparkSession, place: str, preset: LogPreset | None) -> DataFrame:
    """A CSV file; rows that do not have as many values as there are columns are in `BROKEN`."""
    reader = spark.read.option("escape", '"').option("multiLine", True)
    names = reader.option("header", True).csv(_spark_paths(place)).columns
    header = preset.header if preset is not None else ()
    bare = bool(header) and header[0] not in names
    listed = list(header[: len(names)]) if bare else names
    fields = ", ".join(f"`{name.replace('`', '``')}` string" for name in (*listed, BROKEN))
    permissive = reader.option("header", not bare).option("columnNameOfCorruptRecord", BROKEN)
    return permissive.schema(fields).csv(_spark_paths(place))


def broken_rows(log: DataFrame) -> DataFrame:
    """The rows of a CSV file that cannot be read."""
    first = next(name.replace("`", "``") for name in log.columns if name != BROKEN)
    # Spark refuses to read nothing but the column of broken rows
    return log.where(f"{BROKEN} is not null and length(coalesce(`{first}`, '')) >= 0")


def unpaired_files(log: DataFrame) -> DataFrame:
    """The CSV files of a log whose quotes are of an odd number: in each of them a row may have swallowed those behind it."""
    from pyspark.sql import functions as f

    lines = log.sparkSession.read.text(log.inputFiles())
    quotes = f.length("value") - f.length(f.replace("value", f.lit('"'), f.lit("")))
    counted = lines.groupBy(f.input_file_name().alias("file")).agg(f.sum(quotes).alias("quotes"))
    return counted.where("quotes % 2 = 1")


def _is_one_document(spark: SparkSession, place: str) -> bool:
    """Whether a JSON file is one list, and not a document per line."""
    if is_uri(place):
        first = spark.read.text(spark_uri(place)).where("trim(value) != ''").first()
        return first is not None and str(first[0]).lstrip("\ufeff \t").startswith("[")
    for file in sorted(glob.glob(os.path.join(place, "*") if os.path.isdir(place) else place)):
        if os.path.isfile(file) and os.path.getsize(file) and not passes_over(file):
            with open(file, "rb") as content:
                return content.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    return False


def _text(spark: SparkSession, place: str, preset: LogPreset, shares_disk: bool) -> DataFrame:
    """Files of plain text: workers read them line by line, where they see them."""
    read, schema = _TEXTS[preset.form]
    if is_uri(place):
        return contents_at(spark, [spark_uri(place)]).mapInArrow(_contents(read, schema), ddl(schema))
    paths = [os.path.abspath(path) for path in files_below(place) if not passes_over(path)]
    if not paths:
        raise NothingToRead(f"there is no log {place}")
    if not shares_disk:
        rows = [row for path in paths for row in _rows(path, read)]
        return from_arrow(spark, pa.Table.from_pylist(rows, schema=schema))
    table = pa.table({"path": pa.array(map(os.fsencode, paths), pa.binary())})
    return from_arrow(spark, table).repartition(len(paths)).mapInArrow(_reader(read, schema), ddl(schema))


Read = Callable[[Iterable[str]], Iterator[dict[str, Any]]]


def _reader(read: Read, schema: pa.Schema) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        paths = (path for batch in batches for path in batch.column(0).to_pylist())
        rows = ((row, len(str(row))) for path in paths for row in _rows(path, read))
        yield from batches_of(rows, schema, _CHARACTERS_PER_BATCH)

    return run


def _rows(path: str | bytes, read: Read) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        yield from read(_lines(file))


def _lines(file: IO[str]) -> Iterator[str]:
    return (line.rstrip("\r\n") for line in file)


def _contents(read: Read, schema: pa.Schema) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        bodies = (body for batch in batches for body in batch.column(1).to_pylist())
        lines = (body.decode("utf-8", "replace").splitlines() for body in bodies)
        rows = ((row, len(str(row))) for each in lines for row in read(each))
        yield from batches_of(rows, schema, _CHARACTERS_PER_BATCH)

    return run
