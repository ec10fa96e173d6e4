"""What templates of dbt see: names that projects use rarely, each with what dbt gives for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.model.diagnostic import Code
from headwater.project.dbt import read_dbt
from headwater.project.lineage import project_lineage
from headwater.project.objects import Project


def read(folder: Path, template: str, **files: str) -> Project:
    given = {
        "dbt_project.yml": "name: shop\nmodels:\n  +tags: [nightly]\n",
        "models/s.yml": "sources: [{name: raw, loader: fivetran, meta: {owner: us}, "
        "tables: [{name: orders, columns: [{name: o}]}]}]\n"
        "models: [{name: base, columns: [{name: a, description: first, config: {meta: {pii: true}, tags: [key]}}]}]\n",
        "models/base.sql": "select 1 as a, 2 as b",
        "macros/m.sql": "{% macro half(x) %}{{ x }} / 2{% endmacro %}",
        "models/m.sql": template,
        **files,
    }
    for name, content in given.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return read_dbt(folder, dialect="duckdb", environment={})


def sql_of(project: Project) -> str:
    return next(model.sql for model in project.models if model.name == "model.shop.m")


RENDERED = {
    "tags": ("{{ model.tags }}", "['nightly']"),
    "a tag of its own": ("{{ config(tags='own') }}{{ 'own' in model.tags }}", "True"),
    "meta": ("{{ model.meta.get('x', 1) }}{{ model.description }}", "1"),
    "refs": ("{{ model.refs[0].name }} {{ model.refs | length }}-- {{ ref('base') }}", 'base 1-- "shop"."base"'),
    "sources": ("{{ model.sources[0][1] }}-- {{ source('raw', 'orders') }}", 'orders-- "raw"."orders"'),
    "depends_on": (
        "{{ model.depends_on.nodes | join(' ') }}-- {{ ref('base') }}{{ source('raw', 'orders') }}",
        'model.shop.base source.shop.raw.orders-- "shop"."base""raw"."orders"',
    ),
    "a relation is a mapping": (
        "{% set r = ref('base') %}{{ r is mapping }} {{ r.get('metadata', {}).get('type', '').endswith('Relation') }} "
        "{{ r['identifier'] }} {{ r.get('gone', 'none') }}",
        "True True base none",
    ),
    "the graph keeps what macros put there": (
        "{% do graph.setdefault('kept', {}).update(a=1) %}{{ graph['kept'].a }} {{ graph.get('gone') }} "
        "{{ 'model.shop.base' in graph.nodes }} {{ graph['sources'] | length }} {{ graph.get('nodes') | length }}",
        "1 None True 1 2",
    ),
    "what files say of columns": (
        "{% for node in graph.nodes.values() if node.name == 'base' %}{% for c in node.columns.values() %}"
        "{{ c.name }} {{ c.config.meta.pii }} {{ c.meta.pii }} {{ c.tags[0] }} {{ c.description }}{% endfor %}{% endfor %}",
        "a True True key first",
    ),
    "what files say of sources": (
        "{% set s = (graph.sources.values() | list)[0] %}{{ s.relation_name }} {{ s.meta.owner }} "
        "{{ s.columns['o'].data_type }} {{ s.columns['o'].meta.get('x') }} {{ s.loader }}",
        '"raw"."orders" us None None fivetran',
    ),
    "dbt's own functions by their package": (
        "{% set answer = dbt.run_query('select 1') %}{{ answer.rows | length }} {{ dbt.get('run_query') is none }}",
        "1 False",
    ),
    "tables that are made of an answer": (
        "{% set answer = run_query('select 1').rename({'A': 'a'}).where(none) %}{{ answer | length }} "
        "{% for part in run_query('select 1').group_by('a').values() %}{{ part.rows | length }}{% endfor %} "
        "{{ run_query('select 1').group_by('a').get('x').find(none).get('c') }}",
        "1 1 run_query_value",
    ),
    "context": ("{{ context['half']('a') }}", "a / 2"),
    "context.get": (
        "{{ context.get('half')('a') }} {{ context.get('gone') }} {{ context.get('gone', 3) }}",
        "a / 2 None 3",
    ),
    "context of the model": (
        "{{ context.model.name }} {{ 'half' in context }} {{ 'gone' in context }}",
        "m True False",
    ),
    "chain": ("{{ modules.itertools.chain(['a'], ['b']) | join(', ') }}", "a, b"),
    "from_iterable": ("{{ modules.itertools.chain.from_iterable([['a'], ['b']]) | join(', ') }}", "a, b"),
    "repeat": ("{{ modules.itertools.repeat('a', 3) | join }}{{ modules.itertools.pairwise([1, 2]) }}", "aaa[(1, 2)]"),
    "a zone": ("{{ modules.pytz.timezone('Europe/Berlin') }}", "Europe/Berlin"),
    "localize": (
        "{{ modules.pytz.utc.localize(modules.datetime.datetime(2024, 5, 6)).strftime('%Y-%m-%d %Z') }}",
        "2024-05-06 UTC",
    ),
    "astimezone": (
        "{{ run_started_at.astimezone(modules.pytz.timezone('Asia/Tokyo')).strftime('%Y-%m-%d') }}",
        "2000-01-01",
    ),
    "all zones": ("{{ 'UTC' in modules.pytz.all_timezones }}", "True"),
    "toyaml": ("{{ toyaml({'b': 1, 'a': ['x']}) }}", "b: 1\na:\n- x\n"),
    "toyaml in order": ("{{ toyaml({'b': 1, 'a': None}, sort_keys=true) }}", "a: null\nb: 1\n"),
    "fromyaml of toyaml": ("{{ fromyaml(toyaml({'a': [1, 'x']})).a[1] }}", "x"),
    "config.set": ("{{ config.set('flavour', 'sweet') }}{{ config.get('flavour') }}", "sweet"),
    "function": ("select {{ function('udf') }}(a) as u", 'select "shop"."udf"(a) as u'),
}


@pytest.mark.parametrize("what", RENDERED)
def test_what_a_template_sees(tmp_path: Path, what: str) -> None:
    template, text = RENDERED[what]
    project = read(tmp_path, template)
    assert sql_of(project) == text
    assert {each.code for each, _ in project.remarks} == {Code.TEMPLATE}


@pytest.mark.parametrize("dialect", ["postgres", "bigquery", "databricks", "redshift"])
def test_a_function_of_the_database_has_its_arguments_lineage(tmp_path: Path, dialect: str) -> None:
    read(tmp_path, "select {{ function('udf') }}(a) as u, b from {{ ref('base') }}")
    project = read_dbt(tmp_path, dialect=dialect, environment={})
    found = project_lineage(project)
    edges = {(str(edge.source), str(edge.target)) for edge in found.lineage.column_edges(rows="none")}
    assert edges == {("shop.base.a", "shop.m.u"), ("shop.base.b", "shop.m.b")}
    assert [each.code for each, _ in found.diagnostics() if each.code is not Code.TEMPLATE] == []


def test_a_source_that_nobody_declares_is_said(tmp_path: Path) -> None:
    project = read(tmp_path, "select a from {{ source('raw', 'gone') }}, {{ source('raw', 'orders') }}")
    messages = [each.message for each, _ in project.remarks]
    assert [each for each in messages if "sources" in each] == [
        "sources that no file declares are taken for tables: raw.gone"
    ]


HEADERS = {
    "config": "{{ config(sql_header='create temp table t as select a from other;') }}",
    "set_sql_header": "{% call set_sql_header(config) %}create temp table t as select a from {{ source('raw', 'orders') }};{% endcall %}",
}


@pytest.mark.parametrize("how", HEADERS)
def test_a_header_runs_before_the_model(tmp_path: Path, how: str) -> None:
    project = read(tmp_path, HEADERS[how] + "\nselect a, b from t")
    found = project_lineage(project)
    [model] = [each for each in project.models if each.name == "model.shop.m"]
    assert len(model.before) == 1
    edges = {
        (str(edge.source).removeprefix("shop."), str(edge.target)) for edge in found.lineage.column_edges(rows="none")
    }
    source = "other" if how == "config" else "raw.orders"
    assert {(f"{source}.a", "t.a"), ("t.a", "shop.m.a")} <= edges
    assert [str(each.span) for each, _ in found.diagnostics() if each.code is Code.UNRESOLVED_COLUMN] != []
