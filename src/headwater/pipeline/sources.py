"""What a build reads: files, query logs and the rest, all of them or only some.

A local file or log has a stamp, by which the next build knows that it need not read it again (`file_stamp`); what lies elsewhere has none.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa

from headwater.pipeline.file_stamp import NEVER, file_stamp, files_below, files_stamp
from headwater.pipeline.read import Reading, Setting, read_files, read_local, scripts_from, source_id
from headwater.pipeline.read_captured import read_captured
from headwater.pipeline.read_log import LogColumns, read_log
from headwater.pipeline.read_openlineage import read_openlineage
from headwater.pipeline.read_project import read_projects
from headwater.project.objects import Project

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LOG_ENDINGS = {".parquet": "parquet", ".json": "json", ".jsonl": "json", ".ndjson": "json", ".csv": "csv"}
"""Files that are query logs, by what Spark reads them as."""
TABLE = "table:"
"""Before the name of a table that is a query log."""
STAMPS = pa.schema([("source_id", pa.int64()), ("stamp", pa.int64())])


@dataclass(frozen=True, slots=True)
class Sources:
    """What is to be read, and how."""

    reading: Reading
    files: Sequence[tuple[str, str]] = ()
    """Local files: where they are, and how they are shown."""
    captured: Sequence[tuple[str, str]] = ()
    """Local files of captured jobs."""
    events: Sequence[tuple[str, str]] = ()
    """Local files of OpenLineage's events."""
    elsewhere: Sequence[str] = ()
    """Files on some other file system."""
    logs: Sequence[str] = ()
    log: LogColumns = field(default_factory=LogColumns)
    standard_input: bytes | None = None
    projects: Sequence[Project] = ()
    """Projects of semantic layers."""
    described: pa.Table | None = None
    """Scripts of a catalog (`SCRIPT`)."""

    def stamps(self, key: str) -> pa.Table:
        """The stamps of local files and logs that have one (`STAMPS`); *key* is what else shapes the result of a build."""
        said = f"{key} {self.reading.dialect} {self.reading.default_schema} {os.getcwd()}"
        found: dict[int, int] = {}
        for place, shown in self.files if self.reading.template is None else ():
            own = self.reading.settings.get(shown, Setting())
            found[source_id(shown)] = file_stamp(place, said, repr(own))
        for path in self.logs:
            if not path.startswith(TABLE) and "://" not in path:
                found[source_id(path)] = files_stamp(files_below(path), said, repr(self.log))
        known = [(source, stamp) for source, stamp in found.items() if stamp != NEVER]
        return pa.table([[each[i] for each in known] for i in range(2)], schema=STAMPS)

    def only(self, ids: Container[int]) -> Sources:
        """Some of the files and logs."""
        files = [file for file in self.files if source_id(file[1]) in ids]
        return Sources(self.reading, files, logs=[log for log in self.logs if source_id(log) in ids], log=self.log)

    def but(self, ids: Container[int]) -> Sources:
        """Everything but some of the files and logs."""
        files = [file for file in self.files if source_id(file[1]) not in ids]
        return replace(self, files=files, logs=[log for log in self.logs if source_id(log) not in ids])

    def scripts(self, spark: SparkSession) -> DataFrame | None:
        """What is in them; None if there are none."""
        frames = [read_log(_opened(spark, path), path, self.log, self.reading) for path in self.logs]
        if self.files:
            frames.append(read_local(spark, self.files, self.reading))
        if self.captured:
            frames.append(read_captured(spark, self.captured, self.reading))
        if self.events:
            frames.append(read_openlineage(spark, self.events, self.reading))
        if self.elsewhere:
            frames.append(read_files(spark, self.elsewhere, self.reading))
        if self.projects:
            frames.append(read_projects(spark, self.projects))
        if self.standard_input is not None:
            frames.append(scripts_from(spark, [("-", self.standard_input)], self.reading))
        if self.described is not None:
            frames.append(spark.createDataFrame(self.described))
        return reduce(lambda one, other: one.unionByName(other), frames) if frames else None


def ending(path: str) -> str:
    """The ending of a log's path, which may be a pattern."""
    return os.path.splitext(path.rstrip("/*"))[1].lower()


def _opened(spark: SparkSession, path: str) -> DataFrame:
    """A query log as Spark reads it."""
    if path.startswith(TABLE):
        return spark.table(path.removeprefix(TABLE))
    kind = LOG_ENDINGS[ending(path)]
    place = path if "://" in path else os.path.abspath(path)  # the session may have been started elsewhere
    reader = spark.read.option("header", True).option("escape", '"')
    return reader.option("multiLine", kind == "csv" or _is_one_document(place)).format(kind).load(place)


def _is_one_document(path: str) -> bool:
    """Whether a JSON file is one list, and not a document per line."""
    files = sorted(glob.glob(os.path.join(path, "*") if os.path.isdir(path) else path))
    for file in files:
        if os.path.isfile(file) and os.path.getsize(file):
            with open(file, "rb") as content:
                return content.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    return False
