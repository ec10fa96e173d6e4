{# Whole queries over relations. #}

{%- macro union_relations(relations, column_override=none, include=[], exclude=[], source_column_name='_dbt_source_relation', where=none) -%}
  {{ dbt_utils.union_of_relations(relations, column_override or {}, include, exclude, source_column_name, where) }}
{%- endmacro %}

{# Before dbt_utils 0.2. #}
{%- macro union_tables(tables, column_override=none, include=[], exclude=[], source_column_name='_dbt_source_table') -%}
  {{ dbt_utils.union_of_relations(tables, column_override or {}, include, exclude, source_column_name, none) }}
{%- endmacro %}

{# Columns by name over all relations. A relation whose columns nobody knows is taken to have all columns that the others have. #}
{%- macro union_of_relations(relations, column_override, include, exclude, source_column_name, where, aliases=none) -%}
  {%- set included = include | map('lower') | list -%}
  {%- set excluded = exclude | map('lower') | list -%}
  {%- set all_columns = {} -%}
  {%- set columns_by_relation = {} -%}
  {%- for relation in relations -%}
    {%- set own = [] -%}
    {%- for column in adapter.get_columns_in_relation(relation) or [] -%}
      {%- if (not included or column.name | lower in included) and column.name | lower not in excluded -%}
        {%- do own.append(column.name | lower) -%}
        {%- do all_columns.setdefault(column.name | lower, column) -%}
      {%- endif -%}
    {%- endfor -%}
    {%- do columns_by_relation.update({relation | string: own}) -%}
  {%- endfor -%}
  {%- if relations | length == 0 -%}
  select * from dbt_utils.union_relations()
  {%- endif -%}
  {%- for relation in relations %}
    {%- set own = columns_by_relation[relation | string] %}
  (
    select
    {%- if source_column_name is not none %}
      cast({{ dbt.string_literal((aliases[loop.index0] if aliases else relation) | string) }} as {{ dbt.type_string() }}) as {{ source_column_name }},
    {%- endif -%}
    {%- if all_columns | length == 0 and included | length == 0 %}
      {{ dbt_utils.star_of_unknown_columns(false, exclude) }}
    {%- elif all_columns | length == 0 %}
      {{ include | join(', ') }}
    {%- endif -%}
    {%- for key, column in all_columns.items() %}
      {%- set name = adapter.quote(column.name) -%}
      {%- set type = column_override.get(column.name, column.dtype) %}
      {% if key not in own and own | length > 0 -%} cast(null as {{ type or dbt.type_string() }}) as {{ name }}
      {%- elif type -%} cast({{ name }} as {{ type }}) as {{ name }}
      {%- else -%} {{ name }}
      {%- endif -%}
      {{ ',' if not loop.last }}
    {%- endfor %}
    from {{ relation }}
    {{ 'where ' ~ where if where }}
  )
  {{ 'union all' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}

{%- macro deduplicate(relation, partition_by, order_by) -%}
  {%- if target.type == 'postgres' -%}
  select distinct on ({{ partition_by }}) * from {{ relation }} order by {{ partition_by }}, {{ order_by }}
  {%- else -%}
  select * from {{ relation }} as tt
  qualify row_number() over (partition by {{ partition_by }} order by {{ order_by }}) = 1
  {%- endif -%}
{%- endmacro %}

{%- macro pivot(column, values, alias=True, agg='sum', cmp='=', prefix='', suffix='', then_value=1, else_value=0, quote_identifiers=True, distinct=False) -%}
  {%- if values | length == 0 -%}
    {# Nobody knows the values, so nobody knows how many columns there are: one stands for them all. #}
    {{ agg }}({{ 'distinct ' if distinct }} case when {{ column }} {{ cmp }} null then {{ then_value }} else {{ else_value }} end) as {{ dbt_utils.slugify(prefix ~ 'values_of_' ~ column ~ suffix) }}
  {%- endif -%}
  {%- for value in values -%}
    {{ agg }}({{ 'distinct ' if distinct }} case when {{ column }} {{ cmp }} '{{ dbt.escape_single_quotes(value) }}' then {{ then_value }} else {{ else_value }} end)
    {%- if alias %}
      {%- set name = prefix ~ value ~ suffix %} as {{ adapter.quote(name) if quote_identifiers else dbt_utils.slugify(name) }}
    {%- endif -%}
    {{ ',\n  ' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}

{%- macro unpivot(relation=none, cast_to='varchar', exclude=none, remove=none, field_name='field_name', value_name='value', quote_identifiers=False, table=none) -%}
  {%- set source_relation = relation if relation is not none else table -%}
  {%- set type = dbt.type_string() if cast_to == 'varchar' else cast_to -%}
  {%- set kept = [] -%}
  {%- for name in exclude or [] -%}
    {%- do kept.append(adapter.quote(name) if quote_identifiers else name) -%}
  {%- endfor -%}
  {%- set left_out = ((exclude or []) + (remove or [])) | map('lower') | list -%}
  {%- set names = dbt_utils.get_filtered_columns_in_relation(source_relation, left_out) -%}
  {%- if names | length == 0 %}
  select {{ kept | join(', ') }}{{ ', ' if kept }}{{ field_name }}, {{ value_name }} from dbt_utils.unpivot({{ source_relation }})
  {%- endif -%}
  {%- for name in names %}
  {%- set column = adapter.quote(name) if quote_identifiers else name %}
  select {{ kept | join(', ') }}{{ ', ' if kept }}cast('{{ name }}' as {{ dbt.type_string() }}) as {{ field_name }},
    cast({{ column }} as {{ type }}) as {{ value_name }}
  from {{ source_relation }}
  {{ 'union all' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}

{%- macro date_spine(datepart, start_date, end_date) -%}
  {{ dbt.date_spine(datepart, start_date, end_date) }}
{%- endmacro %}

{%- macro generate_series(upper_bound) -%}
  {{ dbt.generate_series(upper_bound) }}
{%- endmacro %}

{%- macro get_powers_of_two(upper_bound) -%}
  {{ return(dbt.get_powers_of_two(upper_bound)) }}
{%- endmacro %}

{%- macro get_intervals_between(start_date, end_date, datepart) -%}
  {{ return(dbt.get_intervals_between(start_date, end_date, datepart)) }}
{%- endmacro %}
