{% macro all_but(relation, left_out) %}
  {%- set kept = [] -%}
  {%- for column in adapter.get_columns_in_relation(relation) if column.name not in left_out -%}
    {%- do kept.append(adapter.quote(column.name)) -%}
  {%- endfor -%}
  {{ return(kept | join(', ')) }}
{% endmacro %}

{% macro totals(currencies) %}
  {%- for currency in currencies %}
    sum(case when status != 'void' then amount_{{ currency }} end) as total_{{ currency }}{{ "," if not loop.last }}
  {%- endfor %}
{% endmacro %}

{% macro wrapped(alias) %}select * from ({{ caller() }}) as {{ alias }}{% endmacro %}

{% macro everything__default() %}{% endmacro %}

{% macro duckdb__shouted(column) %}upper({{ column }}) || '!'{% endmacro %}

{% macro full_name(first, last) -%}
  {{ dbt.concat([first, "' '", last]) }}
{%- endmacro %}
