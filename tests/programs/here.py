"""Runs captured programs on the PySpark that is installed: `python tests/programs/here.py [--connect] FILE …`.

Prints one line of JSON for each program: its file and title, how it ended (`right`, `gap`, `wrong`, `silent`), and what differs. Tables are
of the format that the file is about; the jars are fetched from Maven Central.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from program_file import Place, Program, programs  # noqa: E402

from case_runner import edge_line  # noqa: E402
from headwater.model.entity import PSEUDO_ROWS  # noqa: E402

ORDERS = [(1, 1, "2026-01-01", 1.5), (2, 1, "2026-01-02", 2.5), (3, 2, "2026-01-02", 4.0)]
CUSTOMERS = [(1, "Ann", "DE"), (2, "Bo", "SE")]
_TABLES = ("orders", "customers", "totals", "big", "copy", "streamed")
"""Tables that programs on Iceberg make."""
GAPS = frozenset({"unsupported-construct", "program-rows", "not-captured"})
"""Diagnostics that name what is not captured."""


class Result(NamedTuple):
    """How a program ended."""

    file: str
    title: str
    outcome: str
    difference: list[str]


def run(program: Program, spark: Any, place: Place, format: str = "parquet") -> Result:
    """Run a program under capture, and compare its lineage."""
    from pyspark.sql import functions

    from headwater.spark import capture

    with tempfile.TemporaryDirectory(prefix="headwater-program-") as made:
        folder = str(Path(made).resolve())
        known: dict[str, Any] = {"spark": spark, "f": functions, "folder": folder}
        try:
            with _shop(spark, folder, format):
                exec(program.text("before", place) or "", known)
                with capture(spark) as captured:
                    exec(program.text("python", place) or "", known)
                found = _lineage(captured, folder)
        except Exception as error:  # noqa: BLE001 - a program that fails is an answer, too
            said = " ".join(f"{type(error).__name__}: {error}".split())[:600]
            return Result(program.file, program.title, "wrong", [said])
    return _compared(program, place, *found)


def _compared(program: Program, place: Place, edges: list[str], codes: list[str], texts: list[str]) -> Result:
    expected, gaps = sorted(set(program.lines("lineage", place))), sorted(program.lines("diagnostics", place))
    difference = [f"- {line}" for line in expected if line not in edges]
    difference += [f"+ {line}" for line in edges if line not in expected]
    difference += [f"diagnostics: {codes}, not {gaps}"] if {c.split(":")[0] for c in codes} != set(gaps) else []
    wanted = program.lines("texts", place)
    difference += [f"texts: {texts}, not {wanted}"] if wanted and wanted != texts else []
    if not difference:
        return Result(program.file, program.title, "gap" if set(gaps) & GAPS else "right", [])
    silent = not codes and all(line.startswith("-") for line in difference)
    return Result(program.file, program.title, "silent" if silent else "wrong", difference)


def _lineage(captured: Any, folder: str) -> tuple[list[str], list[str], list[str]]:
    """The edges of the jobs, their diagnostics, and the texts of those that were SQL."""
    edges = [
        edge
        for edge in captured.column_edges()
        if not (edge.source.column == PSEUDO_ROWS and edge.target.column == PSEUDO_ROWS)
    ]
    lines = sorted({edge_line(edge).replace(f"{folder}/", "") for edge in edges})
    codes = sorted(f"{d.code.value}: {d.message}" for d in captured.diagnostics)
    texts = [statement.sql for lineage in captured.lineages() for statement in lineage.statements]
    return lines, codes, [" ".join(text.split()) for text in texts if not text.startswith("-- captured")]


@contextmanager
def _shop(spark: Any, folder: str, format: str) -> Iterator[None]:
    """The schema and the files that every program finds."""
    frames = {
        "orders": spark.createDataFrame(ORDERS, "id long, customer long, day string, amount double"),
        "customers": spark.createDataFrame(CUSTOMERS, "id long, name string, country string"),
    }
    _drop(spark)
    spark.sql(f"CREATE DATABASE shop LOCATION '{folder}/tables'")
    try:
        for name, frame in frames.items():
            frame.coalesce(1).write.parquet(f"{folder}/files/{name}")
            spark.read.parquet(f"{folder}/files/{name}").write.format(format).saveAsTable(f"shop.{name}")
        yield
    finally:
        _drop(spark)


def _drop(spark: Any) -> None:
    """Drop the schema; table by table, because Iceberg would leave its own behind, and does not list them."""
    for name in _TABLES:
        with suppress(Exception):
            spark.sql(f"DROP TABLE IF EXISTS shop.{name}")
    spark.sql("DROP DATABASE IF EXISTS shop CASCADE")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--connect", action="store_true")
    parser.add_argument("--only", default="", help="programs whose titles hold this")
    told = parser.parse_args()
    import pyspark

    place = Place(".".join(pyspark.__version__.split(".")[:2]), told.connect)
    from sessions import session

    wrong = 0
    for file in told.files:
        with session(file, place.version, told.connect) as (spark, format):
            for program in programs(file):
                if told.only.lower() in program.title.lower() and program.text("python", place) is not None:
                    result = run(program, spark, place, format)
                    wrong += result.outcome not in ("right", "gap")
                    print(json.dumps(result._asdict(), ensure_ascii=False), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # PySpark's Connect client asks the server for something at exit, and waits for minutes if it is gone.
    os._exit(code)
