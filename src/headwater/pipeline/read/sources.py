"""What a build reads: files, query logs and the rest, all of them or only some.

A file or log has a stamp, by which the next build knows that it need not read it again (`file_stamp`).
"""

from __future__ import annotations

import os
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa

from headwater.pipeline.read.captured import read_captured
from headwater.pipeline.read.file_stamp import NEVER, file_stamp, files_below, files_stamp
from headwater.pipeline.read.files import Reading, Setting, read_local, read_remote, scripts_from, source_id
from headwater.pipeline.read.inputs import TABLE, InputFile
from headwater.pipeline.read.log_files import opened_log
from headwater.pipeline.read.log_preset import LogPreset
from headwater.pipeline.read.logs import LogColumns, read_log
from headwater.pipeline.read.openlineage import read_openlineage
from headwater.pipeline.read.projects import read_projects
from headwater.project.objects import Project
from headwater.runtime.arrow_frames import from_arrow
from headwater.storage.uri import is_uri
from headwater.store.identity import identify

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

STAMPS = pa.schema([("source_id", pa.int64()), ("stamp", pa.int64())])


@dataclass(frozen=True, slots=True)
class Sources:
    """What is to be read, and how."""

    reading: Reading
    files: Sequence[InputFile] = ()
    """Files with scripts."""
    captured: Sequence[InputFile] = ()
    """Files of captured jobs."""
    events: Sequence[InputFile] = ()
    """Files of OpenLineage's events."""
    logs: Sequence[InputFile] = ()
    """Query logs: files, folders, patterns and tables."""
    log: LogColumns = field(default_factory=LogColumns)
    preset: LogPreset | None = None
    """What the logs are logs of."""
    standard_input: bytes | None = None
    projects: Sequence[Project] = ()
    """Projects of semantic layers."""
    described: pa.Table | None = None
    """Scripts of a catalog (`SCRIPT`)."""
    shares_disk: bool = True
    """Whether workers see the files on the driver's disk."""
    parallelism: int = 1
    """How many tasks run at a time."""

    def stamps(self, key: str) -> pa.Table:
        """The stamps of files and logs that have one (`STAMPS`); *key* is what else shapes the result of a build."""
        also = f"{key} {self.reading.dialect} {self.reading.default_schema} {os.getcwd()}"
        found: dict[int, int] = {}
        for file in self.files if self.reading.template is None else ():
            own = repr(self.reading.settings.get(file.shown, Setting()))
            found[source_id(file.shown)] = _stamp(file, also, own)
        for log in self.logs:
            if not log.place.startswith(TABLE) and not is_uri(log.place):
                found[source_id(log.shown)] = files_stamp(
                    files_below(log.place), also, repr(self.log), repr(self.preset)
                )
        known = [(source, stamp) for source, stamp in found.items() if stamp != NEVER]
        return pa.table([[each[i] for each in known] for i in range(2)], schema=STAMPS)

    def only(self, ids: Container[int]) -> Sources:
        """Some of the files and logs."""
        files = [file for file in self.files if source_id(file.shown) in ids]
        logs = [log for log in self.logs if source_id(log.shown) in ids]
        return replace(
            self, files=files, logs=logs, captured=(), events=(), standard_input=None, projects=(), described=None
        )

    def but(self, ids: Container[int]) -> Sources:
        """Everything but some of the files and logs."""
        files = [file for file in self.files if source_id(file.shown) not in ids]
        return replace(self, files=files, logs=[log for log in self.logs if source_id(log.shown) not in ids])

    def scripts(self, spark: SparkSession) -> DataFrame | None:
        """What is in them; None if there are none."""
        opened = ((log.shown, opened_log(spark, log, self.preset, self.shares_disk)) for log in self.logs)
        frames = [read_log(frame, name, self.log, self.reading, self.preset) for name, frame in opened]
        local = [file for file in self.files if not is_uri(file.place)]
        remote = [file for file in self.files if is_uri(file.place)]
        how = (self.shares_disk, self.parallelism)
        if local:
            frames.append(read_local(spark, local, self.reading, *how))
        if remote:
            frames.append(read_remote(spark, remote, self.reading))
        if self.captured:
            frames.append(read_captured(spark, self.captured, self.reading, self.shares_disk))
        if self.events:
            frames.append(read_openlineage(spark, self.events, self.reading, *how))
        if self.projects:
            frames.append(read_projects(spark, self.projects))
        if self.standard_input is not None:
            frames.append(scripts_from(spark, [("-", self.standard_input)], self.reading))
        if self.described is not None:
            frames.append(from_arrow(spark, self.described))
        return reduce(lambda one, other: one.unionByName(other), frames) if frames else None


def _stamp(file: InputFile, *also: str) -> int:
    """The stamp of a file, with whatever else decides on what is read of it."""
    if not is_uri(file.place):
        return file_stamp(file.place, *also)
    return NEVER if file.stamp == NEVER else identify("stamp", str(file.stamp), *also)
