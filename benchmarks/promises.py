"""Three times that Visivo's design promises: `python benchmarks/promises.py` prints CPU milliseconds, the best of five.

A lineage query should take less than 100 ms, an expression of a project less than 10 ms, and the inspection of 10 out of 100 tables less
than five seconds.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests"))

from click.testing import CliRunner  # noqa: E402

import headwater  # noqa: E402
from headwater.cli.main import cli  # noqa: E402
from headwater.project.read import read_project  # noqa: E402
from headwater.project.resolver import Resolver  # noqa: E402
from stores import make_store  # noqa: E402


def _best_of(times: int, action: Callable[[], object]) -> float:
    found = []
    for _ in range(times):
        started = time.process_time()
        action()
        found.append(time.process_time() - started)
    return min(found) * 1000


def _lineage_query(folder: Path) -> float:
    hops = [f"db.t{level}.c{n} -> db.t{level + 1}.c{m}" for level in range(10) for n in range(20) for m in range(20)]
    graph = headwater.open(make_store(folder / "lineage", "\n".join(hops)).path)
    return _best_of(5, lambda: (graph.upstream("db.t5.c0"), graph.downstream("db.t5.c0")))


def _expression() -> float:
    resolver = Resolver(read_project(ROOT / "examples" / "visivo"))
    names = ["orders.revenue", "orders.net", "margin", "revenue_per_customer", "revenue_by_day.y"]
    return _best_of(5, lambda: [resolver.resolve(name) for name in names]) / len(names)


def _inspection(folder: Path) -> float:
    with sqlite3.connect(folder / "shop.db") as database:
        for number in range(100):
            database.execute(f"CREATE TABLE t{number} (id INTEGER, a TEXT, b TEXT)")
    script, found = folder / "a.sql", folder / "used.json"
    script.write_text("".join(f"SELECT * FROM t{number};\n" for number in range(10)))
    asked = ["catalog", "pull", f"sqlite:///{folder}/shop.db", "--for", str(script), "-o", str(found)]
    assert CliRunner().invoke(cli, asked).exit_code == 0
    return _best_of(5, lambda: CliRunner().invoke(cli, asked))


def main() -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"a lineage query: {_lineage_query(Path(folder)):.1f} ms")
        print(f"an expression of a project: {_expression():.2f} ms")
        print(f"10 of 100 tables inspected: {_inspection(Path(folder)):.0f} ms")


if __name__ == "__main__":
    main()
