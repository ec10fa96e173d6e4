{# Names of data types. A type never decides about lineage; it has to be one that the dialect reads. #}

{%- macro type_string() -%}
  {%- if target.type in ('bigquery', 'databricks', 'spark') -%} string
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse', 'trino', 'athena', 'redshift') -%} varchar
  {%- else -%} text
  {%- endif -%}
{%- endmacro %}

{%- macro type_timestamp() -%}
  {%- if target.type == 'snowflake' -%} timestamp_ntz
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%} datetime2
  {%- else -%} timestamp
  {%- endif -%}
{%- endmacro %}

{%- macro type_float() -%}
  {%- if target.type == 'bigquery' -%} float64
  {%- elif target.type in ('trino', 'athena') -%} double
  {%- else -%} float
  {%- endif -%}
{%- endmacro %}

{%- macro type_numeric() -%}
  {%- if target.type in ('bigquery', 'sqlserver', 'fabric', 'synapse') -%} numeric
  {%- elif target.type in ('databricks', 'spark', 'trino', 'athena') -%} decimal(28, 6)
  {%- else -%} numeric(28, 6)
  {%- endif -%}
{%- endmacro %}

{%- macro type_bigint() -%}
  {{ 'int64' if target.type == 'bigquery' else 'bigint' }}
{%- endmacro %}

{%- macro type_int() -%}
  {%- if target.type == 'bigquery' -%} int64
  {%- elif target.type in ('trino', 'athena') -%} integer
  {%- else -%} int
  {%- endif -%}
{%- endmacro %}

{%- macro type_boolean() -%}
  {%- if target.type == 'bigquery' -%} bool
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%} bit
  {%- else -%} boolean
  {%- endif -%}
{%- endmacro %}
