{# This package's macros stand in for those of `dbt_utils` on Spark: the stand-ins there do that themselves. What is left works on the database. #}

{%- macro get_tables(table_regex_pattern='.*') -%}
  {{ return([]) }}
{%- endmacro %}

{%- macro get_delta_tables(table_regex_pattern='.*') -%}
  {{ return([]) }}
{%- endmacro %}

{%- macro get_statistic_columns(table) -%}
  {{ return([]) }}
{%- endmacro %}

{%- macro spark_optimize_delta_tables(table_regex_pattern='.*') -%}{%- endmacro %}
{%- macro spark_vacuum_delta_tables(table_regex_pattern='.*') -%}{%- endmacro %}
{%- macro spark_analyze_tables(table_regex_pattern='.*') -%}{%- endmacro %}
