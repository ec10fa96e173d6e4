{# Arrays. #}

{%- macro array_construct(inputs=[], data_type='integer') -%}
  {%- if target.type == 'snowflake' -%} array_construct({{ inputs | join(', ') }})
  {%- elif target.type in ('databricks', 'spark', 'redshift') -%} array({{ inputs | join(', ') }})
  {%- elif inputs | length == 0 and target.type == 'postgres' -%} array[]::{{ data_type }}[]
  {%- elif target.type in ('bigquery', 'duckdb') -%} [{{ inputs | join(', ') }}]
  {%- else -%} array[{{ inputs | join(', ') }}]
  {%- endif -%}
{%- endmacro %}

{%- macro array_append(array, new_element) -%}
  {%- if target.type in ('bigquery', 'redshift') -%} array_concat({{ array }}, {{ dbt.array_construct([new_element]) }})
  {%- else -%} array_append({{ array }}, {{ new_element }})
  {%- endif -%}
{%- endmacro %}

{%- macro array_concat(array_1, array_2) -%}
  {%- if target.type in ('snowflake', 'postgres') -%} array_cat({{ array_1 }}, {{ array_2 }})
  {%- elif target.type in ('databricks', 'spark', 'trino', 'athena') -%} concat({{ array_1 }}, {{ array_2 }})
  {%- else -%} array_concat({{ array_1 }}, {{ array_2 }})
  {%- endif -%}
{%- endmacro %}
