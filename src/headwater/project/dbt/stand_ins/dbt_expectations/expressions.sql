{# The expressions behind the expectations that models use as well. #}

{%- macro group_by(n) -%}
  {{ dbt_utils.group_by(n) }}
{%- endmacro %}

{%- macro md5(string_value) -%}
  {{ dbt.hash(string_value) }}
{%- endmacro %}

{%- macro log_natural(x) -%}
  {{ 'log' if target.type == 'sqlserver' else 'ln' }}({{ x }})
{%- endmacro %}

{%- macro rand() -%}
  {%- if target.type == 'snowflake' -%} uniform(0::float, 1::float, random())
  {%- elif target.type in ('bigquery', 'databricks', 'spark') -%} rand()
  {%- else -%} random()
  {%- endif -%}
{%- endmacro %}

{%- macro percentile_cont(field, quantile, partition=None) -%}
  {%- set over = ' over (partition by ' ~ partition ~ ')' if partition else '' -%}
  {%- if target.type == 'bigquery' -%} percentile_cont({{ field }}, {{ quantile }}) over ({{ 'partition by ' ~ partition if partition }})
  {%- else -%} percentile_cont({{ quantile }}) within group (order by {{ field }}){{ over }}
  {%- endif -%}
{%- endmacro %}

{%- macro median(field) -%}
  {{ dbt_expectations.percentile_cont(field, 0.5) }}
{%- endmacro %}

{%- macro regexp_instr(source_value, regexp, position=1, occurrence=1, is_raw=False, flags='') -%}
  {%- if target.type == 'postgres' -%} coalesce(array_length((select regexp_matches({{ source_value }}, '{{ regexp }}', '{{ flags }}')), 1), 0)
  {%- elif target.type == 'duckdb' -%} regexp_matches({{ source_value }}, '{{ regexp }}')
  {%- elif target.type in ('databricks', 'spark') -%} length(regexp_extract({{ source_value }}, '{{ regexp }}', 0))
  {%- else -%} regexp_instr({{ source_value }}, {{ 'r' if is_raw and target.type == 'bigquery' }}'{{ regexp }}', {{ position }}, {{ occurrence }})
  {%- endif -%}
{%- endmacro %}

{%- macro type_timestamp() -%}
  {{ dbt.type_timestamp() }}
{%- endmacro %}

{%- macro type_datetime() -%}
  {{ 'datetime' if target.type == 'bigquery' else dbt.type_timestamp() }}
{%- endmacro %}

{%- macro truth_expression(expression) -%}
  {{ expression }} as expression
{%- endmacro %}

{%- macro _get_metric_expression(metric_column, take_logs) -%}
  {{ 'nullif(' ~ dbt_expectations.log_natural('nullif(' ~ metric_column ~ ', 0)') ~ ', 0)' if take_logs else 'coalesce(' ~ metric_column ~ ', 0)' }}
{%- endmacro %}

{%- macro _get_column_list(model, transform='upper') -%}
  {{ return((adapter.get_columns_in_relation(model) or []) | map(attribute='name') | map(transform) | list) }}
{%- endmacro %}

{%- macro _list_intersect(list1, list2) -%}
  {{ return(list1 | select('in', list2) | list) }}
{%- endmacro %}

{%- macro ignore_row_if_expression(ignore_row_if, columns) -%}
  {%- set word = ' and ' if ignore_row_if == 'all_values_are_missing' else ' or ' -%}
  {%- if ignore_row_if != 'never' -%}
  not ({% for column in columns %}{{ column }} is null{{ word if not loop.last }}{% endfor %})
  {%- endif -%}
{%- endmacro %}
