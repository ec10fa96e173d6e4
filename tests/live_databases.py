"""Databases to pull catalogs from, and what was asked of them: shared by the tests of live catalogs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import NullPool

from headwater.catalog.cache import Cache
from headwater.catalog.description import TableDescription
from headwater.catalog.live import LiveDatabase
from headwater.catalog.pull import Asking, Pulled, Scope, pull
from headwater.catalog.wanted import wanted_by

_numbers = itertools.count()


def new_database(server: Any, *statements: str) -> str:
    """The URL of a new database of a PostgreSQL server, filled by some statements."""
    name = f"catalog_{next(_numbers)}"
    server.psql(f"CREATE DATABASE {name};")
    url = str(server.get_uri(name))
    execute(url, *statements)
    return url


def many_tables(count: int) -> str:
    """A statement that makes so many tables, `t0` and on, in a PostgreSQL database."""
    create = "'CREATE TABLE t' || i || ' (id int, v' || i || ' numeric)'"
    commit = "IF mod(i, 500) = 0 THEN COMMIT; END IF;"  # locks are kept until then
    return f"DO $$ BEGIN FOR i IN 0..{count - 1} LOOP EXECUTE {create}; {commit} END LOOP; END $$"


def execute(url: str, *statements: str) -> None:
    """Run statements in a database, each in a transaction of its own."""
    engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def pulled(url: str, sql: str | None = None, cache: Path | None = None, **asking: Any) -> Pulled:
    """What is pulled out of a database: all of it, or what some SQL in its dialect refers to."""
    live = LiveDatabase.at(url)
    scope = Scope(*(asking.pop(name, ()) for name in ("only", "exclude")), asking.pop("system", False))
    wanted = None if sql is None else wanted_by([(sql, live.dialect)])
    views = asking.pop("views", True)
    return pull(live, Asking(Cache(cache) if cache else None, scope=scope, **asking), wanted, views=views)


def names(found: Pulled) -> list[str]:
    """The names of what was pulled."""
    return [".".join(table.name) for table in found.tables]


def table(found: Pulled, name: str) -> TableDescription:
    """One of the tables."""
    (one,) = [each for each in found.tables if ".".join(each.name) == name]
    return one


@contextmanager
def statements_sent() -> Iterator[list[str]]:
    """The statements that are sent to databases inside."""
    sent: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Sequence[Any], *rest: Any) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)
