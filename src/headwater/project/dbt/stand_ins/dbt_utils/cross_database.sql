{# Before dbt_utils 1.0 these stood here; now they are dbt's own. #}

{%- macro any_value(expression) -%}
  {{ dbt.any_value(expression) }}
{%- endmacro %}

{%- macro bool_or(expression) -%}
  {{ dbt.bool_or(expression) }}
{%- endmacro %}

{%- macro cast_bool_to_text(field) -%}
  {{ dbt.cast_bool_to_text(field) }}
{%- endmacro %}

{%- macro concat(fields) -%}
  {{ dbt.concat(fields) }}
{%- endmacro %}

{%- macro dateadd(datepart, interval, from_date_or_timestamp) -%}
  {{ dbt.dateadd(datepart, interval, from_date_or_timestamp) }}
{%- endmacro %}

{%- macro date_trunc(datepart, date) -%}
  {{ dbt.date_trunc(datepart, date) }}
{%- endmacro %}

{%- macro datediff(first_date, second_date, datepart) -%}
  {{ dbt.datediff(first_date, second_date, datepart) }}
{%- endmacro %}

{%- macro escape_single_quotes(expression) -%}
  {{ dbt.escape_single_quotes(expression) }}
{%- endmacro %}

{%- macro except() -%}
  {{ dbt.except() }}
{%- endmacro %}

{%- macro hash(field) -%}
  {{ dbt.hash(field) }}
{%- endmacro %}

{%- macro intersect() -%}
  {{ dbt.intersect() }}
{%- endmacro %}

{%- macro last_day(date, datepart) -%}
  {{ dbt.last_day(date, datepart) }}
{%- endmacro %}

{%- macro length(expression) -%}
  {{ dbt.length(expression) }}
{%- endmacro %}

{%- macro position(substring_text, string_text) -%}
  {{ dbt.position(substring_text, string_text) }}
{%- endmacro %}

{%- macro replace(field, old_chars, new_chars) -%}
  {{ dbt.replace(field, old_chars, new_chars) }}
{%- endmacro %}

{%- macro right(string_text, length_expression) -%}
  {{ dbt.right(string_text, length_expression) }}
{%- endmacro %}

{%- macro safe_cast(field, type) -%}
  {{ dbt.safe_cast(field, type) }}
{%- endmacro %}

{%- macro split_part(string_text, delimiter_text, part_number) -%}
  {{ dbt.split_part(string_text, delimiter_text, part_number) }}
{%- endmacro %}

{%- macro string_literal(value) -%}
  {{ dbt.string_literal(value) }}
{%- endmacro %}

{%- macro array_append(array, new_element) -%}
  {{ dbt.array_append(array, new_element) }}
{%- endmacro %}

{%- macro array_concat(array_1, array_2) -%}
  {{ dbt.array_concat(array_1, array_2) }}
{%- endmacro %}

{%- macro type_string() -%}
  {{ dbt.type_string() }}
{%- endmacro %}

{%- macro type_timestamp() -%}
  {{ dbt.type_timestamp() }}
{%- endmacro %}

{%- macro type_float() -%}
  {{ dbt.type_float() }}
{%- endmacro %}

{%- macro type_numeric() -%}
  {{ dbt.type_numeric() }}
{%- endmacro %}

{%- macro type_bigint() -%}
  {{ dbt.type_bigint() }}
{%- endmacro %}

{%- macro type_int() -%}
  {{ dbt.type_int() }}
{%- endmacro %}

{%- macro listagg(measure, delimiter_text="','", order_by_clause=none, limit_num=none) -%}
  {{ dbt.listagg(measure, delimiter_text, order_by_clause, limit_num) }}
{%- endmacro %}

{%- macro array_construct(inputs=[], data_type='integer') -%}
  {{ dbt.array_construct(inputs, data_type) }}
{%- endmacro %}

{%- macro type_boolean() -%}
  {{ dbt.type_boolean() }}
{%- endmacro %}

{%- macro current_timestamp() -%}
  {{ dbt.current_timestamp_backcompat() }}
{%- endmacro %}

{%- macro current_timestamp_in_utc() -%}
  {{ dbt.current_timestamp_in_utc_backcompat() }}
{%- endmacro %}

{# A quoted name. #}
{%- macro identifier(value) -%}
  {{ adapter.quote(value) }}
{%- endmacro %}
