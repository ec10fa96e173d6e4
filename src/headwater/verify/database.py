"""A DuckDB database in memory in which statements run: it reaches no file, and no other program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Timer
from typing import Any

import duckdb
from sqlglot import exp

from headwater.model.entity import TableName

Row = tuple[Any, ...]
Data = dict[TableName, list[list[str]]]
"""The rows of tables, their values as SQL."""
_SECONDS = 5.0
"""How long one run may take."""
_MOST = 200_000
"""Rows of a result that is not too large to compare."""


class CannotRun(Exception):
    """The database refuses a statement; the message is its own."""

    @property
    def by_data(self) -> bool:
        """Whether other data might do."""
        return not isinstance(self.__cause__, (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException))


class Database:
    """A database with tables in it."""

    def __init__(self) -> None:
        settings: dict[str, str | bool | int | float | list[str]] = {
            "python_enable_replacements": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "threads": "1",
            "memory_limit": "1GB",
        }
        self._connection = duckdb.connect(config=settings)
        self._places: set[TableName] = set()
        self._connection.execute("SET TimeZone = 'UTC'")

    def close(self) -> None:
        """Forget everything."""
        self._connection.close()

    def shut(self) -> None:
        """From here on nothing outside of the database can be reached."""
        self.run("SET enable_external_access = false")

    def create(self, name: TableName, columns: Mapping[str, exp.DataType]) -> None:
        """Make an empty table."""
        listed = ", ".join(f"{quoted((column,))} {kind.sql('duckdb')}" for column, kind in columns.items())
        self.make_place(name)
        self.run(f"CREATE OR REPLACE TABLE {quoted(name)} ({listed})")

    def make_place(self, name: TableName) -> None:
        """Make the schema in which a table is to be."""
        place = name[:-1]
        if not place or place in self._places:
            return
        self._places.add(place)
        if len(place) > 1 and place[:1] not in self._places:
            self._places.add(place[:1])
            self.run(f"ATTACH ':memory:' AS {quoted(place[:1])}")
        self.run(f"CREATE SCHEMA IF NOT EXISTS {quoted(place)}")

    def use(self, place: TableName) -> None:
        """Look for unqualified tables in a schema."""
        self.make_place((*place, ""))
        self.run(f"USE {quoted(place)}")

    def fill(self, name: TableName, rows: Sequence[Sequence[str]]) -> None:
        """Replace a table's rows by others, whose values are SQL."""
        self.run(f"DELETE FROM {quoted(name)}")
        if rows:
            values = ", ".join(f"({', '.join(row)})" for row in rows)
            self.run(f"INSERT INTO {quoted(name)} VALUES {values}")

    def result(self, sql: str, shown: str | None) -> list[Row]:
        """The rows that a statement gives; or those that *shown* gives after it, when all it did is undone."""
        if shown is None:
            return self.run(sql)
        self.run("BEGIN")
        try:
            self.run(sql)
            return self.run(shown)
        finally:
            with suppress(CannotRun):
                self.run("ROLLBACK")

    def run(self, sql: str) -> list[Row]:
        """Run something, not for too long."""
        timer = Timer(_SECONDS, self._connection.interrupt)
        timer.start()
        try:
            cursor: duckdb.DuckDBPyConnection | None = self._connection.execute(sql)
            if cursor is None:
                raise CannotRun("there is nothing to run")
            rows = cursor.fetchmany(_MOST + 1) if cursor.description else []
            if len(rows) > _MOST:
                raise CannotRun(f"its result has more than {_MOST:,} rows")
            return [tuple(map(_plain, row)) for row in rows]
        except (duckdb.Error, OverflowError, ValueError) as error:
            raise CannotRun(str(error).strip().splitlines()[0]) from error
        finally:
            timer.cancel()


def quoted(name: Sequence[str]) -> str:
    """A dotted name, quoted."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in name)


def _plain(value: Any) -> Any:
    """A value that can be counted and compared: the last digits of a float are chance."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    return value if value is None or isinstance(value, (int, str, bool)) else repr(value)


def bag(rows: Sequence[Row], columns: Sequence[int]) -> Counter[Row]:
    """Some columns of rows, whatever the order of the rows."""
    return Counter(tuple(row[c] for c in columns) for row in rows)
