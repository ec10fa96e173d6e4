"""A database through SQLAlchemy's inspector, by its bulk methods: a handful of queries for any number of tables of a schema."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine.reflection import ObjectKind
from sqlalchemy.exc import CompileError, UnsupportedCompilationError
from sqlalchemy.pool import NullPool

from headwater.catalog.description import (
    EXTERNAL_TABLE,
    MATERIALIZED_VIEW,
    TABLE,
    VIEW,
    VIEWS,
    ColumnDescription,
    ForeignKey,
    TableDescription,
)
from headwater.catalog.failure import CatalogUnavailable
from headwater.catalog.queries import in_parts
from headwater.catalog.stamps import stamps_of
from headwater.catalog.url import Address
from headwater.catalog.view_sql import creating, definitions
from headwater.model.entity import TableName
from headwater.sql.dialect import dialect

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Inspector

Found = Mapping[str, Any]
"""What the inspector says of tables, by their names."""


@contextmanager
def inspected(address: Address) -> Iterator[InspectedDatabase]:
    """A database, connected."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about types that SQLAlchemy does not know
        _look(address)
        engine = _engine(address)
        try:
            with engine.connect() as connection:
                yield InspectedDatabase(connection, address)
        finally:
            engine.dispose()


def _look(address: Address) -> None:
    """Refuse a file that is not there: the driver would make an empty one."""
    file = address.url.database
    if address.platform.is_file and file and file != ":memory:" and not os.path.exists(file.removeprefix("file:")):
        raise CatalogUnavailable(f"{address.place} cannot be read: there is no such file")


def _engine(address: Address) -> Engine:
    driver = address.url.drivername.partition("+")[2]
    usual = driver == address.platform.driver
    given = address.url.query
    arguments = {name: value for name, value in address.platform.connect.items() if usual and name not in given}
    if address.platform.is_file and address.url.database in (None, "", ":memory:"):
        arguments = {}
    return create_engine(address.url, poolclass=NullPool, connect_args=arguments, hide_parameters=True)


class InspectedDatabase:
    """A connected database; answers as a `Database`."""

    def __init__(self, connection: Connection, address: Address) -> None:
        self._connection = connection
        self._platform = address.platform
        self._spoken = dialect(address.platform.dialect)
        self._inspector: Inspector = inspect(connection)
        self._outer = self._database()
        self._path = self._search_path()

    def _search_path(self) -> tuple[TableName, ...]:
        names: list[Any] = []
        if self._platform.search_path:
            names = list(self._connection.execute(text(self._platform.search_path)).scalar_one())
        elif self._inspector.default_schema_name:
            names = [self._own(self._inspector.default_schema_name)]
        return tuple((*self._outer, str(name)) for name in names)

    def _database(self) -> TableName:
        """The database's own name, where it is part of a table's."""
        if not self._platform.database:
            return ()
        return tuple(str(name) for name in self._values(self._platform.database)[:1] if name)

    def _values(self, query: str) -> list[Any]:
        return list(self._connection.execute(text(query)).scalars())

    def path(self) -> tuple[TableName, ...]:
        """The schemas in which it looks up unqualified names; the first is its default."""
        return self._path

    def schemas(self) -> tuple[TableName, ...]:
        """All its schemas."""
        if self._platform.schemas:
            return tuple((*self._outer, str(name)) for name in self._values(self._platform.schemas))
        return tuple((*self._outer, self._own(name)) for name in self._inspector.get_schema_names())

    def relations(self, schema: TableName) -> Mapping[str, str]:
        """The tables and views of a schema, and their kinds."""
        asked = self._asked(schema[-1])
        kinds: tuple[tuple[str, Callable[[str], list[str]] | None], ...] = (
            (TABLE, self._inspector.get_table_names),
            (EXTERNAL_TABLE, getattr(self._inspector, "get_foreign_table_names", None)),
            (VIEW, self._inspector.get_view_names),
            (MATERIALIZED_VIEW, self._inspector.get_materialized_view_names),
        )
        found: dict[str, str] = {}
        for kind, names in kinds:
            with suppress(NotImplementedError):
                for name in names(asked) if names is not None else ():
                    found[self._own(name.removeprefix(f"{asked}."))] = kind  # BigQuery's begin with their dataset
        return found

    def stamps(self, schema: TableName, tables: Sequence[str]) -> Mapping[str, str]:
        """What changes when a table changes."""
        return stamps_of(self._connection, self._platform.name, schema[-1], tables)

    def described(self, schema: TableName, tables: Mapping[str, str], whole: bool) -> Iterable[TableDescription]:
        """Some tables of a schema, given with their kinds; *whole* says that these are all there are."""
        names = list(tables)
        views = [name for name in names if tables[name] in VIEWS]
        for some in [names] if whole else in_parts(names):
            facts = _Facts(self, schema, some, whole, any(tables[name] not in VIEWS for name in some))
            sql = dict(self._definitions(schema, [name for name in views if name in set(some)]))
            for name in some:
                yield self._description(schema, name, tables[name], facts, sql.get(name, ""))

    def _definitions(self, schema: TableName, views: Sequence[str]) -> Iterable[tuple[str, str]]:
        if not views:
            return ()
        return definitions(self._connection, self._inspector, self._platform.name, schema[-1], views)

    def _description(
        self, schema: TableName, table: str, kind: str, facts: _Facts, definition: str
    ) -> TableDescription:
        name = (*schema, table)
        key = facts.primary_keys.get(table) or {}
        return TableDescription(
            name,
            kind,
            tuple(self._column(column) for column in facts.columns.get(table) or ()),
            creating(name, kind, definition, self._spoken),
            tuple(map(self._own, key.get("constrained_columns") or ())),
            tuple(self._foreign_key(schema, each) for each in facts.foreign_keys.get(table) or ()),
            str((facts.comments.get(table) or {}).get("text") or ""),
        )

    def _column(self, said: Any) -> ColumnDescription:
        nullable = said.get("nullable")
        comment = str(said.get("comment") or "")
        return ColumnDescription(
            self._own(said["name"]), self._type(said["type"]), None if nullable is None else bool(nullable), comment
        )

    def _type(self, type: Any) -> str:
        try:
            return str(type.compile(dialect=self._connection.dialect))
        except (CompileError, UnsupportedCompilationError):
            return ""

    def _foreign_key(self, schema: TableName, said: Any) -> ForeignKey:
        outer = (*self._outer, self._own(said["referred_schema"])) if said.get("referred_schema") else schema
        columns, referred = said["constrained_columns"], said["referred_columns"]
        table = (*outer, self._own(said["referred_table"]))
        return ForeignKey(tuple(map(self._own, columns)), table, tuple(map(self._own, referred)))

    def multiple(self, method: str, schema: TableName, names: Sequence[str], whole: bool, kind: ObjectKind) -> Found:
        """What one of the inspector's bulk methods says of tables of a schema; nothing where the dialect has no such thing."""
        asked = None if whole else [self._asked(name) for name in names]
        with suppress(NotImplementedError):
            found = getattr(self._inspector, method)(self._asked(schema[-1]), asked, kind=kind)
            return {self._own(table): said for (_, table), said in found.items()}
        return {}

    def _own(self, name: Any) -> str:
        """A name as the database itself has it, where SQLAlchemy shows upper case as lower."""
        spoken = self._connection.dialect
        return str(spoken.denormalize_name(str(name)) if spoken.requires_name_normalize else name)

    def _asked(self, name: str) -> str:
        """A name as SQLAlchemy wants to be asked for it."""
        spoken = self._connection.dialect
        return str(spoken.normalize_name(name) if spoken.requires_name_normalize else name)


class _Facts:
    """What the inspector says of some tables of a schema."""

    def __init__(
        self, database: InspectedDatabase, schema: TableName, names: Sequence[str], whole: bool, tables: bool
    ) -> None:
        def found(method: str, kind: ObjectKind) -> Found:
            return database.multiple(method, schema, names, whole, kind)

        self.columns = found("get_multi_columns", ObjectKind.ANY)
        self.comments = found("get_multi_table_comment", ObjectKind.ANY)
        self.primary_keys = found("get_multi_pk_constraint", ObjectKind.TABLE) if tables else {}
        self.foreign_keys = found("get_multi_foreign_keys", ObjectKind.TABLE) if tables else {}
