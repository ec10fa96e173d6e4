"""A database through SQLAlchemy's inspector, by its bulk methods: a handful of queries for any number of tables of a schema."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import create_engine, event, inspect, text
from sqlalchemy.engine.reflection import ObjectKind
from sqlalchemy.exc import CompileError, UnsupportedCompilationError
from sqlalchemy.pool import NullPool

from headwater.catalog import mysql
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
from headwater.catalog.facts import Facts
from headwater.catalog.failure import CatalogRefused, CatalogUnavailable, unless_refused
from headwater.catalog.queries import in_parts
from headwater.catalog.stamps import stamps_of
from headwater.catalog.url import Address
from headwater.catalog.view_sql import creating, definitions
from headwater.model.entity import TableName
from headwater.sql.dialect import dialect

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Inspector

Answer = TypeVar("Answer")
_COLUMNS_UNREAD = "its columns cannot be read"
_SQL_UNREAD = "its SQL cannot be read"
_SECONDS_OF_REFUSALS = 60.0


@contextmanager
def inspected(address: Address, sign: Callable[[], None] = lambda: None) -> Iterator[InspectedDatabase]:
    """A database, connected; *sign* is called when a statement begins and when it is answered."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about types that SQLAlchemy does not know
        _look(address)
        engine = _engine(address)
        for moment in ("before_cursor_execute", "after_cursor_execute"):
            event.listen(engine, moment, lambda *_: sign())
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
        self._address = address
        self._platform = address.platform
        self._spoken = dialect(address.platform.dialect)
        self._inspector: Inspector = inspect(connection)
        self._outer = self._database()
        self._path = self._search_path()
        connection.commit()  # a question that is refused ends its transaction, and must not undo the search path

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
        """The tables and views of a schema, and their kinds; `CatalogRefused` if the database does not list them."""
        return self._asking(lambda: self._listed(schema))

    def _listed(self, schema: TableName) -> Mapping[str, str]:
        if self._platform.name in mysql.NAMES:
            return mysql.relations_of(self._connection, schema[-1])
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
                    inside = name.startswith(f"{asked}.")  # BigQuery's begin with their dataset
                    found[self._own(name.removeprefix(f"{asked}.") if inside else name)] = kind
        return found

    def stamps(self, schema: TableName, tables: Sequence[str]) -> Mapping[str, str]:
        """What changes when a table changes; nothing where the database refuses to tell."""
        try:
            return self._asking(lambda: stamps_of(self._connection, self._platform.name, schema[-1], tables))
        except CatalogRefused:
            return {}

    def described(self, schema: TableName, tables: Mapping[str, str], whole: bool) -> Iterable[TableDescription]:
        """Some tables of a schema, given with their kinds; *whole* says that these are all there are."""
        names = list(tables)
        for some in [names] if whole else in_parts(names):
            facts = self._facts(schema, some, whole, any(tables[name] not in VIEWS for name in some))
            sql = self._definitions(schema, [name for name in some if tables[name] in VIEWS], facts)
            for name in some:
                yield self._description(schema, name, tables[name], facts, sql.get(name, ""))

    def _facts(self, schema: TableName, names: Sequence[str], whole: bool, tables: bool) -> Facts:
        if self._platform.name in mysql.NAMES:
            return mysql.facts_of(self._connection, schema[-1], names)
        facts = Facts()

        def found(what: str, method: str, kind: ObjectKind) -> Iterable[tuple[str, Any]]:
            return self._multiple(what, method, schema, names, whole, kind, facts)

        for table, columns in found("columns", "get_multi_columns", ObjectKind.ANY):
            facts.columns[table] = tuple(map(self._column, columns))
        for table, comment in found("comment", "get_multi_table_comment", ObjectKind.ANY):
            facts.comments[table] = str((comment or {}).get("text") or "")
        if tables:
            for table, key in found("primary key", "get_multi_pk_constraint", ObjectKind.TABLE):
                facts.primary_keys[table] = tuple(map(self._own, (key or {}).get("constrained_columns") or ()))
            for table, keys in found("foreign keys", "get_multi_foreign_keys", ObjectKind.TABLE):
                facts.foreign_keys[table] = tuple(self._foreign_key(schema, each) for each in keys or ())
        return facts

    def _definitions(self, schema: TableName, views: Sequence[str], facts: Facts) -> Mapping[str, str]:
        """The SQL of views; that of each by itself where the database refuses the question about all."""

        def asked(some: Sequence[str]) -> list[tuple[str, str]]:
            place = (self._platform.name, schema[-1])
            return self._asking(lambda: list(definitions(self._connection, self._inspector, *place, some)))

        try:
            return dict(asked(views)) if views else {}
        except CatalogRefused:
            return dict(_one_by_one("SQL", views, asked, facts))

    def _description(self, schema: TableName, table: str, kind: str, facts: Facts, definition: str) -> TableDescription:
        name = (*schema, table)
        return TableDescription(
            name,
            kind,
            facts.columns.get(table, ()),
            creating(name, kind, definition, self._spoken),
            facts.primary_keys.get(table, ()),
            facts.foreign_keys.get(table, ()),
            facts.comments.get(table, ""),
            problem="; ".join(self._problems(table, kind, facts, definition)),
        )

    def _problems(self, table: str, kind: str, facts: Facts, definition: str) -> list[str]:
        """What of a table could not be read: also what the database passes over in silence."""
        found = facts.problems.get(table, [])
        if table not in facts.columns and not any(each.startswith(_COLUMNS_UNREAD) for each in found):
            found = [*found, f"{_COLUMNS_UNREAD}: the database lists none"]
        if kind in VIEWS and not definition.strip() and not any(each.startswith(_SQL_UNREAD) for each in found):
            right = self._platform.view_right
            found = [*found, f"{_SQL_UNREAD}: that takes {right}" if right else f"{_SQL_UNREAD}: the database has none"]
        return found

    def _column(self, said: Any) -> ColumnDescription:
        nullable = said.get("nullable")
        return ColumnDescription(
            self._own(said["name"]),
            self._type(said["type"]),
            None if nullable is None else bool(nullable),
            str(said.get("comment") or ""),
            generated=str((said.get("computed") or {}).get("sqltext") or ""),
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

    def _multiple(
        self,
        what: str,
        method: str,
        schema: TableName,
        names: Sequence[str],
        whole: bool,
        kind: ObjectKind,
        facts: Facts,
    ) -> Iterator[tuple[str, Any]]:
        """What one of the inspector's bulk methods says of tables of a schema; nothing where the dialect has no such thing.

        Where the database refuses the question about all of them, each is asked for by itself, and what it refuses then is noted.
        """

        def asked(some: Sequence[str] | None) -> list[tuple[str, Any]]:
            def question() -> list[tuple[str, Any]]:
                found = getattr(self._inspector, method)(self._asked(schema[-1]), some, kind=kind)
                return [(self._own(table), said) for (_, table), said in found.items()]

            return self._asking(question)

        with suppress(NotImplementedError):
            try:
                yield from asked(None if whole else [self._asked(name) for name in names])
            except CatalogRefused:
                yield from _one_by_one(what, names, lambda some: asked([self._asked(name) for name in some]), facts)

    def _asking(self, question: Callable[[], Answer]) -> Answer:
        return unless_refused(self._connection, self._address, question)

    def _own(self, name: Any) -> str:
        """A name as the database itself has it, where SQLAlchemy shows upper case as lower; a lower one is a `quoted_name` then."""
        spoken = self._connection.dialect
        return str(spoken.denormalize_name(name) if spoken.requires_name_normalize and isinstance(name, str) else name)

    def _asked(self, name: str) -> str:
        """A name as SQLAlchemy wants to be asked for it."""
        spoken = self._connection.dialect
        return str(spoken.normalize_name(name) if spoken.requires_name_normalize else name)


def _one_by_one(
    what: str, names: Sequence[str], asked: Callable[[Sequence[str]], Iterable[tuple[str, Answer]]], facts: Facts
) -> Iterator[tuple[str, Answer]]:
    """What is told of tables that are asked for one by one; what is refused is noted, and refusals may take so much time only."""
    deadline, why = monotonic() + _SECONDS_OF_REFUSALS, ""
    for name in names:
        try:
            if not (why and monotonic() > deadline):
                yield from asked([name])
                continue
        except CatalogRefused as error:
            why = str(error)
        facts.problems[name].append(f"its {what} cannot be read: {why}")
