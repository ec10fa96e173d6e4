"""The files through which extraction's tasks get their units, hand on definitions, and leave their records.

    round/units/task=7/…parquet     the units of a task, with what they need to know
    round/records/7.parquet         what the task found
    round/made/7.arrow              what its units define, for the tasks of later stages

A file is whole or not there: it is written aside and renamed. A task that is run twice writes the same twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np
import numpy.typing as npt
import pyarrow as pa
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
        ("crashed", pa.bool_()),
    ]
)
"""What is handed on of a unit: whether an earlier analysis of it stands; its definitions, what it defined and missed, and its fate."""
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
        for path in sorted((self.units / f"task={task}").glob("*.parquet")):
            with pq.ParquetFile(path) as file:
                yield from file.iter_batches(_ROWS)

    @contextmanager
    def write_records(self, task: int) -> Iterator[pq.ParquetWriter]:
        """A writer for what a task finds."""
        path = self.records / f"{task}.parquet"
        with _aside(path) as aside, pq.ParquetWriter(aside, SCHEMA, compression="zstd") as writer:
            yield writer

    def write_made(self, task: int, made: pa.Table) -> None:
        """Hand on what a task's units define."""
        path = self.made / f"{task}.arrow"
        with _aside(path) as aside, pa.OSFile(str(aside), "wb") as file, pa.ipc.new_file(file, MADE) as writer:
            writer.write_table(made.sort_by("unit_id").combine_chunks(), max_chunksize=max(len(made), 1))

    def read_made(self, columns: Sequence[str]) -> pa.Table:
        """Some columns of what all tasks have handed on."""
        found = [_mapped(path).select(columns) for path in sorted(self.made.glob("[0-9]*.arrow"))]
        return pa.concat_tables([pa.schema([MADE.field(c) for c in columns]).empty_table(), *found])


class Handed:
    """The definitions that earlier tasks handed on; only the files that are asked for are looked into, and each unit once."""

    def __init__(self, files: TaskFiles) -> None:
        self._files = files
        self._open: dict[int, tuple[Ids, pa.ChunkedArray]] = {}
        self._known: dict[int, list[str]] = {}

    def of(self, unit: int, task: int) -> Iterable[str]:
        """What a unit of an earlier task defines."""
        found = self._known.get(unit)
        if found is None:
            found = self._known[unit] = self._looked_up(unit, task)
        return found

    def _looked_up(self, unit: int, task: int) -> list[str]:
        if task not in self._open:
            table = _mapped(self._files.made / f"{task}.arrow")
            self._open[task] = table.column("unit_id").to_numpy(), table.column("contents")
        ids, contents = self._open[task]
        at = int(np.searchsorted(ids, unit))
        found: list[str] = contents[at].as_py() if at < len(ids) and ids[at] == unit else []
        return found


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
