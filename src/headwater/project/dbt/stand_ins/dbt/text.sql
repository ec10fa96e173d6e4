{# Functions of texts, and casts. #}

{%- macro cast(field, type) -%}
  cast({{ field }} as {{ type }})
{%- endmacro %}

{%- macro safe_cast(field, type) -%}
  {%- if target.type == 'bigquery' -%} safe_cast({{ field }} as {{ type }})
  {%- elif target.type in ('postgres', 'redshift') -%} cast({{ field }} as {{ type }})
  {%- else -%} try_cast({{ field }} as {{ type }})
  {%- endif -%}
{%- endmacro %}

{%- macro cast_bool_to_text(field) -%}
  {%- if target.type in ('redshift', 'sqlserver', 'fabric', 'synapse') -%}
  case when {{ field }} then 'true' when not {{ field }} then 'false' end
  {%- else -%}
  cast({{ field }} as {{ dbt.type_string() }})
  {%- endif -%}
{%- endmacro %}

{%- macro concat(fields) -%}
  {%- if target.type in ('bigquery', 'sqlserver', 'fabric', 'synapse') -%} concat({{ fields | join(', ') }})
  {%- else -%} {{ fields | join(' || ') }}
  {%- endif -%}
{%- endmacro %}

{%- macro escape_single_quotes(expression) -%}
  {%- set doubled = target.type in ('postgres', 'redshift', 'duckdb', 'sqlserver', 'fabric', 'synapse', 'trino', 'athena') -%}
  {{ expression | replace("'", "''" if doubled else "\\'") }}
{%- endmacro %}

{%- macro string_literal(value) -%}
  '{{ value }}'
{%- endmacro %}

{%- macro hash(field) -%}
  {%- if target.type == 'bigquery' -%}
  to_hex(md5(cast({{ field }} as {{ dbt.type_string() }})))
  {%- elif target.type in ('trino', 'athena') -%}
  lower(to_hex(md5(to_utf8(cast({{ field }} as {{ dbt.type_string() }})))))
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%}
  hashbytes('MD5', cast({{ field }} as {{ dbt.type_string() }}))
  {%- else -%}
  md5(cast({{ field }} as {{ dbt.type_string() }}))
  {%- endif -%}
{%- endmacro %}

{%- macro length(expression) -%}
  {{ 'len' if target.type in ('sqlserver', 'fabric', 'synapse') else 'length' }}({{ expression }})
{%- endmacro %}

{%- macro position(substring_text, string_text) -%}
  {%- if target.type == 'bigquery' -%} strpos({{ string_text }}, {{ substring_text }})
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%} charindex({{ substring_text }}, {{ string_text }})
  {%- else -%} position({{ substring_text }} in {{ string_text }})
  {%- endif -%}
{%- endmacro %}

{%- macro replace(field, old_chars, new_chars) -%}
  replace({{ field }}, {{ old_chars }}, {{ new_chars }})
{%- endmacro %}

{%- macro right(string_text, length_expression) -%}
  {%- if target.type in ('trino', 'athena') -%} substr({{ string_text }}, -({{ length_expression }}))
  {%- else -%} right({{ string_text }}, {{ length_expression }})
  {%- endif -%}
{%- endmacro %}

{%- macro split_part(string_text, delimiter_text, part_number) -%}
  {%- set backwards = part_number is number and part_number < 0 -%}
  {%- if target.type == 'bigquery' -%}
    {%- if backwards -%}
    split({{ string_text }}, {{ delimiter_text }})[safe_offset(array_length(split({{ string_text }}, {{ delimiter_text }})) - {{ part_number | abs }})]
    {%- else -%}
    split({{ string_text }}, {{ delimiter_text }})[safe_offset({{ part_number }} - 1)]
    {%- endif -%}
  {%- else -%}
  split_part({{ string_text }}, {{ delimiter_text }}, {{ part_number }})
  {%- endif -%}
{%- endmacro %}
