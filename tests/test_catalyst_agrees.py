"""Spark's own analyzer as a judge: the static engine and the Catalyst engine find the same column-level edges.

TPC-DS and TPC-H are compared where ../shared/corpora exists; the literate cases in Spark's dialects always, under a schema that
lists every table (`declared_tables`). A case that differs is explained in catalyst_differences.toml, with who is right; an
explanation for a case that no longer differs fails. Cases that Spark refuses, because they are about mistakes or about what only
Databricks has, are skipped with Spark's words.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import tomllib
from hypothesis import assume, given, settings

import headwater
from case_file import Case, all_cases
from declared_tables import Schema, declared, refined, with_arrays
from engine_differences import difference, refusals
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


@pytest.mark.parametrize("name", ["tpch", "tpcds"])
def test_the_queries_of_a_corpus_have_the_same_edges(spark: SparkSession, name: str) -> None:
    if not (CORPORA / name).is_dir():
        pytest.skip("../shared/corpora is not there")
    catalog = headwater.Catalog(json.loads((CORPORA / f"{name}.schema.json").read_text(encoding="utf-8")))
    for path in sorted((CORPORA / name).glob("*.sql")):
        sql = path.read_text(encoding="utf-8")
        catalyst = headwater.analyze(sql, schema=catalog, engine="catalyst")
        assert catalyst.diagnostics == [], path.stem
        assert difference(headwater.analyze(sql, schema=catalog), catalyst) == [], path.stem
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
            refused = refusals(lineage)
            if not refused:
                return tried, lineage
            assert not any("was not understood" in each for each in refused), refused
            refusal = refusal or refused[0]
            tried = refined(tried, refused[0])
    pytest.skip(refusal)


@pytest.mark.parametrize("case", [*_cases()], ids=lambda case: case.id)
def test_a_case_has_the_same_edges(spark: SparkSession, case: Case) -> None:
    schema, catalyst = _accepted(case)
    assert [v for statement in catalyst.statements for v in violations(statement)] == []
    found = difference(_analyse(case, schema, "static"), catalyst)
    explained = DIFFERENCES.get(case.id)
    if explained is None:
        assert found == []
        return
    assert found == sorted(explained["edges"].strip().splitlines()), "the explanation is of another difference"
    assert explained["right"] in ("static", "catalyst", "both")
    assert explained["why"]


@settings(max_examples=40)
@given(statement=statements(dialect="spark"))
def test_a_random_statement_has_the_same_edges(spark: SparkSession, statement: Statement) -> None:
    sql = text(statement)
    catalyst = headwater.analyze(sql, schema=GENERATED, engine="catalyst")
    assume(not refusals(catalyst))
    assert difference(headwater.analyze(sql, schema=GENERATED), catalyst) == [], sql


def test_every_explanation_is_of_a_case() -> None:
    assert DIFFERENCES.keys() <= {case.id for case in _cases()}
