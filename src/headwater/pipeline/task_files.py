"""The files through which extraction's tasks get their units, hand on definitions, and leave their records.

    round/units/…parquet            the units of all tasks, with what they need to know
    round/records/7.parquet         what the task found
    round/made/7.arrow              what its units define, for the tasks of later stages

A file is whole or not there: it is written aside and renamed. A task that is run twice writes the same twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from headwater.pipeline.records import SCHEMA

Ids = npt.NDArray[np.int64]

MADE = pa.schema(
    [
        ("unit_id", pa.int64()),
        ("reused", pa.bool_()),
        ("contents", pa.list_(pa.string())),
        ("tables", pa.list_(pa.int64())),
        ("in_vain", pa.list_(pa.int64())),
        ("open", pa.list_(pa.int64())),
        ("crashed", pa.bool_()),
    ]
)
"""What is handed on of a unit: whether an earlier analysis of it stands; its definitions, what it defined and missed, what it
writes an open star into, and its fate."""
BEFORE = -1
"""In place of a task: what was made in an earlier round or build."""
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
    def made(self) -> Path:
        """Where definitions are handed on."""
        return self.folder / "made"

    def create(self) -> None:
        """Make the folders that tasks write to."""
        for folder in (self.records, self.made):
            folder.mkdir(parents=True)

    def units_of(self, task: int) -> Iterator[pa.RecordBatch]:
        """A task's units, in their order."""
        units = ds.dataset(self.units, format="parquet")
        yield from units.scanner(filter=ds.field("task") == task, batch_size=_ROWS, use_threads=False).to_batches()

    @contextmanager
    def write_records(self, task: int) -> Iterator[pq.ParquetWriter]:
        """A writer for what a task finds."""
        path = self.records / f"{task}.parquet"
        with _aside(path) as aside, pq.ParquetWriter(aside, SCHEMA, compression="zstd") as writer:
            yield writer

    def write_made(self, task: int, made: pa.Table) -> None:
        """Hand on what a task's units define."""
        path = _made_by(self.made, task)
        with _aside(path) as aside, pa.OSFile(str(aside), "wb") as file, pa.ipc.new_file(file, MADE) as writer:
            writer.write_table(made.sort_by("unit_id").combine_chunks(), max_chunksize=max(len(made), 1))

    def read_made(self, columns: Sequence[str]) -> pa.Table:
        """Some columns of what all tasks have handed on."""
        found = [_mapped(path).select(columns) for path in sorted(self.made.glob("[0-9]*.arrow"))]
        return pa.concat_tables([pa.schema([MADE.field(c) for c in columns]).empty_table(), *found])


@lru_cache(maxsize=16_384)
def handed_on(made: Path, task: int, unit: int) -> tuple[str, ...]:
    """What a unit of an earlier task defines; a worker's next unit, and its next task, mostly ask for the same."""
    ids, contents = _opened(made, task)
    at = int(ids.searchsorted(unit))
    return tuple(contents[at].as_py()) if at < len(ids) and ids[at] == unit else ()


@lru_cache(maxsize=256)
def _opened(made: Path, task: int) -> tuple[Ids, pa.ListArray]:
    """A task's units in order, and their definitions."""
    table = _mapped(_made_by(made, task))
    return table.column("unit_id").to_numpy(), table.column("contents").combine_chunks()


def _made_by(made: Path, task: int) -> Path:
    return made / f"{task}.arrow"


def _mapped(path: Path) -> pa.Table:
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


@contextmanager
def _aside(path: Path) -> Iterator[Path]:
    """A file to write to, which becomes *path* once it is whole."""
    aside = path.with_name(f".{path.name}.{uuid4().hex[:12]}")
    try:
        yield aside
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
