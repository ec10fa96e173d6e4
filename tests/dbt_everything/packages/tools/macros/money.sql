{% macro money(column) %}{{ return(adapter.dispatch('money', 'tools')(column)) }}{% endmacro %}

{% macro default__money(column) %}{{ column }}{% endmacro %}

{% macro duckdb__money(column) -%}
  {%- if var('unit') == 'cents' -%} {{ column }} / 100.0 {%- else -%} {{ column }} {%- endif -%}
{%- endmacro %}

{% macro helper(column) %}{{ tools.own_helper(column) }}{% endmacro %}

{% macro own_helper(column) %}coalesce({{ column }}, 0){% endmacro %}

{% macro shouted(column) %}{{ adapter.dispatch('shouted', 'tools')(column) }}{% endmacro %}

{% macro default__shouted(column) %}upper({{ column }}){% endmacro %}
