"""Rows that are written over those of the same key, in batches; on every database that SQLAlchemy speaks to."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table, and_, bindparam, insert, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import Insert

from headwater.export.rdbms.tables import KEPT, KEYS

BATCH = 1000
"""Rows of one table that are held before they are written."""

_WITH_CONFLICTS = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}
"""Databases with INSERT … ON CONFLICT."""


class Upserts:
    """Takes rows, and writes them some at a time."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._waiting: dict[Table, dict[tuple[object, ...], dict[str, Any]]] = {}

    def add(self, table: Table, row: dict[str, Any]) -> None:
        """Take a row; one of the same key that waits is replaced by it."""
        waiting = self._waiting.setdefault(table, {})
        waiting[tuple(row[column] for column in _key(table))] = row
        if len(waiting) >= BATCH:
            self._write(table)

    def finish(self) -> None:
        """Write what waits."""
        for table in self._waiting:
            self._write(table)

    def _write(self, table: Table) -> None:
        rows = list(self._waiting[table].values())
        self._waiting[table].clear()
        if not rows:
            return
        inserting = _WITH_CONFLICTS.get(self._connection.dialect.name)
        if inserting is None:
            self._one_by_one(table, rows)
        else:
            self._connection.execute(_upsert(table, inserting(table)), rows)

    def _one_by_one(self, table: Table, rows: list[dict[str, Any]]) -> None:
        """For databases without ON CONFLICT: update, and insert what was not there."""
        same = and_(*(table.c[column] == bindparam(f"key_{column}") for column in _key(table)))
        values: dict[str, Any] = {column: bindparam(f"new_{column}") for column in _changed(table)}
        for row in rows:
            bound = {f"key_{c}": row[c] for c in _key(table)} | {f"new_{c}": row[c] for c in _changed(table)}
            if self._connection.execute(update(table).where(same).values(values), bound).rowcount == 0:
                self._connection.execute(insert(table), row)


def _upsert(table: Table, statement: Any) -> Insert:
    changes = {column: statement.excluded[column] for column in _changed(table)}
    found: Insert = statement.on_conflict_do_update(index_elements=list(_key(table)), set_=changes)
    return found


def _key(table: Table) -> tuple[str, ...]:
    return KEYS.get(table, ("guid",))


def _changed(table: Table) -> list[str]:
    return [column.name for column in table.columns if column.name not in (*_key(table), *KEPT)]
