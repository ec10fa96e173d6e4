{# What snapshots compute for their own columns. #}

{%- macro snapshot_get_time() -%}
  {{ dbt.current_timestamp() }}
{%- endmacro %}

{%- macro snapshot_string_as_time(timestamp) -%}
  cast('{{ timestamp }}' as {{ dbt.type_timestamp() }})
{%- endmacro %}

{%- macro snapshot_hash_arguments(args) -%}
  {%- set texts = [] -%}
  {%- for argument in args -%}
    {%- do texts.append("coalesce(cast(" ~ argument ~ " as " ~ dbt.type_string() ~ "), '')") -%}
  {%- endfor -%}
  {{ dbt.hash(texts | join(" || '|' || ")) }}
{%- endmacro %}
