{# Numbers and dates in a row. The real macros ask the database how many there are; these make enough and leave out what is past the end. #}

{%- macro get_powers_of_two(upper_bound) -%}
  {%- for power in range(1, 100) -%}
    {%- if upper_bound <= 2 ** power -%} {{ return(power) }} {%- endif -%}
  {%- endfor -%}
{%- endmacro %}

{%- macro generate_series(upper_bound) -%}
  {%- set digits = (upper_bound | string | length) if upper_bound is number else 5 -%}
  with digits as (
    {%- for digit in range(10) %}
    select {{ digit }} as digit{{ ' union all' if not loop.last }}
    {%- endfor %}
  ),
  numbers as (
    select
    {%- for place in range(digits) %}
      {{ '+ ' if not loop.first }}d{{ place }}.digit * {{ 10 ** place }}
    {%- endfor %}
      + 1 as generated_number
    from digits as d0
    {%- for place in range(1, digits) %}
    cross join digits as d{{ place }}
    {%- endfor %}
  )
  select generated_number from numbers where generated_number <= {{ upper_bound }} order by generated_number
{%- endmacro %}

{%- macro get_intervals_between(start_date, end_date, datepart) -%}
  {%- set difference = 'select ' ~ dbt.datediff(start_date, end_date, datepart) -%}
  {%- set answer = run_query(difference) if execute else none -%}
  {%- if answer is not none and answer and answer.rows | length > 0 -%}
    {{ return(answer.columns[0].values()[0]) }}
  {%- else -%}
    {{ return(1) }}
  {%- endif -%}
{%- endmacro %}

{%- macro date_spine(datepart, start_date, end_date) -%}
  with series as (
    {{ dbt.generate_series(99999) }}
  ),
  all_periods as (
    select
      {{ dbt.dateadd(datepart, 'generated_number - 1', start_date) }} as date_{{ datepart }}
    from series
  )
  select date_{{ datepart }} from all_periods where date_{{ datepart }} <= {{ end_date }}
{%- endmacro %}
