{# Settings of incremental models, and the SQL that stands before a statement. #}

{%- macro should_full_refresh() -%}
  {%- set configured = config.get('full_refresh') -%}
  {{ return(configured if configured is not none else flags.FULL_REFRESH) }}
{%- endmacro %}

{%- macro should_store_failures() -%}
  {%- set configured = config.get('store_failures') -%}
  {{ return(configured if configured is not none else flags.STORE_FAILURES) }}
{%- endmacro %}

{%- macro incremental_validate_on_schema_change(on_schema_change, default='ignore') -%}
  {{ return(on_schema_change if on_schema_change in ['sync_all_columns', 'append_new_columns', 'fail', 'ignore'] else default) }}
{%- endmacro %}

{%- macro get_merge_update_columns(merge_update_columns, merge_exclude_columns, dest_columns) -%}
  {%- if merge_update_columns -%} {{ return(merge_update_columns) }} {%- endif -%}
  {%- set left_out = (merge_exclude_columns or []) | map('lower') | list -%}
  {%- set columns = [] -%}
  {%- for column in dest_columns if column.name | lower not in left_out -%}
    {%- do columns.append(column.quoted) -%}
  {%- endfor -%}
  {{ return(columns) }}
{%- endmacro %}

{%- macro set_sql_header(config) -%}
  {%- do config(sql_header=caller()) -%}
{%- endmacro %}
