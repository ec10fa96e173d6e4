"""One generated dbt project of 300 models, in the flavours of six databases, read without dbt and its packages' macros.

    python benchmarks/flavours.py [ADAPTER …]

The project has a model for each stand-in macro (`tests/stand_in_models.py`), models that use what is built into dbt's templates, and
models that read these again. With dbt's adapters installed (`pip install dbt-snowflake dbt-bigquery …`) the macros of dbt itself are
the real ones. The figures: models, models without lineage, columns, columns without a source or constant (the time, a count of rows),
diagnostics. The exit status is 1 if a model is lost, or a diagnostic is not one of those that `REASONS` explains.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from headwater.model.diagnostic import Code
from headwater.model.entity import PSEUDO_ROWS
from headwater.project.dbt import read_dbt
from headwater.project.lineage import ProjectLineage, project_lineage
from stand_in_models import MODELS, MORE_MODELS, TABLES, VARIABLES, whole_model

ADAPTERS = ("snowflake", "bigquery", "databricks", "redshift", "duckdb", "postgres")
SIZE = 300

ORDERS = " from {{ ref('orders') }}"
BUILT_IN = {
    "configured": "{{ config(materialized='table', alias='configured_as') }} select id, amount" + ORDERS,
    "grown": """{{ config(materialized='incremental', unique_key='id') }} select id, amount from {{ ref('orders') }}
        {% if is_incremental() %} where id > (select max(id) from {{ this }}) {% endif %}""",
    "ephemeral": "{{ config(materialized='ephemeral') }} select id, tax" + ORDERS,
    "of_ephemeral": "select id, tax * 2 as tax from {{ ref('ephemeral') }}",
    "of_source": "select id, name from {{ source('crm', 'people') }}",
    "variables": "select {{ var('a_column', 'amount') }} as value, '{{ env_var(\"HOME_OF\", 'x') }}' as home" + ORDERS,
    "converted": "select {{ '3' | as_number }} as n, {{ 'true' | as_bool }} as b, '{{ 4 | as_text }}' as t, id"
    + ORDERS,
    "documents": """{% set found = fromyaml('columns: [id, amount]') %} select {{ found['columns'] | join(', ') }},
        '{{ tojson(fromjson('{"a": 1}')) }}' as doc from {{ ref('orders') }}""",
    "hashed": "select '{{ local_md5('a') }}' as h, id" + ORDERS,
    "zipped": """select {% for column, name in zip(['id', 'amount'], ['a', 'b']) %} {{ column }} as {{ name }}
        {%- if not loop.last %},{% endif %} {% endfor %} from {{ ref('orders') }}""",
    "sets": "select {% for x in set(['id']) %} {{ x }} {% endfor %}" + ORDERS,
    "modules": """select '{{ modules.datetime.date(2024, 1, 1) }}' as d, '{{ modules.re.sub('a', 'b', 'cab') }}' as r, id
        from {{ ref('orders') }}""",
    "versions": """select '{{ dbt_version }}' as v, '{{ invocation_id }}' as i, '{{ run_started_at.strftime('%Y') }}' as y, id
        from {{ ref('orders') }}""",
    "targets": "select '{{ target.name }}' as t, '{{ target.schema }}' as s, '{{ this.schema }}' as m, id" + ORDERS,
    "asked": """{% set names = adapter.get_columns_in_relation(ref('scores')) | map(attribute='name') | list %}
        select {{ names | join(', ') }} from {{ ref('scores') }}""",
    "relations": "{% set found = api.Relation.create(schema='main', identifier='scores') %} select s.id from {{ found }} as s",
    "statements": """{% call statement('top', fetch_result=true) %} select 1 {% endcall %} {% set top = load_result('top') %}
        select id, tax from {{ ref('orders') }}""",
    "returned": "{% macro chosen() %}{{ return('amount') }}{% endmacro %} select {{ chosen() }} as value" + ORDERS,
    "graphs": """select {{ graph.nodes.values() | selectattr('resource_type', 'equalto', 'model') | list | length }} as n, id
        from {{ ref('orders') }}""",
    "flagged": "select {% if flags.FULL_REFRESH %} tax {% else %} amount {% endif %} as value" + ORDERS,
    "logged": "{{ log('seen') }} {% do print('seen') %} select id" + ORDERS,
    "listed": "select id from {{ ref('orders') }} where status in ({{ \"'\" ~ ['a', 'b'] | join(\"','\") ~ \"'\" }})",
    "executed": "select {% if execute %} id {% else %} tax {% endif %} as value" + ORDERS,
    "asked_config": "{{ config(meta={'owner': 'a'}) }} select id, '{{ config.get('materialized', 'view') }}' as m"
    + ORDERS,
}
"""What dbt has in templates, beside macros."""
SCHEMA = {
    "version": 2,
    "sources": [
        {"name": "crm", "schema": "raw", "tables": [{"name": "people", "columns": [{"name": "id"}, {"name": "name"}]}]}
    ],
}
REASONS = {
    ("snowflake", "dbt__get_quoted_csv"): "quoted names in lower case are no columns there",
    ("snowflake", "dbt_utils__identifier"): "quoted names in lower case are no columns there",
    ("snowflake", "fivetran_utils__wrap_in_quotes"): "quoted names in lower case are no columns there",
}
"""Models with diagnostics that are right, by adapter, and why."""
_NO_QUERIES = ("get_create_table_as_sql", "get_create_view_as_sql", "get_insert_into_sql")
"""Macros of statements, which no model is."""
_OF_PROJECT = ("the project is not compiled", "would ask the database", "scores_snowflake")


def main() -> int:
    """Write, read and judge each flavour."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("adapters", nargs="*", default=ADAPTERS)
    parser.add_argument("--all", action="store_true", help="print every diagnostic, also those that are explained")
    options = parser.parse_args()
    real = sorted(name for each in distributions() if (name := each.metadata["Name"] or "").startswith("dbt-"))
    print(f"Installed: {', '.join(real) or 'nothing of dbt'}")
    print("| flavour | models | lost | columns | without source | explained diagnostics | others | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    wrong = False
    for adapter in options.adapters:
        with tempfile.TemporaryDirectory() as scratch:
            write_project(Path(scratch), adapter)
            wrong |= _judge(Path(scratch), adapter, options.all)
    return int(wrong)


def models() -> Iterator[tuple[str, str]]:
    """Names and texts of all models: those of macros, of what is built in, and readers of these."""
    made: dict[str, str] = {}
    for table, columns in TABLES.items():
        made[table] = "select " + ", ".join(f"cast(null as {type}) as {name}" for name, type in columns.items())
    made |= BUILT_IN
    for packages in (MODELS, MORE_MODELS):
        for package, texts in packages.items():
            made |= {f"{package}__{name}": whole_model(text) for name, text in texts.items() if name not in _NO_QUERIES}
    readers = [name for name in made if name not in TABLES]
    while len(made) < SIZE:
        name = readers[len(made) % len(readers)]
        made[f"again_{len(made)}_{name}"] = f"select * from {{{{ ref('{name}') }}}}"
    yield from made.items()


def write_project(folder: Path, adapter: str) -> None:
    """Write the project's files."""
    settings = {"name": "scratch", "version": "1.0.0", "profile": "scratch", "vars": VARIABLES}
    (folder / "dbt_project.yml").write_text(json.dumps(settings), "utf-8")
    profile = {"target": "dev", "outputs": {"dev": {"type": adapter, "schema": "main", "database": "scratch"}}}
    (folder / "profiles.yml").write_text(json.dumps({"scratch": profile}), "utf-8")
    (folder / "models").mkdir()
    (folder / "models" / "sources.yml").write_text(json.dumps(SCHEMA), "utf-8")
    for name, text in models():
        (folder / "models" / f"{name}.sql").write_text(text, "utf-8")


def _judge(folder: Path, adapter: str, every: bool) -> bool:
    start = time.process_time()
    project = read_dbt(folder)
    found = project_lineage(project)
    seconds = time.process_time() - start
    codes = (Code.SYNTAX_ERROR, Code.UNSUPPORTED_STATEMENT, Code.UNREAD_MODEL, Code.INTERNAL_ERROR)
    lost = {place.path for each, place in found.diagnostics() if each.code in codes}
    columns, unsourced = _columns(found)
    said = [(each, place) for each, place in found.diagnostics() if not any(w in each.message for w in _OF_PROJECT)]
    explained = [each for each in said if (adapter, Path(each[1].path).stem) in REASONS]
    others = [each for each in said if each not in explained]
    row = (adapter, len(project.models), len(lost), columns, len(unsourced), len(explained), len(others))
    print(f"| {' | '.join(map(str, row))} | {seconds:.1f} |", flush=True)
    for diagnostic, place in said if every else others:
        print(f"    {place.path}: {diagnostic.code.value} {diagnostic.message}", file=sys.stderr)
    for column, count in Counter(unsourced).items() if every else ():
        print(f"    without source: {column} {count}", file=sys.stderr)
    return bool(lost or others or len(project.models) < SIZE)


def _columns(found: ProjectLineage) -> tuple[int, list[str]]:
    """How many columns the models write, and those that have neither a source nor a constant."""
    sourced = {edge.target for edge in found.lineage.column_edges(rows="none", literals=True)}
    written = set()
    for statement in found.lineage.statements:
        resolution = statement.resolution
        for entity, name, _ in resolution.columns:
            if entity in resolution.written and name != PSEUDO_ROWS:
                written.add((".".join(resolution.entities[entity].table or ()), name))
    known = {(str(each.table), each.column) for each in sourced}
    return len(written), sorted(f"{table}.{column}" for table, column in written - known)


if __name__ == "__main__":
    sys.exit(main())
