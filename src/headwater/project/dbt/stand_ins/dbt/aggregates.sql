{# Aggregates. #}

{%- macro any_value(expression) -%}
  {%- if target.type == 'postgres' -%} (array_agg({{ expression }}))[1]
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%} max({{ expression }})
  {%- else -%} any_value({{ expression }})
  {%- endif -%}
{%- endmacro %}

{%- macro bool_or(expression) -%}
  {%- if target.type == 'bigquery' -%} logical_or({{ expression }})
  {%- elif target.type == 'snowflake' -%} boolor_agg({{ expression }})
  {%- else -%} bool_or({{ expression }})
  {%- endif -%}
{%- endmacro %}

{%- macro listagg(measure, delimiter_text="','", order_by_clause=none, limit_num=none) -%}
  {%- set order = ' ' ~ order_by_clause if order_by_clause else '' -%}
  {%- set within = ' within group (' ~ order_by_clause ~ ')' if order_by_clause else '' -%}
  {%- if target.type == 'bigquery' -%}
  string_agg({{ measure }}, {{ delimiter_text }}{{ order }}{{ ' limit ' ~ limit_num if limit_num else '' }})
  {%- elif target.type in ('databricks', 'spark') -%}
    {%- if limit_num -%} array_join(slice(collect_list({{ measure }}), 1, {{ limit_num }}), {{ delimiter_text }})
    {%- else -%} array_join(collect_list({{ measure }}), {{ delimiter_text }})
    {%- endif -%}
  {%- elif target.type in ('postgres', 'duckdb') -%}
    {%- if limit_num -%} array_to_string((array_agg({{ measure }}{{ order }}))[1:{{ limit_num }}], {{ delimiter_text }})
    {%- else -%} string_agg({{ measure }}, {{ delimiter_text }}{{ order }})
    {%- endif -%}
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%}
  string_agg({{ measure }}, {{ delimiter_text }}){{ within }}
  {%- elif target.type == 'snowflake' and limit_num -%}
  array_to_string(array_slice(array_agg({{ measure }}){{ within }}, 0, {{ limit_num }}), {{ delimiter_text }})
  {%- else -%}
  listagg({{ measure }}, {{ delimiter_text }}){{ within }}
  {%- endif -%}
{%- endmacro %}
