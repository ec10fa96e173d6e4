{# Relations and their columns. #}

{%- macro get_columns_in_relation(relation) -%}
  {{ return(adapter.get_columns_in_relation(relation)) }}
{%- endmacro %}

{%- macro get_columns_in_query(select_sql) -%}
  {%- set answer = run_query('select * from (' ~ select_sql ~ ') as columns_of_query where false limit 0') if execute else none -%}
  {{ return(answer.columns | map(attribute='name') | list if answer is not none and answer else []) }}
{%- endmacro %}

{%- macro get_list_of_column_names(columns) -%}
  {{ return(columns | map(attribute='name') | list) }}
{%- endmacro %}

{%- macro get_quoted_csv(column_names) -%}
  {%- set quoted = [] -%}
  {%- for name in column_names -%}
    {%- do quoted.append(adapter.quote(name)) -%}
  {%- endfor -%}
  {{ return(quoted | join(', ')) }}
{%- endmacro %}

{%- macro load_relation(relation) -%}
  {{ return(dbt.load_cached_relation(relation)) }}
{%- endmacro %}

{%- macro load_cached_relation(relation) -%}
  {{ return(adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier)) }}
{%- endmacro %}

{%- macro get_or_create_relation(database, schema, identifier, type) -%}
  {%- set found = adapter.get_relation(database=database, schema=schema, identifier=identifier) -%}
  {%- if found -%} {{ return([true, found]) }} {%- endif -%}
  {{ return([false, api.Relation.create(database=database, schema=schema, identifier=identifier, type=type)]) }}
{%- endmacro %}

{%- macro make_temp_relation(base_relation, suffix='__dbt_tmp') -%}
  {{ return(api.Relation.create(database=base_relation.database, schema=base_relation.schema, identifier=base_relation.identifier ~ suffix, type='table')) }}
{%- endmacro %}

{%- macro make_intermediate_relation(base_relation, suffix='__dbt_tmp') -%}
  {{ return(dbt.make_temp_relation(base_relation, suffix)) }}
{%- endmacro %}

{%- macro make_backup_relation(base_relation, backup_relation_type, suffix='__dbt_backup') -%}
  {{ return(dbt.make_temp_relation(base_relation, suffix)) }}
{%- endmacro %}

{%- macro diff_columns(source_columns, target_columns) -%}
  {%- set names = target_columns | map(attribute='name') | list -%}
  {{ return(source_columns | rejectattr('name', 'in', names) | list) }}
{%- endmacro %}

{%- macro get_empty_subquery_sql(select_sql, select_sql_header=none) -%}
  {{ select_sql_header if select_sql_header is not none }}
  select * from ({{ select_sql }}) as __dbt_sbq where false limit 0
{%- endmacro %}

{%- macro get_limit_subquery_sql(sql, limit) -%}
  select * from ({{ sql }}) as model_limit_subq limit {{ limit }}
{%- endmacro %}

{%- macro create_table_as(temporary, relation, compiled_code, language='sql') -%}
  create {{ 'temporary' if temporary }} table {{ relation }} as ({{ compiled_code }});
{%- endmacro %}

{%- macro get_create_table_as_sql(temporary, relation, sql) -%}
  {{ dbt.create_table_as(temporary, relation, sql) }}
{%- endmacro %}

{%- macro create_view_as(relation, sql) -%}
  create view {{ relation }} as ({{ sql }});
{%- endmacro %}

{%- macro get_create_view_as_sql(relation, sql) -%}
  {{ dbt.create_view_as(relation, sql) }}
{%- endmacro %}

{%- macro get_insert_into_sql(target_relation, temp_relation, dest_columns) -%}
  {%- set names = dbt.get_quoted_csv(dest_columns | map(attribute='name')) -%}
  insert into {{ target_relation }} ({{ names }}) (select {{ names }} from {{ temp_relation }})
{%- endmacro %}
