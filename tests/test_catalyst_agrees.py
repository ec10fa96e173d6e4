"""Spark's own analyzer as a judge: the static engine and the Catalyst engine find the same column-level edges.

TPC-DS and TPC-H are compared where ../shared/corpora exists; the literate cases in Spark's dialects always, under a schema that
lists every table (`declared_tables`). A case that differs is explained in catalyst_differences.toml, with who is right; an
explanation for a case that no longer differs fails. Cases that Spark refuses, because they are about mistakes or about what only
Databricks has, are skipped with Spark's words.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings

import headwater
from case_file import Case, all_cases
from case_runner import edge_line
from declared_tables import Schema, declared, refined, with_arrays
from headwater.model.diagnostic import Code
from headwater.model.entity import PSEUDO_ROWS
from sql_generator import BOOL, INT, SCHEMA, TEXT, Statement, statements, text
from validator import violations

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

CORPORA = Path(os.environ.get("HEADWATER_SHARED", Path(__file__).parent.parent.parent / "shared")) / "corpora"
DIFFERENCES: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("catalyst_differences.toml").read_text(encoding="utf-8")
)
GENERATED = {
    table: {column: {INT: "int", TEXT: "string", BOOL: "boolean"}[kind] for column, kind in columns.items()}
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


def _difference(static: headwater.Lineage, catalyst: headwater.Lineage) -> list[str]:
    ours, theirs = _lines(static), _lines(catalyst)
    return sorted([f"- {line}" for line in ours - theirs] + [f"+ {line}" for line in theirs - ours])


def _refusals(lineage: headwater.Lineage) -> list[str]:
    return [d.message for d in lineage.diagnostics if d.code is Code.ENGINE_FALLBACK]


@pytest.mark.parametrize("name", ["tpch", "tpcds"])
def test_the_queries_of_a_corpus_have_the_same_edges(spark: SparkSession, name: str) -> None:
    if not (CORPORA / name).is_dir():
        pytest.skip("../shared/corpora is not there")
    catalog = headwater.Catalog(json.loads((CORPORA / f"{name}.schema.json").read_text(encoding="utf-8")))
    for path in sorted((CORPORA / name).glob("*.sql")):
        sql = path.read_text(encoding="utf-8")
        catalyst = headwater.analyze(sql, schema=catalog, engine="catalyst")
        assert catalyst.diagnostics == [], path.stem
        assert _difference(headwater.analyze(sql, schema=catalog), catalyst) == [], path.stem
        assert [v for statement in catalyst.statements for v in violations(statement)] == [], path.stem


def _cases() -> Iterator[Case]:
    for case in all_cases():
        dialect = case.blocks["sql"].attributes["dialect"].split(",")[0]
        if dialect in ("spark", "databricks") and "notimpl" not in case.blocks:
            yield case


def _analyse(case: Case, schema: Schema | None, engine: str) -> headwater.Lineage:
    attributes = case.blocks["sql"].attributes
    dialect, default_schema = attributes["dialect"].split(",")[0], attributes.get("default_schema")
    return headwater.analyze(case.sql, dialect, schema, default_schema, engine)


def _accepted(case: Case) -> tuple[Schema, headwater.Lineage]:
    """A schema that Spark takes, and the case's lineage under it; skips where there is none."""
    schema = declared(case, _analyse(case, case.schema, "static"))
    if schema is None:
        pytest.skip("the columns of an unknown table are not told")
    refusal = ""
    arrays = with_arrays(schema)
    for start in (schema,) if arrays == schema else (schema, arrays):
        tried: Schema | None = start
        for _ in range(TRIES):
            if tried is None:
                break
            lineage = _analyse(case, tried, "catalyst")
            refusals = _refusals(lineage)
            if not refusals:
                return tried, lineage
            assert not any("was not understood" in each for each in refusals), refusals
            refusal = refusal or refusals[0]
            tried = refined(tried, refusals[0])
    pytest.skip(refusal)


@pytest.mark.parametrize("case", [*_cases()], ids=lambda case: case.id)
def test_a_case_has_the_same_edges(spark: SparkSession, case: Case) -> None:
    schema, catalyst = _accepted(case)
    assert [v for statement in catalyst.statements for v in violations(statement)] == []
    difference = _difference(_analyse(case, schema, "static"), catalyst)
    explained = DIFFERENCES.get(case.id)
    if explained is None:
        assert difference == []
        return
    assert difference == sorted(explained["edges"].strip().splitlines()), "the explanation is of another difference"
    assert explained["right"] in ("static", "catalyst", "both")
    assert explained["why"]


@settings(max_examples=40)
@given(statement=statements(dialect="spark"))
def test_a_random_statement_has_the_same_edges(spark: SparkSession, statement: Statement) -> None:
    sql = text(statement)
    catalyst = headwater.analyze(sql, schema=GENERATED, engine="catalyst")
    assume(not _refusals(catalyst))
    assert _difference(headwater.analyze(sql, schema=GENERATED), catalyst) == [], sql


def test_every_explanation_is_of_a_case() -> None:
    assert DIFFERENCES.keys() <= {case.id for case in _cases()}
