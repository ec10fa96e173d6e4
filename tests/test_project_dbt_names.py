"""Names in dbt projects that are not compiled: as the database has them, whatever the adapter and its quoting."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from headwater.model.diagnostic import Code
from headwater.project.dbt import read_dbt
from headwater.project.dbt.adapters import dialect_of_adapter
from headwater.project.lineage import project_lineage
from headwater.sql.dialect import dialect

ADAPTERS = (
    *(
        "snowflake",
        "bigquery",
        "databricks",
        "redshift",
        "duckdb",
        "postgres",
        "spark",
        "trino",
        "athena",
        "clickhouse",
    ),
    *("sqlserver", "fabric", "synapse", "oracle", "teradata", "exasol", "vertica", "dremio", "starrocks", "doris"),
    *("singlestore", "materialize", "risingwave", "greenplum", "impala", "hive", "mysql", "sqlite"),
)
QUOTING = (None, True, False)


def project(folder: Path, adapter: str, quoting: bool | None, quoted_column: bool) -> Path:
    """A project with a documented source and a model that reads it."""
    setting = "" if quoting is None else f"quoting: {{database: {quoting}, schema: {quoting}, identifier: {quoting}}}\n"
    flag = ", quote: true" if quoted_column else ""
    column = "{{ adapter.quote('id') }}" if quoted_column else "id"
    files = {
        "dbt_project.yml": f"name: shop\nprofile: shop\n{setting}",
        "profiles.yml": f"shop: {{target: a, outputs: {{a: {{type: {adapter}, schema: main, database: db}}}}}}\n",
        "models/s.yml": "sources:\n  - name: raw\n    tables:\n      - name: server\n        columns:\n"
        f"          - {{name: id, data_type: int{flag}}}\n          - {{name: name, data_type: text}}\n",
        "models/m.sql": f"select {column} as reader from {{{{ source('raw', 'server') }}}}",
        "models/n.sql": "select m.reader, s.* from {{ ref('m') }} as m, {{ source('raw', 'server') }} as s",
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


@pytest.mark.parametrize(("adapter", "quoting", "quoted_column"), [*product(ADAPTERS, QUOTING, (False, True))])
def test_a_documented_column_finds_its_readers(
    tmp_path: Path, adapter: str, quoting: bool | None, quoted_column: bool
) -> None:
    read = read_dbt(project(tmp_path, adapter, quoting, quoted_column), environment={})
    found = project_lineage(read)
    said = [each.message for each, _ in found.diagnostics() if each.code is not Code.TEMPLATE]
    assert said == []
    tables = {model.name: model.table for model in read.models}
    source = ".".join(tables["source.shop.raw.server"] or ())
    spoken = dialect(dialect_of_adapter(adapter) or "ansi")
    column = spoken.fold_column("id", quoted_column)
    edges = {(str(edge.source), str(edge.target)) for edge in found.lineage.column_edges(rows="none")}
    one, two = (".".join(tables[f"model.shop.{name}"] or ()) for name in "mn")
    reader = spoken.fold_column("reader", False)
    assert (f"{source}.{column}", f"{one}.{reader}") in edges
    assert (f"{one}.{reader}", f"{two}.{reader}") in edges
    assert (f"{source}.{column}", f"{two}.{column}") in edges
