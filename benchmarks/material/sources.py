"""All sources of SQL by name, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from material import packages, shared, sqlglot_tests
from material.corpus import Corpus

SOURCES: dict[str, Callable[[Path], Corpus]] = {
    "sqlglot-fixtures": sqlglot_tests.fixtures,
    "sqlglot-dialects": sqlglot_tests.dialects,
    "sqlglot-tpc-ds": sqlglot_tests.tpcds,
    "sqlglot-tpc-h": sqlglot_tests.tpch,
    "ibis": packages.ibis,
    "ibis-tpcds": packages.ibis_tpcds,
    "ibis-tpch": packages.ibis_tpch,
    "sqllineage": packages.sqllineage,
    "sqllineage-tpcds": packages.sqllineage_tpcds,
    "sqlmesh": packages.sqlmesh,
    "datahub": packages.datahub,
    "dbt": packages.dbt,
    "shared-tpcds": shared.benchmark("tpcds"),
    "shared-tpch": shared.benchmark("tpch"),
    "shared-ssb": shared.benchmark("ssb"),
    "mimic-postgres": shared.mimic_postgres,
    "mimic-bigquery": shared.mimic_bigquery,
}
"""A source takes the cache folder and gives its corpus, or raises `Unavailable`."""
