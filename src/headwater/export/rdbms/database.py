"""Writing a feed into a database: all of it in one transaction, or nothing; and errors in one line, without the password."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote, quote_plus

from sqlalchemy import URL, Connection, Table, create_engine, delete, func, insert, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from headwater import __version__
from headwater.export.feed import Feed
from headwater.export.format import Choices, ExportError
from headwater.export.qualified_names import QualifiedNames, digest
from headwater.export.rdbms import tables
from headwater.export.rdbms.dialects import DIALECTS, PARENT
from headwater.export.rdbms.rows import Rows
from headwater.export.rdbms.upsert import Upserts

_COUNTED = {
    "objects": tables.OBJECT_FACTS,
    "columns": tables.COLUMN_FACTS,
    "column relations": tables.RELATIONS,
    "table relations": tables.TABLE_RELATIONS,
}
_BESIDE = {tables.OBJECT_FACTS: tables.OBJECTS, tables.COLUMN_FACTS: tables.COLUMNS}
"""The model reference's table of which one of ours holds the rest."""


def store(feed: Feed, url: str, choices: Choices) -> str:
    """Write a feed into the database of a URL; gives what is there now, in words."""
    names = QualifiedNames(feed, choices.cluster)
    where = _parsed(url)
    with _explained(where):
        engine = create_engine(where, poolclass=NullPool)
        with engine.begin() as connection:
            tables.METADATA.create_all(connection)
            said = _Export(connection, feed, names).write(choices.prune)
    return f"{where.render_as_string(hide_password=True)} holds cluster {names.cluster}: {said}"


class _Export:
    """One export of a cluster into an open transaction."""

    def __init__(self, connection: Connection, feed: Feed, names: QualifiedNames) -> None:
        self._connection = connection
        self._feed = feed
        self._names = names

    def write(self, prune: bool) -> str:
        """Write everything; gives what was done, in words."""
        self._write_dialects()
        number = self._begin()
        upserts = Upserts(self._connection)
        own = {"cluster": self._names.cluster, "seen": number}
        rows = Rows(self._feed, self._names, self._known)
        for table, row in rows:
            upserts.add(table, {**row, **own} if "seen" in table.c else row)
        upserts.finish()
        there = [f"{self._count(table, number)} {what}" for what, table in _COUNTED.items()]
        gone = [f"{count} {what}" for what, table in _COUNTED.items() if (count := self._count_gone(table, number))]
        if gone and prune:
            for table in _COUNTED.values():
                self._delete_gone(table, number)
        said = [", ".join(there)]
        if gone:
            said.append(f"{'deleted' if prune else 'kept'}, of earlier exports: {', '.join(gone)}")
        if rows.untold:
            said.append(f"left out: {rows.untold} results of queries without sources")
        return "; ".join(said)

    def _write_dialects(self) -> None:
        objects = tables.OBJECTS.c
        found = self._connection.execute(select(objects.qualified_name).where(objects.object_type == "sqldialect"))
        known = set(found.scalars())
        rows = [
            {"guid": guid, "parent_id": PARENT, "qualified_name": name, "object_type": "sqldialect"}
            for name, guid in {**DIALECTS, **self._other_dialect()}.items()
            if name not in known
        ]
        if rows:
            self._connection.execute(insert(tables.OBJECTS), rows)

    def _other_dialect(self) -> dict[str, str]:
        dialect = self._names.dialect
        return {} if dialect in DIALECTS else {dialect: digest("sqldialect", dialect)}

    def _begin(self) -> int:
        """The number of this export of the cluster. Its row is locked from here on, so that exports of one cluster wait for each other."""
        upserts = Upserts(self._connection)
        exports = tables.EXPORTS.c
        mine = exports.cluster == self._names.cluster
        last = self._connection.execute(select(exports.number).where(mine).with_for_update()).scalar()
        number = (last or 0) + 1
        row = {
            "cluster": self._names.cluster,
            "number": number,
            "format_version": tables.VERSION,
            "headwater_version": __version__,
            "dialect": self._names.dialect,
            "level": self._feed.scope.level,
            "impact": self._feed.scope.impact,
        }
        upserts.add(tables.EXPORTS, row)
        upserts.finish()
        return number

    def _known(self, type: str, name: str) -> str | None:
        objects = tables.OBJECTS.c
        same = (objects.qualified_name == name) & (objects.object_type == type)
        return self._connection.execute(select(objects.guid).where(same)).scalar()

    def _count(self, table: Table, number: int) -> int:
        seen = (table.c.cluster == self._names.cluster) & (table.c.seen == number)
        return self._connection.execute(select(func.count()).select_from(table).where(seen)).scalar_one()

    def _count_gone(self, table: Table, number: int) -> int:
        gone = (table.c.cluster == self._names.cluster) & (table.c.seen != number)
        return self._connection.execute(select(func.count()).select_from(table).where(gone)).scalar_one()

    def _delete_gone(self, table: Table, number: int) -> None:
        gone = (table.c.cluster == self._names.cluster) & (table.c.seen != number)
        beside = _BESIDE.get(table)
        if beside is not None:
            self._connection.execute(delete(beside).where(beside.c.guid.in_(select(table.c.guid).where(gone))))
        self._connection.execute(delete(table).where(gone))


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        raise ExportError(
            "this is not a database URL: sqlite:///lineage.db and postgresql://user@host/name are some"
        ) from None


@contextmanager
def _explained(url: URL) -> Iterator[None]:
    """Turns what databases and drivers raise into an `ExportError`, which has no cause that would show the password."""
    shown = url.render_as_string(hide_password=True)
    try:
        yield
    except NoSuchModuleError:
        raise ExportError(f"{shown}: no SQLAlchemy dialect of that name is installed") from None
    except ModuleNotFoundError as missing:
        raise ExportError(f"{shown}: its driver is not installed: pip install {missing.name}") from None
    except DBAPIError as error:
        raise ExportError(f"{shown}: {_one_line(error.orig, url)}") from None
    except (SQLAlchemyError, UnicodeError) as error:
        raise ExportError(f"{shown}: {_one_line(error, url)}") from None


def _one_line(error: BaseException | None, url: URL) -> str:
    """What went wrong, in one line, without the password."""
    said = " ".join(str(error).split())[:500]
    password = str(url.password or "")
    for secret in sorted({password, quote(password), quote_plus(password)} - {""}, key=len, reverse=True):
        said = said.replace(secret, "***")
    return said or "the database refuses"
