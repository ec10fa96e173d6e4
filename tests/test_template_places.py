"""The places of 100 columns over templates: each is the text that a person would point to, rendered here or compiled by dbt.

The templates and, below each, the places of its columns were written first, by hand: line and column, and the text of the file that
stands there, with white space as one blank.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from headwater.lineage.column_level import Eliminator
from headwater.model.entity import PSEUDO_ROWS
from headwater.project.lineage import project_lineage
from headwater.project.objects import Project
from headwater.project.read import read_project
from headwater.source import template_alignment

MACROS = """\
{% macro euros(column, digits=2) %}round({{ column }} / 100.0, {{ digits }}){% endmacro %}
{% macro audit_columns() %}
created_at, updated_at as changed_at
{%- endmacro %}
{% macro wrap(name) %}coalesce({{ caller() }}, 0) as {{ name }}{% endmacro %}
{% macro stamp() %}cast(changed as timestamp){% endmacro %}
"""

MODELS = {
    "plain": (
        """\
{{ config(materialized='table') }}

{# Orders as they are.
   Two lines. #}
select
    order_id,
    customer_id as buyer,   -- {{ 'not SQL' }}
    upper(status) as status,
    amount * 100 as cents, amount + tax as total,
    case
        when amount > 100 then 'large'
        else 'small'
    end as size
from {{ source('raw', 'orders') }}
""",
        """\
order_id  6:5   order_id
buyer     7:5   customer_id
status    8:5   upper(status)
cents     9:5   amount * 100
total     9:28  amount + tax
size      10:5  case when amount > 100 then 'large' else 'small' end
""",
    ),
    "loop": (
        """\
{% set methods = ['card', 'coupon', 'gift_card'] %}
select
    order_id,
    {% for method in methods -%}
    sum(case when method = '{{ method }}' then amount else 0 end) as {{ method }}_amount,
    {% endfor -%}
    {% for method in methods %}max({{ method }}_fee) as {{ method }}_fee{% if not loop.last %},{% endif %}
    {% endfor %}
    , sum(amount) as total
from {{ source('raw', 'payments') }}
group by order_id
""",
        """\
order_id          3:5   order_id
card_amount       5:5   sum(case when method = '{{ method }}' then amount else 0 end)
coupon_amount     5:5   sum(case when method = '{{ method }}' then amount else 0 end)
gift_card_amount  5:5   sum(case when method = '{{ method }}' then amount else 0 end)
card_fee          7:32  max({{ method }}_fee)
coupon_fee        7:32  max({{ method }}_fee)
gift_card_fee     7:32  max({{ method }}_fee)
total             9:7   sum(amount)
""",
    ),
    "branches": (
        """\
select
    order_id,
{%- if var('wide', true) %}
    amount / 3 as third,
    {%- if target.type == 'nothing' %}
    never as never,
    {%- elif target.type == 'duckdb' %}
    list_value(amount) as amounts,
    {%- else %}
    array(amount) as amounts,
    {%- endif %}
{%- else %}
    amount / 4 as quarter,
{%- endif %}
    status
from {{ source('raw', 'orders') }}
""",
        """\
order_id  2:5   order_id
third     4:5   amount / 3
amounts   8:5   list_value(amount)
status    15:5  status
""",
    ),
    "macros": (
        """\
select
    id,
    {{ euros('price') }} as price,
    {{ euros("cost", digits=4) }} as cost, {{ euros('tax') }} + {{ euros('duty') }} as extra,
    sum({{ euros('net') }}) as net,
    {{ audit_columns() }},
    {% call wrap('stock') %}in_stock - sold{% endcall %},
    {% filter upper %}weight{% endfilter %} as heavy,
    {{ 'colour' }},
    -1 * {{- 'loss' }}
    as loss
from {{ source('raw', 'products') }}
""",
        """\
id          2:5   id
price       3:5   {{ euros('price') }}
cost        4:5   {{ euros("cost", digits=4) }}
extra       4:44  {{ euros('tax') }} + {{ euros('duty') }}
net         5:5   sum({{ euros('net') }})
created_at  6:5   {{ audit_columns() }}
changed_at  6:5   {{ audit_columns() }}
stock       7:5   {% call wrap('stock') %}
heavy       8:5   {% filter upper %}
colour      9:5   {{ 'colour' }}
loss        10:5  -1 * {{- 'loss' }}
""",
    ),
    "control": (
        """\
{%- set prefix = 'raw_' -%}
{%- set columns -%}
    first_one, second_one
{%- endset -%}

{#- gone -#}

  select   {{- ' a' -}}   ,
      {{ prefix -}}
      b   as joined,
      {{- columns }},
      x.{{ prefix }}c as dotted,
      "quoted {{ prefix }} name" as quoted
  from {{ source('raw', 'things') }} x -- {# half #} comment
""",
        """\
a           8:12  {{- ' a' -}}
joined      9:7   {{ prefix -}} b
first_one   11:7  {{- columns }}
second_one  11:7  {{- columns }}
dotted      12:7  x.{{ prefix }}c
quoted      13:7  "quoted {{ prefix }} name"
""",
    ),
    "ctes": (
        """\
with
orders as (
    select * from {{ source('raw', 'orders') }}
),
{% for side in ['left', 'right'] %}
{{ side }}_side as (
    select {{ side }}_id as id, {{ side }}_value as value
    from {{ source('raw', side) }}
),
{% endfor %}
joined as (
    select
        orders.id,
        left_side.value as lefty,
        right_side.value * 2 as righty
    from orders
    join left_side on left_side.id = orders.id
    join right_side on right_side.id = orders.id
)
select
    id,
    lefty,
    righty + 1 as righty,
    max({{ 'id' }}) over () as top
from joined
""",
        """\
id      21:5  id
lefty   22:5  lefty
righty  23:5  righty + 1
top     24:5  max({{ 'id' }}) over ()
""",
    ),
    "growing": (
        """\
{{
    config(
        materialized='incremental',
        unique_key='id'
    )
}}
select id, {{ stamp() }} as stamped, 'é€😀' as text, name from {{ source('raw', 'events') }}
{% if is_incremental() %}
where id > (select max(id) from {{ this }})
{% endif %}
""",
        """\
id       7:8   id
stamped  7:12  {{ stamp() }}
text     7:38  'é€😀'
name     7:53  name
""",
    ),
    "both": (
        """\
{%- set shops = {'north': 1, 'south': 2} -%}
{%- for shop, number in shops.items() %}
select
    '{{ shop }}' as shop,
    {{ number }} as number,
    o.amount,
    o.{{ shop }}_id as shop_id,
    {{ loop.index0 }} + o.amount as shifted
from {{ source('raw', 'orders_' ~ shop) }} as o
{% if not loop.last %}union all{% endif %}
{%- endfor %}
""",
        """\
shop     4:5  '{{ shop }}'
number   5:5  {{ number }}
amount   6:5  o.amount
shop_id  7:5  o.{{ shop }}_id
shifted  8:5  {{ loop.index0 }} + o.amount
""",
    ),
    "months": (
        """\
select
  customer_id
  {%- for month in range(1, 4) %}
  , sum(
      case when extract(month from day) = {{ month }}
           then amount end
    ) as month_{{ month }}
  {%- endfor %}
  {%- for name in ['a', 'b'] -%}
    , {{ name }}
  {%- endfor %}
  , {% for name in ['x', 'y', 'z'] %}{{ name }}{% if not loop.last %} + {% endif %}{% endfor %} as xyz
  , greatest(
      {% for name in ['p', 'q'] -%}
        coalesce({{ name }}, 0){{ ',' if not loop.last else '' }}
      {% endfor -%}
    ) as best
from {{ source('raw', 'sales') }}
group by all
""",
        """\
customer_id  2:3    customer_id
month_1      4:5    sum( case when extract(month from day) = {{ month }} then amount end )
month_2      4:5    sum( case when extract(month from day) = {{ month }} then amount end )
month_3      4:5    sum( case when extract(month from day) = {{ month }} then amount end )
a            10:7   {{ name }}
b            10:7   {{ name }}
xyz          12:38  {{ name }}{% if not loop.last %} +
best         13:5   greatest( {% for name in ['p', 'q'] -%} coalesce({{ name }}, 0){{ ',' if not loop.last else '' }} {% endfor -%} )
""",
    ),
    "comments": (
        """\
-- {{ "a comment with a tag" }}
/* {% if true %} block {% endif %} */
select
    /* before */ a /* after */ as a,
    b -- {% raw %}{{ not a tag }}{% endraw %}
        as c,
    {# only jinja #} d{# in the middle #}e as de,
    {% raw %}f{% endraw %} as f,
    '{{ "{{" }}' as braces,
    g::{{ 'integer' }} as g
from {{ source('raw', 'notes') }};
""",
        """\
a       4:18  a
c       5:5   b
de      7:22  d{# in the middle #}e
f       8:14  f
braces  9:5   '{{ "{{" }}'
g       10:5  g::{{ 'integer' }}
""",
    ),
    "windows": (
        """\
{{ config(tags=['a']) }}
select
    id,
    upper(name) as name,
    {% if true -%}
    one + two as three,
    {%- endif %}
    {{ euros('price') }} as price,
    case when a = 1
        then b
    end as b
    {% for x in ['p', 'q'] %}
    , {{ x }} as {{ x }}_{{ x }}
    {% endfor %}
from {{ source('raw', 'windows') }}
""".replace("\n", "\r\n"),
        """\
id     3:5   id
name   4:5   upper(name)
three  6:5   one + two
price  8:5   {{ euros('price') }}
b      9:5   case when a = 1 then b end
p_p    13:7  {{ x }}
q_q    13:7  {{ x }}
""",
    ),
    "wide": (
        """\
select a01, a02 as b02, a03 + 1 as b03, upper(a04) as b04,
  a05, {{ 'a06' }} as b06, a07 || '{{ 'x' }}' as b07,
  coalesce(a08, a09) as b08,
  {{ euros('a10') }} as b10, a11,
  {%- for n in ['12', '13'] %} a{{ n }} - 1 as b{{ n }},{% endfor %}
  t.a14, t.{{ 'a15' }}, cast(a16 as {{ 'varchar' }}) as b16,
  {{ 'a17 as b17, a18 as b18' }},
  {# x #} a19 {# y #} as b19, max(a20) over (order by a20) as b20
from {{ source('raw', 'wide') }} t
""",
        """\
a01  1:8   a01
b02  1:13  a02
b03  1:25  a03 + 1
b04  1:41  upper(a04)
a05  2:3   a05
b06  2:8   {{ 'a06' }}
b07  2:28  a07 || '{{ 'x' }}'
b08  3:3   coalesce(a08, a09)
b10  4:3   {{ euros('a10') }}
a11  4:30  a11
b12  5:32  a{{ n }} - 1
b13  5:32  a{{ n }} - 1
a14  6:3   t.a14
a15  6:10  t.{{ 'a15' }}
b16  6:25  cast(a16 as {{ 'varchar' }})
b17  7:3   {{ 'a17 as b17, a18 as b18' }}
b18  7:3   {{ 'a17 as b17, a18 as b18' }}
b19  8:11  a19
b20  8:31  max(a20) over (order by a20)
""",
    ),
    "nested": (
        """\
{% macro local(c) -%}
  nullif({{ c }}, '')
{%- endmacro %}
{% set listed = ['k', 'l'] %}
select
{%- for c in listed %}
  {%- set spelled = local(c) %}
  {{ spelled }} as {{ c }},
  {%- if loop.first %}
  {%- for d in ['m', 'n'] %}
  {{ c }}.{{ d }} as {{ c }}_{{ d }},
  {%- endfor %}
  {%- endif %}
{%- endfor %}
  {{ local('o') }} as o,
  {{ local(local('p')) }} as p
from {{ source('raw', 'nested') }}
""",
        """\
k    8:3   {{ spelled }}
l    8:3   {{ spelled }}
k_m  11:3  {{ c }}.{{ d }}
k_n  11:3  {{ c }}.{{ d }}
o    15:3  {{ local('o') }}
p    16:3  {{ local(local('p')) }}
""",
    ),
}

SNAPSHOTS = """\
{% snapshot first_history %}
{{ config(unique_key='id', strategy='timestamp', updated_at='changed') }}
select id, lower(email) as email, changed from {{ source('raw', 'people') }}
{% endsnapshot %}

{% snapshot second_history %}
    {{ config(unique_key='id', strategy='timestamp', updated_at='changed') }}
    select
        id,
        {{ euros('fee') }} as fee,
        changed
    from {{ source('raw', 'members') }}
{% endsnapshot %}
"""
OF_SNAPSHOTS = {
    "first_history": "id       3:8   id\nemail    3:12  lower(email)\nchanged  3:35  changed\n",
    "second_history": "id  9:9  id\nfee  10:9  {{ euros('fee') }}\nchanged  11:9  changed\n",
}

EXPECTED = {name: expected for name, (_, expected) in MODELS.items()} | OF_SNAPSHOTS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("templates")
    (root / "dbt_project.yml").write_text("name: shop\nprofile: shop\n")
    (root / "profiles.yml").write_text("shop:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: shop.duckdb}\n")
    for name in ("models", "macros", "snapshots", "target"):
        (root / name).mkdir()
    (root / "macros" / "money.sql").write_text(MACROS)
    (root / "snapshots" / "history.sql").write_text(SNAPSHOTS)
    for name, (template, _) in MODELS.items():
        (root / "models" / f"{name}.sql").write_bytes(template.encode())
    return root


@pytest.fixture(scope="module")
def rendered(folder: Path) -> Project:
    return read_project(folder)


@pytest.fixture(scope="module")
def compiled(folder: Path, rendered: Project) -> Iterator[Project]:
    """The same project with a manifest: its code as dbt compiles it."""
    nodes = {model.name: _node(model.name, model.sql) for model in rendered.models if model.name.startswith("model")}
    metadata = {
        "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
        "project_name": "shop",
        "adapter_type": "duckdb",
    }
    manifest = folder / "target" / "manifest.json"
    tables = {table for model in rendered.models for table in re.findall(r"raw\.(\w+)", model.sql)}
    sources = {f"source.shop.raw.{table}": _source(table) for table in tables}
    manifest.write_text(json.dumps({"metadata": metadata, "nodes": nodes, "sources": sources, "macros": {}}))
    yield read_project(folder)
    manifest.unlink()


def _node(unique_id: str, sql: str) -> dict[str, object]:
    name = unique_id.rpartition(".")[2]
    return {
        "unique_id": unique_id,
        "name": name,
        "resource_type": "model",
        "package_name": "shop",
        "original_file_path": f"models/{name}.sql",
        "relation_name": f"shop.{name}",
        "raw_code": MODELS[name][0].strip(),
        "compiled_code": sql,
        "config": {"materialized": "view"},
    }


def _source(table: str) -> dict[str, object]:
    return {
        "unique_id": f"source.shop.raw.{table}",
        "source_name": "raw",
        "name": table,
        "resource_type": "source",
        "package_name": "shop",
        "original_file_path": "models/sources.yml",
        "relation_name": f"raw.{table}",
    }


def places(project: Project, folder: Path) -> dict[str, dict[str, tuple[str, str]]]:
    """Of each table the places of its columns, and what stands there."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for statement, made in project_lineage(project).statements:
        if statement.places is None:
            continue
        text = Path(statement.place.path).read_bytes().decode()
        columns = found.setdefault(statement.entity[-1], {})
        for resolution in (each.resolution for each in made):
            for number, sources in Eliminator(resolution).numbered():
                name = resolution.columns[number][1]
                spans = {span for _, _, (_, span) in sources if span is not None}
                if name == PSEUDO_ROWS or not spans:
                    continue
                assert len(spans) == 1, (statement.entity, name, spans)
                (span,) = spans
                excerpt = " ".join(text[span.start : span.end].split())
                columns[name] = (str(statement.places.position(span.start)), excerpt)
    return found


def listed(text: str) -> dict[str, tuple[str, str]]:
    rows = (line.split(maxsplit=2) for line in text.splitlines())
    return {name: (place, excerpt) for name, place, excerpt in rows}


def test_there_are_a_hundred_of_them() -> None:
    assert sum(len(listed(text)) for text in EXPECTED.values()) == 100


@pytest.mark.parametrize("name", EXPECTED)
def test_places_of_rendered_templates(name: str, rendered: Project, folder: Path) -> None:
    assert places(rendered, folder)[name] == listed(EXPECTED[name])


@pytest.mark.parametrize("name", MODELS)
def test_places_of_compiled_code(name: str, compiled: Project, folder: Path) -> None:
    assert places(compiled, folder)[name] == listed(EXPECTED[name])


@pytest.fixture(scope="module")
def aligned(folder: Path, rendered: Project) -> Project:
    """Places as they are found without rendering, where dbt knows macros that are not known here."""
    models = (
        replace(model, places=template_alignment.aligned(Path(model.place.path).read_bytes().decode(), model.sql))
        for model in rendered.models
        if model.name.startswith("model.")
    )
    return replace(rendered, models=tuple(models))


UNKNOWN = {"loop": 3, "months": 3, "windows": 2, "wide": 2, "nested": 4}
"""Of how many columns compiled code alone does not tell which of several expressions made them."""


@pytest.mark.parametrize("name", MODELS)
def test_places_of_aligned_code_are_right_or_unknown(name: str, aligned: Project, folder: Path) -> None:
    expected, found = listed(EXPECTED[name]), places(aligned, folder)[name]
    other = {column: place for column, place in found.items() if place[0] != expected[column][0]}
    for column, (place, excerpt) in other.items():
        same_line = place.split(":")[0] == expected[column][0].split(":")[0]
        assert same_line or (excerpt.startswith("{%") and expected[column][1] in excerpt)
    assert len(other) + len(expected) - len(found) <= UNKNOWN.get(name, 0)
