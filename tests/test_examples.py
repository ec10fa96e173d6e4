"""The example scripts over the sample project, with either engine, and the same by ordinary commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command import Run

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("zetasql"), pytest.mark.usefixtures("compiled_analyzer")]

EXAMPLES = Path(__file__).parent.parent / "examples"
SCRIPT = EXAMPLES / "myproject" / "orders.sql"
SALES, ANALYTICS = "myproject.sales", "myproject.analytics"
TABLES = [
    ("Select", None, ["sales.customers", "sales.orders", "sales.products"]),
    ("Create Table", "analytics.customer_value", ["sales.customers", "sales.orders"]),
    ("Create View", "analytics.product_sales", ["sales.orders", "sales.products"]),
    ("Insert", "analytics.order_summary", ["sales.customers", "sales.orders"]),
    ("Update", "analytics.order_summary", ["analytics.order_summary", "sales.orders"]),
    ("Merge", "analytics.order_summary", ["analytics.order_summary", "sales.orders"]),
]
COLUMNS = {
    ("Select", "revenue"): {f"{SALES}.orders.amount"},
    ("Create Table", f"{ANALYTICS}.customer_value.paid"): {f"{SALES}.orders.amount", f"{SALES}.orders.quantity"},
    ("Create Table", f"{ANALYTICS}.customer_value.segment"): {
        f"{SALES}.customers.country",
        f"{SALES}.orders.amount",
        f"{SALES}.orders.quantity",
    },
    ("Create View", f"{ANALYTICS}.product_sales.listed"): {f"{SALES}.orders.quantity", f"{SALES}.products.price"},
    ("Insert", f"{ANALYTICS}.order_summary.total_orders"): set(),
    ("Update", f"{ANALYTICS}.order_summary.total_amount"): {
        f"{ANALYTICS}.order_summary.total_amount",
        f"{SALES}.orders.amount",
    },
    ("Merge", f"{ANALYTICS}.order_summary.total_orders"): {f"{ANALYTICS}.order_summary.total_orders"},
}


def _run(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments], capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout


@pytest.mark.parametrize("engine", ["static", "zetasql"])
def test_table_lineage(engine: str) -> None:
    records = json.loads(_run("table_lineage.py", "--engine", engine, "--format", "json"))
    assert [(r["statement_type"], r["target_table"], r["source_tables"]) for r in records] == [
        (kind, target and f"myproject.{target}", [f"myproject.{source}" for source in sources])
        for kind, target, sources in TABLES
    ]
    printed = _run("table_lineage.py", "--engine", engine)
    assert f"Merge {ANALYTICS}.order_summary\n  <- {ANALYTICS}.order_summary\n  <- {SALES}.orders\n" in printed


@pytest.mark.parametrize("engine", ["static", "zetasql"])
def test_column_lineage(engine: str) -> None:
    records = json.loads(_run("column_lineage.py", "--engine", engine, "--format", "json"))
    found = {(r["statement_type"], r["target"]): set(r["parents"]) for r in records}
    assert {key: found[key] for key in COLUMNS} == COLUMNS
    assert f"{ANALYTICS}.product_sales.name <- {SALES}.products.name\n" in _run("column_lineage.py", "--engine", engine)


def test_both_engines_say_the_same() -> None:
    for name in ("table_lineage.py", "column_lineage.py"):
        static, zetasql = (_records(name, engine) for engine in ("static", "zetasql"))
        assert static == zetasql


def _records(name: str, engine: str) -> list[str]:
    records: list[Any] = json.loads(_run(name, "--engine", engine, "--format", "json"))
    return sorted(json.dumps(record) for record in records)


@pytest.mark.parametrize("engine", ["static", "zetasql"])
def test_the_ordinary_commands_tell_it_too(engine: str, run: Run) -> None:
    told = ("analyze", SCRIPT, "--dialect", "bigquery", "--engine", engine)
    tables = run(*told, "--level", "table")
    assert (tables.code, tables.err) == (0, "")
    assert f"{ANALYTICS}.order_summary <- {ANALYTICS}.order_summary  Merge" in tables.out
    assert f"(result) <- {SALES}.products  Select" in tables.out
    columns = run(*told, "--level", "column", "--format", "json")
    assert columns.code == 0
    assert {s["process"]["type"] for s in json.loads(columns.out)["statements"]} == {kind for kind, _, _ in TABLES}
