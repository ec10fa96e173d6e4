"""GoogleSQL's own analyzer as a judge: the static engine and the GoogleSQL engine find the same column-level edges.

Compared are TPC-DS and TPC-H, written for BigQuery, where ../shared/corpora exists; the statements of bigquery_statements.sql, which have
what only BigQuery has; random statements; and the literate cases in BigQuery's dialect, under a schema that lists every table
(`declared_tables`, `bigquery_types`). A case that differs is explained in zetasql_differences.toml, with who is right; an explanation
for a case that no longer differs fails. Cases that GoogleSQL refuses, because they are about mistakes or about what only
BigQuery's service knows, are skipped with its words.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlglot
import tomllib
from hypothesis import assume, given, settings

import headwater
from bigquery_types import retyped
from case_file import Case, all_cases
from case_runner import edge_line
from declared_tables import Schema, declared
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import PSEUDO_ROWS
from sql_generator import BOOL, INT, SCHEMA, TEXT, Statement, statements, text
from validator import violations

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("zetasql"), pytest.mark.usefixtures("compiled_analyzer")]

CORPORA = Path(os.environ.get("HEADWATER_SHARED", Path(__file__).parent.parent.parent / "shared")) / "corpora"
DIFFERENCES: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("zetasql_differences.toml").read_text(encoding="utf-8")
)
STATEMENTS = Path(__file__).with_name("bigquery_statements.sql").read_text(encoding="utf-8")
PROJECT = {
    "p.d.orders": {
        "id": "INT64",
        "total": "NUMERIC",
        "country": "STRING",
        "day": "DATE",
        "tags": "ARRAY<STRING>",
        "items": "ARRAY<STRUCT<sku STRING, qty INT64, price NUMERIC>>",
        "ship": "STRUCT<city STRING, geo STRUCT<lat FLOAT64, lon FLOAT64>>",
    },
    "p.d.products": {"pid": "INT64", "sku": "STRING", "price": "NUMERIC", "category": "STRING"},
    "p.d.wide": dict.fromkeys(("k", "q1", "q2", "q3", "q4"), "INT64"),
    "p.d.staff": {"id": "INT64", "boss": "INT64"},
    "p.d.docs": {"doc": "JSON"},
}
"""The tables of these statements."""
GENERATED = {
    table: {column: {INT: "INT64", TEXT: "STRING", BOOL: "BOOL"}[kind] for column, kind in columns.items()}
    for table, columns in SCHEMA.items()
}
"""The tables of random statements."""
TRIES = 12
"""Schemas that are tried for a case."""


def _lines(lineage: headwater.Lineage) -> set[str]:
    """The edges as cases write them, but for those between row sets."""
    return {
        edge_line(edge)
        for edge in lineage.column_edges()
        if not (edge.source.column == PSEUDO_ROWS and edge.target.column == PSEUDO_ROWS)
    }


def _difference(static: headwater.Lineage, zetasql: headwater.Lineage) -> list[str]:
    ours, theirs = _lines(static), _lines(zetasql)
    return sorted([f"- {line}" for line in ours - theirs] + [f"+ {line}" for line in theirs - ours])


def _refusals(lineage: headwater.Lineage) -> list[Diagnostic]:
    return [d for d in lineage.diagnostics if d.code is Code.ENGINE_FALLBACK]


@pytest.mark.parametrize("name", ["tpch", "tpcds"])
def test_the_queries_of_a_corpus_have_the_same_edges(name: str) -> None:
    if not (CORPORA / name).is_dir():
        pytest.skip("../shared/corpora is not there")
    catalog = headwater.Catalog(json.loads((CORPORA / f"{name}.schema.json").read_text(encoding="utf-8")))
    for path in sorted((CORPORA / name).glob("*.sql")):
        sql = ";\n".join(sqlglot.transpile(path.read_text(encoding="utf-8"), read="spark", write="bigquery"))
        zetasql = headwater.analyze(sql, "bigquery", catalog, engine="zetasql")
        assert zetasql.diagnostics == [], path.stem
        assert zetasql.column_edges() != [], path.stem
        assert _difference(headwater.analyze(sql, "bigquery", catalog), zetasql) == [], path.stem
        assert [v for statement in zetasql.statements for v in violations(statement)] == [], path.stem


def test_statements_of_every_kind_have_the_same_edges() -> None:
    static = headwater.analyze(STATEMENTS, "bigquery", PROJECT)
    zetasql = headwater.analyze(STATEMENTS, "bigquery", PROJECT, engine="zetasql")
    assert zetasql.diagnostics == []
    assert [v for statement in zetasql.statements for v in violations(statement)] == []
    assert _by_statement(static) == _by_statement(zetasql)


def _by_statement(lineage: headwater.Lineage) -> dict[str, list[str]]:
    """The edges of each statement, by its text."""
    found: dict[str, list[str]] = {statement.sql: [] for statement in lineage.statements}
    for edge in lineage.column_edges():
        if edge.source.column != PSEUDO_ROWS or edge.target.column != PSEUDO_ROWS:
            found[STATEMENTS[edge.process.span.start : edge.process.span.end]].append(edge_line(edge))
    return {sql: sorted(set(edges)) for sql, edges in found.items()}


@settings(max_examples=40)
@given(statement=statements(dialect="bigquery"))
def test_a_random_statement_has_the_same_edges(statement: Statement) -> None:
    (sql,) = sqlglot.transpile(text(statement), read="duckdb", write="bigquery")
    zetasql = headwater.analyze(sql, "bigquery", GENERATED, engine="zetasql")
    assume(not _refusals(zetasql))
    assert _difference(headwater.analyze(sql, "bigquery", GENERATED), zetasql) == [], sql


def _cases() -> Iterator[Case]:
    for case in all_cases():
        if case.blocks["sql"].attributes["dialect"].split(",")[0] == "bigquery" and "notimpl" not in case.blocks:
            yield case


def _analyse(case: Case, schema: Schema | None, engine: str) -> headwater.Lineage:
    return headwater.analyze(case.sql, "bigquery", schema, case.blocks["sql"].attributes.get("default_schema"), engine)


def _accepted(case: Case) -> tuple[Schema, headwater.Lineage]:
    """A schema that GoogleSQL takes, and the case's lineage under it; skips where there is none."""
    schema = declared(case, _analyse(case, case.schema, "static"))
    if schema is None:
        pytest.skip("the columns of an unknown table are not told")
    first = ""
    tried: Schema | None = schema
    for _ in range(TRIES):
        if tried is None:
            break
        lineage = _analyse(case, tried, "zetasql")
        refusals = _refusals(lineage)
        if not refusals:
            return tried, lineage
        assert not any("was not understood" in each.message for each in refusals), refusals
        first = first or refusals[0].message
        tried = retyped(tried, case.sql, refusals[0])
    pytest.skip(first)


@pytest.mark.parametrize("case", [*_cases()], ids=lambda case: case.id)
def test_a_case_has_the_same_edges(case: Case) -> None:
    schema, zetasql = _accepted(case)
    assert [v for statement in zetasql.statements for v in violations(statement)] == []
    difference = _difference(_analyse(case, schema, "static"), zetasql)
    explained = DIFFERENCES.get(case.id)
    if explained is None:
        assert difference == []
        return
    assert difference == sorted(explained["edges"].strip().splitlines()), "the explanation is of another difference"
    assert explained["right"] in ("static", "zetasql", "both")
    assert explained["why"]


def test_every_explanation_is_of_a_case() -> None:
    assert DIFFERENCES.keys() <= {case.id for case in _cases()}
