"""A live catalog, whoever answers for it: where it is, how it is connected to, and the questions that it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from headwater.catalog.description import TableDescription
from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect


class Database(Protocol):
    """A database, or another catalog, that can be asked for its tables. Names are its own, in their own case."""

    def path(self) -> tuple[TableName, ...]:
        """The schemas in which it looks up unqualified names; the first is its default."""
        ...

    def schemas(self) -> tuple[TableName, ...]:
        """All its schemas."""
        ...

    def relations(self, schema: TableName) -> Mapping[str, str]:
        """The tables and views of a schema, and their kinds; a `CatalogRefused` if it does not list them."""
        ...

    def stamps(self, schema: TableName, tables: Sequence[str]) -> Mapping[str, str]:
        """What changes when a table changes; nothing for tables of which that cannot be told cheaply."""
        ...

    def described(self, schema: TableName, tables: Mapping[str, str], whole: bool) -> Iterable[TableDescription]:
        """Some tables of a schema, given with their kinds; *whole* says that these are all there are.

        What it refuses to tell of one of them is that table's `problem`.
        """
        ...


class Live(Protocol):
    """A catalog that can be connected to."""

    @property
    def place(self) -> str:
        """How it is shown: without user, password and options."""
        ...

    @property
    def key(self) -> str:
        """The name of its cache."""
        ...

    @property
    def dialect(self) -> Dialect:
        """The SQL that it speaks."""
        ...

    @property
    def system(self) -> tuple[str, ...]:
        """Patterns of the schemas that it keeps for itself."""
        ...

    def connected(self) -> AbstractContextManager[Database]:
        """A connection; a `CatalogUnavailable` says why there is none."""
        ...

    def explained(self) -> AbstractContextManager[None]:
        """Makes a `CatalogUnavailable`, without secrets, of whatever a question raises."""
        ...
