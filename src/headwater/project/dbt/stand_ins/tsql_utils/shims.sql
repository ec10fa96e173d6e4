{# This package's macros stand in for those of `dbt_utils` on SQL Server: the stand-ins there do that themselves. These are called by name. #}

{%- macro surrogate_key(field_list, col_type=None, use_binary_hash=None) -%}
  {%- set texts = [] -%}
  {%- for field in field_list -%}
    {%- do texts.append("coalesce(cast(" ~ field ~ " as " ~ (col_type or 'varchar(8000)') ~ "), '')") -%}
  {%- endfor -%}
  {%- set joined = "concat(" ~ texts | join(", '-', ") ~ ", '')" -%}
  {{ "hashbytes('md5', " ~ joined ~ ")" if use_binary_hash else tsql_utils.cast_hash_to_str("hashbytes('md5', " ~ joined ~ ")") }}
{%- endmacro %}

{%- macro cast_hash_to_str(col) -%}
  convert(varchar(50), {{ col }}, 2)
{%- endmacro %}
