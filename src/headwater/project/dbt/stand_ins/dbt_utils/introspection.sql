{# What is asked of the database. Without one, a query has no rows; relations are looked for among those of the project. #}

{%- macro get_column_values(table, column, order_by='count(*) desc', max_records=none, default=none, where=none) -%}
  {%- set otherwise = default if default is not none else [] -%}
  {%- if not execute -%} {{ return(otherwise) }} {%- endif -%}
  {%- set answer = run_query(
    'select ' ~ column ~ ' as value from ' ~ table ~ (' where ' ~ where if where else '')
    ~ ' group by ' ~ column ~ ' order by ' ~ order_by ~ (' limit ' ~ max_records if max_records else '')
  ) -%}
  {%- if answer is none or not answer or answer.rows | length == 0 -%} {{ return(otherwise) }} {%- endif -%}
  {{ return(answer.columns[0].values() | list) }}
{%- endmacro %}

{%- macro get_query_results_as_dict(query) -%}
  {%- set answer = run_query(query) if execute else none -%}
  {%- set columns = {} -%}
  {%- if answer is not none and answer -%}
    {%- for name in answer.column_names -%}
      {%- do columns.update({name: answer.columns[name].values()}) -%}
    {%- endfor -%}
  {%- endif -%}
  {{ return(columns) }}
{%- endmacro %}

{%- macro get_single_value(query, default=none) -%}
  {%- set answer = run_query(query) if execute else none -%}
  {%- if answer is none or not answer or answer.rows | length == 0 -%} {{ return(default) }} {%- endif -%}
  {{ return(answer.columns[0].values()[0]) }}
{%- endmacro %}

{%- macro get_table_types_sql() -%}
  case table_type when 'BASE TABLE' then 'table' when 'VIEW' then 'view' when 'EXTERNAL TABLE' then 'external' when 'MATERIALIZED VIEW' then 'materializedview' else lower(table_type) end as {{ adapter.quote('table_type') }}
{%- endmacro %}

{%- macro get_tables_by_pattern_sql(schema_pattern, table_pattern, exclude='', database=target.database) -%}
  select distinct
    table_schema as {{ adapter.quote('table_schema') }},
    table_name as {{ adapter.quote('table_name') }},
    {{ dbt_utils.get_table_types_sql() }}
  from {{ database }}.information_schema.tables
  where lower(table_schema) like lower('{{ schema_pattern }}')
    and lower(table_name) like lower('{{ table_pattern }}')
    and lower(table_name) not like lower('{{ exclude }}')
{%- endmacro %}

{%- macro get_tables_by_prefix_sql(schema, prefix, exclude='', database=target.database) -%}
  {{ dbt_utils.get_tables_by_pattern_sql(schema, prefix ~ '%', exclude, database) }}
{%- endmacro %}

{%- macro get_relations_by_pattern(schema_pattern, table_pattern, exclude='', database=target.database) -%}
  {%- set relations = [] -%}
  {%- if not execute -%} {{ return(relations) }} {%- endif -%}
  {%- set answer = run_query(dbt_utils.get_tables_by_pattern_sql(schema_pattern, table_pattern, exclude, database)) -%}
  {%- if answer is not none and answer and answer.rows | length > 0 -%}
    {%- for row in answer.rows -%}
      {%- do relations.append(api.Relation.create(database=database, schema=row[0], identifier=row[1], type=row[2])) -%}
    {%- endfor -%}
    {{ return(relations) }}
  {%- endif -%}
  {{ return(dbt_utils.relations_of_project(schema_pattern, table_pattern, exclude)) }}
{%- endmacro %}

{%- macro get_relations_by_prefix(schema, prefix, exclude='', database=target.database) -%}
  {{ return(dbt_utils.get_relations_by_pattern(schema, prefix ~ '%', exclude, database)) }}
{%- endmacro %}

{# Before dbt_utils 0.2: names in place of relations. #}
{%- macro get_tables_by_prefix(schema, prefix, exclude='', database=target.database) -%}
  {{ return(dbt_utils.get_relations_by_prefix(schema, prefix, exclude, database)) }}
{%- endmacro %}

{# The project's own sources, seeds and models whose schema and name match two patterns of LIKE. #}
{%- macro relations_of_project(schema_pattern, table_pattern, exclude='') -%}
  {%- set relations = [] -%}
  {%- for node in (graph.sources.values() | list) + (graph.nodes.values() | list) -%}
    {%- if node.resource_type in ('source', 'model', 'seed', 'snapshot') -%}
      {%- set name = node.identifier if node.resource_type == 'source' else node.alias -%}
      {%- if dbt_utils.is_like(node.schema, schema_pattern) and dbt_utils.is_like(name, table_pattern) and not dbt_utils.is_like(name, exclude) -%}
        {%- do relations.append(api.Relation.create(database=node.database, schema=node.schema, identifier=name, type='table')) -%}
      {%- endif -%}
    {%- endif -%}
  {%- endfor -%}
  {{ return(relations) }}
{%- endmacro %}

{%- macro is_like(text, pattern) -%}
  {%- set expression = modules.re.escape(pattern | lower) | replace('%', '.*') | replace('_', '.') -%}
  {{ return(modules.re.match('^' ~ expression ~ '$', text | lower) is not none) }}
{%- endmacro %}
