"""How a snapshot becomes a new version of every lakehouse table.

Each table is replaced in a commit of its own. The table `snapshots` is written last: it names the versions that belong together. A snapshot
that it does not list was not exported completely, and the next export writes all of its tables again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Protocol

import pyarrow as pa

from headwater import __version__
from headwater.export.format import ExportError
from headwater.lakehouse.reasons import one_line
from headwater.lakehouse.rows import SnapshotRows
from headwater.lakehouse.tables import ALL, CONTENT, SNAPSHOTS, VERSION
from headwater.storage import StorageError
from headwater.store import Snapshot
from headwater.store.schema import Table

FACT = "headwater.snapshot"
"""The key of commit metadata that names the snapshot."""


class Lake(Protocol):
    """A place with lakehouse tables. All of its methods raise `ExportError` for what the user can mend."""

    @property
    def place(self) -> str:
        """Where it is, as it is shown; without secrets."""

    def fields(self, table: Table) -> Mapping[str, str] | None:
        """The columns of a table and their types; None if the table does not exist."""

    def expected(self, table: Table) -> Mapping[str, str]:
        """The columns that a table should have, in the same words."""

    def read(self, table: Table) -> pa.Table:
        """The current rows of a small table; none if it does not exist."""

    def replace(self, table: Table, rows: pa.RecordBatchReader, facts: Mapping[str, str]) -> int:
        """Replace all rows of a table in one commit, or create it. Returns the version."""

    def append(self, table: Table, rows: pa.Table, facts: Mapping[str, str]) -> None:
        """Append rows to a table in one commit, or create it."""


@dataclass(frozen=True, slots=True)
class Written:
    """A version of a table that an export wrote."""

    table: str
    version: int
    rows: int


def publish(snapshot: Snapshot, lake: Lake, step: Callable[[str], None]) -> str:
    """Export a snapshot, if it is not there yet; *step* hears of each table. Returns what was done, in words."""
    for table in ALL:
        _check(lake, table)
    newest = _newest(lake, snapshot.name)
    if newest == snapshot.name:
        return f"{lake.place} has the snapshot {snapshot.name} already: nothing was written"
    try:
        written = _write(snapshot, lake, step)
    except ExportError as error:
        raise ExportError(f"{error}; the snapshot is not complete there, run the export again") from error
    told = ", ".join(f"{each.rows} {each.table}" for each in written)
    return f"{lake.place} holds the snapshot {snapshot.name}: {told}"


def _write(snapshot: Snapshot, lake: Lake, step: Callable[[str], None]) -> list[Written]:
    """Write all tables, and `snapshots` last."""
    rows, facts, written = SnapshotRows(snapshot), {FACT: snapshot.name}, []
    for table in CONTENT:
        step(table.name)
        stream = _Stream(table, rows.batches(table))
        with stream.reasons():
            version = lake.replace(table, stream.reader(), facts)
        written.append(Written(table.name, version, stream.rows))
    step(SNAPSHOTS.name)
    lake.append(SNAPSHOTS, _record(snapshot.name, written), facts)
    return written


def _check(lake: Lake, table: Table) -> None:
    """Refuse a table of the same name that is not ours."""
    found = lake.fields(table)
    if found is None or found == lake.expected(table):
        return
    expected = lake.expected(table)
    differing = sorted(name for name in {*found, *expected} if found.get(name) != expected.get(name))
    raise ExportError(
        f"{lake.place} has a table {table.name} with other columns ({', '.join(differing[:5])}): name another place"
    )


def _newest(lake: Lake, wanted: str) -> str | None:
    """The snapshot itself if it was exported, else the newest one that was; a newer one than the wanted is refused."""
    names = set(lake.read(SNAPSHOTS).column("snapshot").to_pylist())
    newest: str | None = wanted if wanted in names else max(names, default=None)
    if newest is not None and newest > wanted:
        raise ExportError(
            f"{lake.place} has the snapshot {newest}, which is newer than {wanted}: export snapshots in order of time"
        )
    return newest


def _record(snapshot: str, written: list[Written]) -> pa.Table:
    """The rows of `snapshots` for an export."""
    built, now = _built_at(snapshot), datetime.fromtimestamp(time.time(), timezone.utc)
    rows = [(snapshot, built, now, each.table, each.version, each.rows, VERSION, __version__) for each in written]
    return pa.Table.from_pylist([dict(zip(SNAPSHOTS.schema.names, row, strict=True)) for row in rows], SNAPSHOTS.schema)


def _built_at(snapshot: str) -> datetime | None:
    """The time with which a snapshot's name begins."""
    found = re.match(r"\d{8}T\d{6}", snapshot)
    return datetime.strptime(found[0], "%Y%m%dT%H%M%S").replace(tzinfo=timezone.utc) if found else None


class _Stream:
    """The rows of a table on their way to a library: counted, and with the error that ended them, which libraries tell at length."""

    def __init__(self, table: Table, batches: Iterator[pa.RecordBatch]) -> None:
        self._table = table
        self._batches = batches
        self._failure: Exception | None = None
        self.rows = 0

    def reader(self) -> pa.RecordBatchReader:
        return pa.RecordBatchReader.from_batches(self._table.schema, self._watched())

    def _watched(self) -> Iterator[pa.RecordBatch]:
        try:
            for batch in self._batches:
                self.rows += batch.num_rows
                yield batch
        except Exception as error:
            self._failure = error
            raise

    @contextmanager
    def reasons(self) -> Iterator[None]:
        """Say that the rows could not be read, if that is why they could not be written."""
        try:
            yield
        except ExportError as error:
            if self._failure is None:
                raise
            if not isinstance(self._failure, (OSError, StorageError, ValueError)):
                raise self._failure from error
            raise ExportError(f"{self._table.name} cannot be read from the store: {one_line(self._failure)}") from error
