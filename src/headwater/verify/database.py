"""Where statements run: what both databases, DuckDB and Spark, can do. Neither reaches anything of the user's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlglot import exp

from headwater.model.entity import TableName

Row = tuple[Any, ...]
Data = dict[TableName, list[list[Any]]]
"""The rows of tables."""
SECONDS = 5.0
"""How long one run may take."""
MOST = 20_000
"""Rows of a result that is not too large to compare."""


class CannotRun(Exception):
    """The database refuses a statement; the message is its own."""

    def __init__(self, message: str, by_data: bool = True, slow: bool = False) -> None:
        """*by_data*: whether other data might do; *slow*: whether it took too long, or all memory."""
        super().__init__(message)
        self.by_data = by_data
        self.slow = slow


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is run for one statement."""

    data_sets: int
    """Data sets on which everything is changed."""
    tries: int
    """Data sets that are made in the hope of one on which the result is neither empty nor a matter of chance."""
    patience: int
    """Data sets without a new proof after which no other is sought."""
    changes: int
    """Changes of each source, on each data set."""
    looks: int
    """Data sets on which that is changed which is said to have no influence."""
    stumbles: int
    """Data sets on which a statement may fail before it counts as one that cannot run."""
    shakes: int
    """How often ties are broken by chance: two rows fall as they were in half of all attempts."""


class Database(ABC):
    """A database with tables in it, whose rows are replaced when the next statement runs."""

    effort: Effort

    def __init__(self) -> None:
        self._held: Data = {}
        self._wanted: Data = {}

    def fill(self, name: TableName, rows: list[list[Any]]) -> None:
        """Replace a table's rows by others."""
        self._wanted[name] = rows

    def result(self, sql: str, shown: str | None, target: TableName | None) -> list[Row]:
        """The rows that a statement gives; or those that *shown* gives after it, when all it did to *target* is undone."""
        for name, rows in self._wanted.items():
            if self._held.get(name) != rows:
                self.replace(name, rows)
                self._held[name] = rows
        return self.run(sql) if shown is None or target is None else self.written(sql, shown, target)

    @abstractmethod
    def create(self, name: TableName, columns: Mapping[str, exp.DataType], filled: bool) -> None:
        """Make an empty table; one that is not *filled* is only written."""

    @abstractmethod
    def make_place(self, name: TableName) -> None:
        """Make the schema in which a table is to be."""

    @abstractmethod
    def use(self, place: TableName) -> None:
        """Look for unqualified tables in a schema."""

    @abstractmethod
    def replace(self, name: TableName, rows: Sequence[Sequence[Any]]) -> None:
        """Put rows in the place of those that are there."""

    @abstractmethod
    def written(self, sql: str, shown: str, target: TableName) -> list[Row]:
        """What is shown after a statement that writes, which is undone."""

    @abstractmethod
    def run(self, sql: str) -> list[Row]:
        """Run something, not for too long."""

    def shut(self) -> None:  # noqa: B027 - there may be nothing to shut
        """From here on nothing outside of the database can be reached."""

    @abstractmethod
    def close(self) -> None:
        """Forget everything."""


def quoted(name: Sequence[str], engine: str) -> str:
    """A dotted name, quoted; Spark has one catalog here."""
    mark, parts = ('"', name) if engine == "duckdb" else ("`", name[-2:])
    return ".".join(mark + part.replace(mark, 2 * mark) + mark for part in parts)


def plain(value: Any) -> Any:
    """A value that can be counted and compared: the last digits of a float are chance."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    return value if value is None or isinstance(value, (int, str, bool)) else repr(value)


def bag(rows: Sequence[Row], columns: Sequence[int]) -> Counter[Row]:
    """Some columns of rows, whatever the order of the rows."""
    return Counter(tuple(row[c] for c in columns) for row in rows)


def scalar(value: Any) -> str:
    """A value that is neither a text nor made of others, as SQL that both databases read."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
    return f"DATE '{value.isoformat()}'" if isinstance(value, date) else str(value)
