{# Columns of staging models. Where nobody knows the columns of the source, it is taken to have all that are wanted. #}

{%- macro quote_column(column) -%}
  {{ adapter.quote(column.name) if column.get('quote') else column.name }}
{%- endmacro %}

{%- macro fill_staging_columns(source_columns, staging_columns) -%}
  {%- set there = (source_columns or []) | map(attribute='name') | map('lower') | list -%}
  {%- for column in staging_columns -%}
    {%- set name = fivetran_utils.quote_column(column) | trim -%}
    {%- set type = column.get('datatype') -%}
    {%- if there and column.name | lower not in there -%} cast(null as {{ type or dbt.type_string() }})
    {%- elif type -%} cast({{ name }} as {{ type }})
    {%- else -%} {{ name }}
    {%- endif %} as {{ column.get('alias') or name }}
    {{- ',\n  ' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}

{%- macro add_pass_through_columns(base_columns, pass_through_var) -%}
  {%- for column in pass_through_var or [] -%}
    {%- if column is mapping -%}
      {%- set added = {'name': column.name, 'datatype': column.get('datatype') or dbt.type_string()} -%}
      {%- if column.get('alias') -%} {%- do added.update({'alias': column.alias}) -%} {%- endif -%}
      {%- do base_columns.append(added) -%}
    {%- else -%}
      {%- do base_columns.append({'name': column, 'datatype': dbt.type_string()}) -%}
    {%- endif -%}
  {%- endfor -%}
{%- endmacro %}

{%- macro fill_pass_through_columns(pass_through_variable) -%}
  {%- for column in var(pass_through_variable, []) or [] -%}
    {%- if column is not mapping %}, {{ column }}
    {%- elif column.get('transform_sql') %}, {{ column.transform_sql }} as {{ column.get('alias') or column.name }}
    {%- else %}, {{ column.get('alias') or column.name }}
    {%- endif -%}
  {%- endfor -%}
{%- endmacro %}

{%- macro persist_pass_through_columns(pass_through_variable, identifier=none, transform='', coalesce_with=none, append_string='', exclude_fields=[]) -%}
  {%- for column in var(pass_through_variable, []) or [] -%}
    {%- set name = (column.get('alias') or column.name) if column is mapping else column -%}
    {%- if name not in exclude_fields -%}
      {%- set value = (identifier ~ '.' if identifier else '') ~ name -%}
      {%- set value = transform ~ '(' ~ value ~ ')' if transform else value -%}
      , {{ 'coalesce(' ~ value ~ ', ' ~ coalesce_with ~ ')' if coalesce_with is not none else value }} as {{ name ~ append_string }}
    {%- endif -%}
  {%- endfor -%}
{%- endmacro %}

{%- macro remove_prefix_from_columns(columns, prefix='', exclude=[]) -%}
  {%- for column in columns if column.name not in exclude -%}
    {%- if prefix and column.name[: prefix | length] == prefix -%} {{ column.name }} as {{ column.name[prefix | length :] }}
    {%- else -%} {{ column.name }}
    {%- endif -%}
    {{ ',\n  ' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}

{%- macro get_column_names_only(source_columns) -%}
  {{ return((source_columns or []) | map(attribute='name') | list) }}
{%- endmacro %}

{%- macro calculated_fields(variable) -%}
  {%- for field in var(variable, []) or [] %}, {{ field.transform_sql }} as {{ field.name }} {%- endfor -%}
{%- endmacro %}

{%- macro dummy_coalesce_value(column) -%}
  {%- set type = (column.dtype or '') | lower -%}
  {%- if 'char' in type or 'text' in type or 'string' in type -%} {{ return("'DUMMY_STRING'") }}
  {%- elif 'timestamp' in type -%} {{ return("cast('2099-12-31' as " ~ dbt.type_timestamp() ~ ")") }}
  {%- elif 'date' in type -%} {{ return("cast('2099-12-31' as date)") }}
  {%- elif 'int' in type -%} {{ return('999999999') }}
  {%- elif 'num' in type or 'float' in type or 'double' in type or 'decimal' in type -%} {{ return('999999999.99') }}
  {%- endif -%}
  {{ return('null') }}
{%- endmacro %}
