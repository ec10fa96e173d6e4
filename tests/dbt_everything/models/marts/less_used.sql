{{ config(materialized='table', meta={'owner': 'till'}, sql_header='create temp macro doubled(x) as x * 2;') }}

{%- call statement('first_row', fetch_result=True) -%} select 1 as n {%- endcall -%}
{%- set result = load_result('first_row') -%}
{%- set asked = result['data'][0][0] if execute else 0 -%}
{%- set columns = fromyaml('columns: [id, name]')['columns'] -%}
{%- set written = fromyaml(toyaml({'suffix': 'copy'})) -%}
{%- set pairs = zip_strict(columns, ['i', 'n']) -%}
{%- set names = set_strict(['domain']) -%}
{%- set chained = modules.itertools.chain(['id'], ['name']) | list -%}
{%- set moment = modules.pytz.utc.localize(modules.datetime.datetime(2024, 5, 6)) -%}
{%- set missing = diff_of_two_dicts({'shop': ['people', 'orders']}, {'shop': ['orders']}) -%}
{%- set seeds = graph.nodes.values() | selectattr('resource_type', 'equalto', 'seed') | map(attribute='name') | list -%}
{%- set relation = api.Relation.create(database=target.database, schema=target.schema ~ '__stage', identifier='people') -%}
{%- set column = api.Column('id', 'integer') -%}
{%- if not flags.FULL_REFRESH and adapter.type() != 'duckdb' -%}
  {{ exceptions.raise_compiler_error('this is a project for DuckDB') }}
{%- endif -%}
{%- if 'UTC' not in modules.pytz.all_timezones -%} {{ exceptions.warn('no zones') }} {%- endif -%}

select
  {% for name, alias in pairs -%} p.{{ name }} as {{ alias }}, {% endfor %}
  concat({{ chained | join(', ') }}) as both_{{ written.suffix }},
  {{ adapter.quote(column.name) }} as quoted_id,
  {% for name in names %}{{ name }} as {{ name }}_again,{% endfor %}
  '{{ moment.strftime('%Y-%m-%d') }}' as day,
  '{{ missing['shop'] | join }} {{ seeds | join }} {{ config.meta_get('owner') }} {{ config.require('materialized') }}' as text,
  {{ builtins.ref('rates') | string | length }} as size,
  doubled(p.id) as doubled,
  {{ context['full_name']('name', 'domain') }} as full_name,
  r.rate
from {{ relation }} as p
cross join {{ builtins.ref('rates') }} as r
-- depends_on: {{ ref('stg_customers') }}
where {{ asked }} = {{ asked }} and {{ model.tags | length }} > 0
