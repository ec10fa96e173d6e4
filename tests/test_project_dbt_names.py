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


def macros_unknown(folder: Path, template: str) -> tuple[str, list[tuple[Code, str]]]:
    """The SQL of a model that calls what nobody has, and what is said of it."""
    files = {"dbt_project.yml": "name: shop\n", "packages.yml": "packages: [{package: acme/audit, version: 1.0.0}]\n"}
    for name, content in {**files, "models/m.sql": template}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    read = read_dbt(folder, dialect="duckdb", environment={})
    said = [(each.code, each.message) for each, _ in read.remarks if each.code is not Code.TEMPLATE]
    return next(model.sql for model in read.models), said


def test_a_macro_that_nobody_has_is_an_unknown_function(tmp_path: Path) -> None:
    sql, said = macros_unknown(tmp_path, "select {{ audit.masked('email', 3) }} as e from t")
    assert sql == "select audit__masked(email, 3) as e from t"
    message = "macro audit.masked is not defined anywhere: in m it is an unknown function"
    assert said == [(Code.UNKNOWN_MACRO, message)]


def test_a_macro_that_nobody_has_in_from_is_an_unknown_table(tmp_path: Path) -> None:
    sql, _ = macros_unknown(tmp_path, "select a from {{ audit.latest(ref('x')) }} as l")
    assert sql == 'select a from audit__latest((select * from "shop"."x")) as l'


def test_a_model_that_such_a_macro_makes_is_lost_by_name(tmp_path: Path) -> None:
    sql, said = macros_unknown(tmp_path, "{{ audit.fact_table('orders') }}")
    assert sql == ""
    assert [code for code, _ in said] == [Code.UNKNOWN_MACRO, Code.UNREAD_MODEL]
    assert "its SQL is made by audit.fact_table, a macro that is not there" in said[1][1]


HOSTILE = {
    "a regular expression": "{{ modules.re.match('(a+)+$', 'a' * 60 ~ 'b') }}",
    "many repetitions": "{{ modules.re.search('a*a*a*a*a*a*b', 'a' * 5000) }}",
    "an endless loop": "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
    "a macro that calls itself": "{% macro f(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}",
    "a huge text": "{{ 'x' * 10000000000 }}",
    "a text that doubles": "{% set ns = namespace(t='x') %}{% for i in range(99) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}",
    "a huge product": "{{ modules.itertools.product(range(9999), range(9999), range(9999)) | list | length }} {{ 9 ** 99999 }}",
    "its own columns": "{{ adapter.get_columns_in_relation(this) | length }}{{ 1 / 0 }}",
    "a way out": "{{ ''.__class__.__mro__[1].__subclasses__() }}{{ cycler.__init__.__globals__ }}",
    "files": "{% include '/etc/passwd' %}",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_template_costs_itself_only(tmp_path: Path, what: str) -> None:
    files = {"dbt_project.yml": "name: shop\n", "models/bad.sql": f"select 1 as a {HOSTILE[what]}"}
    for name, content in {**files, "models/good.sql": "select a from {{ ref('bad') }}"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    read = read_dbt(tmp_path, dialect="duckdb", environment={"SECRET": "hunter2"})
    lost = [each.subject for each, _ in read.remarks if each.code is Code.UNREAD_MODEL]
    assert lost == ["model.shop.bad"]
    assert {model.name: bool(model.sql) for model in read.models} == {"model.shop.bad": False, "model.shop.good": True}
    assert "hunter2" not in repr(read)


def test_a_model_in_python_is_made_of_all_that_it_reads(tmp_path: Path) -> None:
    files = {
        "dbt_project.yml": "name: shop\n",
        "models/s.yml": "sources:\n  - name: raw\n    tables:\n      - name: orders\n"
        "        columns: [{name: a, data_type: int}, {name: b, data_type: int}]\n"
        "models: [{name: scored, columns: [{name: score, data_type: double}]}]\n",
        "models/people.sql": "select 1 as c",
        "models/scored.py": 'def model(dbt, session):\n    dbt.config(materialized="table")\n'
        '    return score(dbt.source("raw", "orders"), dbt.ref("people"), dbt.ref(name()))\n',
        "models/after.sql": "select score from {{ ref('scored') }}",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    read = read_dbt(tmp_path, dialect="duckdb", environment={})
    edges = {(str(e.source), str(e.target)) for e in project_lineage(read).lineage.column_edges(rows="none")}
    assert {source for source, target in edges if target == "shop.scored.score"} == {
        "raw.orders.a",
        "raw.orders.b",
        "shop.people.c",
    }
    assert ("shop.scored.score", "shop.after.score") in edges
    [said] = [each.message for each, _ in read.remarks if each.code is Code.UNSUPPORTED_CONSTRUCT]
    assert (
        said == "model.shop.scored is written in Python: each of its columns is taken to be made of all that it reads"
    )
