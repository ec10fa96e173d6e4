{# Lists of columns. A relation whose columns nobody knows gives a star, without the excluded ones where the dialect can say so. #}

{%- macro _is_relation(obj, macro) -%}{%- endmacro %}
{%- macro _is_ephemeral(obj, macro) -%}{%- endmacro %}

{%- macro get_filtered_columns_in_relation(from, except=[]) -%}
  {%- set left_out = except | map('lower') | list -%}
  {%- set names = [] -%}
  {%- for column in adapter.get_columns_in_relation(from) or [] if column.name | lower not in left_out -%}
    {%- do names.append(column.name) -%}
  {%- endfor -%}
  {{ return(names) }}
{%- endmacro %}

{%- macro star_of_unknown_columns(relation_alias=false, except=[]) -%}
  {%- set star = relation_alias ~ '.*' if relation_alias else '*' -%}
  {%- if except | length == 0 or target.type in ('postgres', 'sqlserver', 'fabric', 'synapse', 'trino', 'athena') -%} {{ star }}
  {%- else -%}
  {{ star }} {{ 'except' if target.type in ('bigquery', 'databricks', 'spark') else 'exclude' }} ({{ except | join(', ') }})
  {%- endif -%}
{%- endmacro %}

{%- macro star(from, relation_alias=False, except=[], prefix='', suffix='', quote_identifiers=True, unquote_aliases=False, rename={}) -%}
  {%- set names = dbt_utils.get_filtered_columns_in_relation(from, except) -%}
  {%- if names | length == 0 -%}
  {{ dbt_utils.star_of_unknown_columns(relation_alias, except) }}
  {%- endif -%}
  {%- for name in names -%}
    {%- if relation_alias -%} {{ relation_alias }}. {%- endif -%}
    {{ adapter.quote(name) | trim if quote_identifiers else name | trim }}
    {%- set new_name = prefix ~ rename.get(name, name) ~ suffix -%}
    {%- if new_name != name %} as {{ adapter.quote(new_name) | trim if quote_identifiers and not unquote_aliases else new_name | trim }} {%- endif -%}
    {{ ',\n  ' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}

{%- macro nullcheck(cols) -%}
  {%- for column in cols -%}
    {%- if column.is_string() -%} nullif({{ column.name }}, '') as {{ column.name }}
    {%- else -%} {{ column.name }}
    {%- endif -%}
    {{ ',\n  ' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}

{%- macro nullcheck_table(relation) -%}
  {%- set columns = adapter.get_columns_in_relation(relation) or [] -%}
  select {{ dbt_utils.nullcheck(columns) if columns | length > 0 else '*' }} from {{ relation }}
{%- endmacro %}
