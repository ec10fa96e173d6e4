"""TPC-DS and TPC-H whole: every output column resolves, with no diagnostic, when the schema is given.

The query texts come from ../shared/corpora where that folder exists, else from DuckDB's extensions, which a plain clone
installs; the dialect differs accordingly.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import duckdb
import pytest

import headwater
from headwater.analysis import analyze_files
from headwater.cli.demo import sample_warehouse
from validator import violations

CORPORA = Path(__file__).parent.parent.parent / "shared" / "corpora"
EXPECTED = {"tpcds": 99, "tpch": 22}


@cache
def _from_folder(name: str) -> tuple[dict[str, str], dict[str, dict[str, str]]] | None:
    if not (CORPORA / name).is_dir():
        return None
    queries = {p.stem: p.read_text(encoding="utf-8") for p in sorted((CORPORA / name).glob("*.sql"))}
    return queries, json.loads((CORPORA / f"{name}.schema.json").read_text(encoding="utf-8"))


@cache
def _from_package(name: str) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    module = __import__(f"duckdb_extension_{name}")
    extension = next(Path(module.__file__).parent.rglob("*.duckdb_extension"))
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{extension}'")
    connection.execute("CALL dsdgen(sf=0)" if name == "tpcds" else "CALL dbgen(sf=0)")
    queries = {
        f"q{n}": text for n, text in connection.execute(f"SELECT query_nr, query FROM {name}_queries()").fetchall()
    }
    schema: dict[str, dict[str, str]] = {}
    columns = "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY table_name, ordinal_position"
    for table, column, kind in connection.execute(columns).fetchall():
        schema.setdefault(table, {})[column] = kind
    return queries, schema


def _check(queries: dict[str, str], schema: dict[str, dict[str, str]], dialect: str) -> None:
    catalog = headwater.Catalog(schema)
    for name, text in queries.items():
        lineage = headwater.analyze(text, dialect=dialect, schema=catalog)
        assert lineage.diagnostics == [], name
        targets = {edge.target for edge in lineage.column_edges(literals=True)}
        for statement in lineage.statements:
            assert set(statement.outputs) <= targets, name
            assert violations(statement) == [], name


@pytest.mark.parametrize("name", ["tpcds", "tpch"])
def test_queries_of_the_package_resolve(name: str) -> None:
    queries, schema = _from_package(name)
    assert len(queries) == EXPECTED[name]
    _check(queries, schema, "duckdb")


@pytest.mark.parametrize("name", ["tpcds", "tpch"])
def test_queries_of_the_corpus_resolve(name: str) -> None:
    found = _from_folder(name)
    if found is None:
        pytest.skip("../shared/corpora is not there")
    queries, schema = found
    assert len(queries) >= EXPECTED[name]
    _check(queries, schema, "spark")


def test_sample_warehouse_resolves() -> None:
    scripts = sorted(sample_warehouse().rglob("*.sql"))
    lineages = list(analyze_files(scripts))
    assert len(scripts) >= 30
    assert [d for lineage in lineages for d in lineage.diagnostics] == []
    for lineage in lineages:
        for statement in lineage.statements:
            assert violations(statement) == []


def test_sample_warehouse_end_to_end() -> None:
    """The question that the sample's README asks, with the answer that a person finds by reading the scripts."""
    paths = sorted(sample_warehouse().rglob("*.sql"))
    kpis = next(i for i, path in enumerate(paths) if path.name == "01_daily_kpis.sql")
    script = "\n".join(path.read_text(encoding="utf-8") for path in paths[: kpis + 1])
    edges = headwater.analyze(script).column_edges(end_to_end=True)
    revenue = {str(e.source) for e in edges if str(e.target) == "reporting.daily_kpis.revenue" and e.type == "fdd"}
    assert revenue == {
        "raw.shop_orders.items.quantity",
        "raw.shop_orders.items.unit_price",
        "raw.shop_orders.items.discount",
        "raw.shop_orders.shipping_fee",
        "raw.marketplace_orders.qty",
        "raw.marketplace_orders.price_each",
        "raw.refunds.amount",
        "raw.fx_rates.rate_to_eur",
    }
