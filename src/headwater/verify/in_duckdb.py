"""A DuckDB database in memory in which statements run: it reaches no file, and no other program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import duckdb
from sqlglot import exp

from headwater.model.entity import TableName
from headwater.verify.database import MOST, SECONDS, CannotRun, Database, Effort, Row, plain, quoted, scalar
from headwater.verify.deadline import Deadline

_HOPELESS = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException)
"""What no other data would help."""
_TOO_MUCH = (duckdb.InterruptException, duckdb.OutOfMemoryException)
"""What takes so long that it is not tried again and again."""


class DuckDB(Database):
    """A DuckDB with tables in it."""

    effort = Effort(data_sets=3, tries=80, patience=5, changes=5, looks=15, stumbles=12, shakes=12)

    def __init__(self) -> None:
        super().__init__()
        settings: dict[str, str | bool | int | float | list[str]] = {
            "python_enable_replacements": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "threads": "1",
            "memory_limit": "1GB",
        }
        self._connection = duckdb.connect(config=settings)
        self._deadline = Deadline(self._connection.interrupt)
        self._places: set[TableName] = set()
        self._connection.execute("SET TimeZone = 'UTC'")
        self._connection.execute("SELECT setseed(0.5)")

    def close(self) -> None:
        """Forget everything."""
        self._deadline.close()
        self._connection.close()

    def shut(self) -> None:
        """From here on nothing outside of the database can be reached."""
        self.run("SET enable_external_access = false")

    def create(self, name: TableName, columns: Mapping[str, exp.DataType], filled: bool) -> None:
        """Make an empty table."""
        listed = ", ".join(f"{_quoted((column,))} {kind.sql('duckdb')}" for column, kind in columns.items())
        self.make_place(name)
        self.run(f"CREATE OR REPLACE TABLE {_quoted(name)} ({listed})")

    def make_place(self, name: TableName) -> None:
        """Make the schema in which a table is to be."""
        place = name[:-1]
        if not place or place in self._places:
            return
        self._places.add(place)
        if len(place) > 1 and place[:1] not in self._places:
            self._places.add(place[:1])
            self.run(f"ATTACH ':memory:' AS {_quoted(place[:1])}")
        self.run(f"CREATE SCHEMA IF NOT EXISTS {_quoted(place)}")

    def use(self, place: TableName) -> None:
        """Look for unqualified tables in a schema."""
        self.make_place((*place, ""))
        self.run(f"USE {_quoted(place)}")

    def replace(self, name: TableName, rows: Sequence[Sequence[Any]]) -> None:
        """Put rows in the place of those that are there."""
        self.run(f"DELETE FROM {_quoted(name)}")
        if rows:
            values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
            self.run(f"INSERT INTO {_quoted(name)} VALUES {values}")

    def written(self, sql: str, shown: str, target: TableName) -> list[Row]:
        """What is shown after a statement that writes, which is undone."""
        self.run("BEGIN")
        try:
            self.run(sql)
            return self.run(shown)
        finally:
            with suppress(CannotRun):
                self.run("ROLLBACK")

    def run(self, sql: str) -> list[Row]:
        """Run something, not for too long."""
        try:
            with self._deadline.within(SECONDS):
                cursor: duckdb.DuckDBPyConnection | None = self._connection.execute(sql)
                if cursor is None:
                    raise CannotRun("there is nothing to run")
                rows = cursor.fetchmany(MOST + 1) if cursor.description else []
        except (duckdb.Error, OverflowError, ValueError) as error:
            raise CannotRun(_said(error), not isinstance(error, _HOPELESS), isinstance(error, _TOO_MUCH)) from error
        if len(rows) > MOST:
            raise CannotRun(f"its result has more than {MOST:,} rows")
        return [tuple(map(plain, row)) for row in rows]


def _said(error: Exception) -> str:
    """What DuckDB says; where it was stopped by us, why."""
    if isinstance(error, duckdb.InterruptException):
        return f"it takes more than {SECONDS:g} seconds"
    return str(error).strip().splitlines()[0]


def _quoted(name: Sequence[str]) -> str:
    return quoted(name, "duckdb")


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(name)}: {_literal(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, tuple):
        return "MAP {" + ", ".join(f"{_literal(key)}: {_literal(inner)}" for key, inner in value) + "}"
    return scalar(value)
