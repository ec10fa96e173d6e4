"""The files through which extraction's tasks get their units, hand on definitions, and leave their records.

    round/units/task=7/…parquet     the units of a task, with what they need to know
    round/records/7.parquet         what the task found
    round/definitions/7.arrow       what its units define, for the tasks of later stages

A file is whole or not there: it is written aside and renamed. A task that is run twice writes the same twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from headwater.pipeline.records import SCHEMA

_DEFINITIONS = pa.schema([("unit_id", pa.int64()), ("contents", pa.list_(pa.string()))])
_ROWS = 256
"""Units that are read at a time."""


@dataclass(frozen=True, slots=True)
class TaskFiles:
    """The files of one round."""

    folder: Path

    @property
    def units(self) -> Path:
        """Where the units lie."""
        return self.folder / "units"

    @property
    def records(self) -> Path:
        """Where the records are left."""
        return self.folder / "records"

    @property
    def definitions(self) -> Path:
        """Where definitions are handed on."""
        return self.folder / "definitions"

    def create(self) -> None:
        """Make the folders that tasks write to."""
        for folder in (self.records, self.definitions):
            folder.mkdir(parents=True)

    def units_of(self, task: int) -> Iterator[pa.RecordBatch]:
        """A task's units, in their order."""
        for path in sorted((self.units / f"task={task}").glob("*.parquet")):
            with pq.ParquetFile(path) as file:
                yield from file.iter_batches(_ROWS)

    @contextmanager
    def write_records(self, task: int) -> Iterator[pq.ParquetWriter]:
        """A writer for what a task finds."""
        path = self.records / f"{task}.parquet"
        with _aside(path) as aside, pq.ParquetWriter(aside, SCHEMA, compression="zstd") as writer:
            yield writer

    def write_definitions(self, task: int, made: Mapping[int, list[str]]) -> None:
        """Hand on what a task's units define."""
        ids = sorted(unit for unit, contents in made.items() if contents)
        batch = pa.record_batch([pa.array(ids, pa.int64()), [made[unit] for unit in ids]], schema=_DEFINITIONS)
        path = self.definitions / f"{task}.arrow"
        with _aside(path) as aside, pa.OSFile(str(aside), "wb") as file, pa.ipc.new_file(file, _DEFINITIONS) as writer:
            writer.write_batch(batch)


class Handed:
    """The definitions that earlier tasks handed on; only the files that are asked for are looked into."""

    def __init__(self, files: TaskFiles) -> None:
        self._files = files
        self._open: dict[int, pa.RecordBatch] = {}

    def of(self, unit: int, task: int) -> Iterable[str]:
        """What a unit of an earlier task defines."""
        batch = self._open.get(task)
        if batch is None:
            with pa.memory_map(str(self._files.definitions / f"{task}.arrow")) as file:
                batch = self._open[task] = pa.ipc.open_file(file).get_batch(0)
        ids = batch.column(0).to_numpy()
        at = int(np.searchsorted(ids, unit))
        return batch.column(1)[at].as_py() if at < len(ids) and ids[at] == unit else ()


@contextmanager
def _aside(path: Path) -> Iterator[Path]:
    """A file to write to, which becomes *path* once it is whole."""
    aside = path.with_name(f".{path.name}.{uuid4().hex[:12]}")
    try:
        yield aside
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
