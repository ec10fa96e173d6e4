"""The programs of `tests/cases/programs` on PostgreSQL and MariaDB: no run with changed inputs contradicts their lineage."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
import pytest

from executed_programs import Row, findings, programs
from mariadb_server import MariaDBServer, mariadb_server

pytestmark = pytest.mark.slow

WORLDS = int(os.environ.get("HEADWATER_WORLDS", "12"))
PROVED = {"postgres": 45, "mysql": 30}
"""Pairs of columns that the runs prove at least, over all programs."""
_numbers = itertools.count()


class Postgres:
    """A PostgreSQL server that runs a script in a schema of its own, and forgets it."""

    dialect = "postgres"

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection

    def run(self, script: str, tables: Sequence[str]) -> dict[str, tuple[list[str], list[Row]]] | None:
        schema = f"run_{next(_numbers)}"
        self._connection.execute(f"CREATE SCHEMA {schema}; SET search_path = {schema}")
        try:
            self._connection.execute(script)
            return {table: self._rows(table) for table in tables}
        except psycopg.Error:
            return None
        finally:
            self._connection.execute(f"DROP SCHEMA {schema} CASCADE")

    def _rows(self, table: str) -> tuple[list[str], list[Row]]:
        cursor = self._connection.execute(f"SELECT * FROM {table}")
        return [column.name for column in cursor.description or ()], cursor.fetchall()


class MariaDB:
    """A MariaDB server that runs a script in a database of its own, and forgets it."""

    dialect = "mysql"

    def __init__(self, server: MariaDBServer) -> None:
        self._client = server.client

    def run(self, script: str, tables: Sequence[str]) -> dict[str, tuple[list[str], list[Row]]] | None:
        name = f"run_{next(_numbers)}"
        asked = [f"SELECT '#{table}'; SELECT * FROM {table};" for table in tables]
        columns = [
            f"SELECT JSON_ARRAYAGG(column_name ORDER BY ordinal_position) FROM information_schema.columns "
            f"WHERE table_schema = '{name}' AND table_name = '{table}';"
            for table in tables
        ]
        text = f"CREATE DATABASE {name}; USE {name};\n{script}\nSELECT '##';\n" + "\n".join([*columns, *asked])
        found = subprocess.run(self._client, input=text, capture_output=True, text=True, check=False)
        subprocess.run([*self._client, "-e", f"DROP DATABASE {name}"], capture_output=True, check=True)
        return None if found.returncode else _read(found.stdout, tables)


def _read(out: str, tables: Sequence[str]) -> dict[str, tuple[list[str], list[Row]]]:
    lines = out.rpartition("##\n")[2].splitlines()
    columns = {table: json.loads(line) for table, line in zip(tables, lines, strict=False)}
    rows: dict[str, list[Row]] = {}
    for line in lines[len(tables) :]:
        if line.startswith("#"):
            table = line[1:]
            rows[table] = []
        else:
            rows[table].append(tuple(line.split("\t")))
    return {table: (columns[table], rows[table]) for table in tables}


@pytest.fixture(scope="module")
def mariadb() -> Iterator[MariaDB]:
    with mariadb_server() as server:
        yield MariaDB(server)


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The server of a dialect."""
    if request.param == "mysql":
        yield request.getfixturevalue("mariadb")
        return
    with psycopg.connect(request.getfixturevalue("postgres").get_uri(), autocommit=True) as connection:
        yield Postgres(connection)


@pytest.mark.parametrize("server", ["postgres", "mysql"], indirect=True)
def test_no_run_contradicts_the_lineage(server: Any) -> None:
    proved, refuted, idle = 0, [], []
    for case in programs(server.dialect):
        found = findings(case, server, WORLDS)
        proved += len(found.proved)
        refuted += [f"{case.title}: {source} changes {target}" for source, target in sorted(found.refuted)]
        if not found.runs:
            idle.append(case.title)
    print(f"{server.dialect}: {proved} pairs proved")
    assert not refuted, "\n".join(refuted)
    assert idle == [], "these programs never run to their end"
    assert proved >= PROVED[server.dialect]
