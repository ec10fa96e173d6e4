{# Parts of a date, and its names. #}

{%- macro date_part(datepart, date) -%}
  {%- if target.type == 'bigquery' -%} extract({{ datepart }} from {{ date }})
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%} datepart({{ datepart }}, {{ date }})
  {%- elif target.type in ('trino', 'athena') -%} extract({{ datepart }} from {{ date }})
  {%- else -%} date_part('{{ datepart }}', {{ date }})
  {%- endif -%}
{%- endmacro %}

{%- macro day_name(date, short=True) -%}
  {{ dbt_date.name_of(date, short, ['%a', '%A'], ['Dy', 'Day'], ['E', 'EEEE'], 'dayname') }}
{%- endmacro %}

{%- macro month_name(date, short=True, tz=None) -%}
  {{ dbt_date.name_of(date, short, ['%b', '%B'], ['Mon', 'Month'], ['LLL', 'LLLL'], 'monthname') }}
{%- endmacro %}

{# A name of a date, by the formats of the dialects. #}
{%- macro name_of(date, short, percent_formats, to_char_formats, java_formats, function) -%}
  {%- set which = 0 if short else 1 -%}
  {%- if target.type == 'bigquery' -%} format_date('{{ percent_formats[which] }}', cast({{ date }} as date))
  {%- elif target.type in ('databricks', 'spark', 'trino', 'athena') -%} date_format({{ date }}, '{{ java_formats[which] }}')
  {%- elif target.type == 'snowflake' -%} {{ function }}({{ date }})
  {%- elif target.type == 'duckdb' -%} {{ 'left(' ~ function ~ '(' ~ date ~ '), 3)' if short else function ~ '(' ~ date ~ ')' }}
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%} format({{ date }}, '{{ java_formats[which] }}')
  {%- else -%} to_char({{ date }}, '{{ to_char_formats[which] }}')
  {%- endif -%}
{%- endmacro %}

{%- macro day_of_month(date) -%}
  {{ dbt_date.date_part('day', date) }}
{%- endmacro %}

{%- macro day_of_week(date, isoweek=true) -%}
  {%- if target.type in ('databricks', 'spark') -%}
  {{ 'weekday(' ~ date ~ ') + 1' if isoweek else 'dayofweek(' ~ date ~ ')' }}
  {%- elif target.type in ('postgres', 'redshift') -%}
  {{ dbt_date.date_part('isodow' if isoweek and target.type == 'postgres' else 'dow', date) }}{{ ' + 1' if not isoweek }}
  {%- elif target.type == 'duckdb' -%}
  {{ dbt_date.date_part('isodow' if isoweek else 'dow', date) }}{{ ' + 1' if not isoweek }}
  {%- elif target.type == 'snowflake' -%}
  {{ dbt_date.date_part('dayofweekiso' if isoweek else 'dayofweek', date) }}{{ ' + 1' if not isoweek }}
  {%- else -%}
  {{ dbt_date.date_part('dayofweek', date) }}
  {%- endif -%}
{%- endmacro %}

{%- macro day_of_year(date) -%}
  {%- if target.type in ('databricks', 'spark') -%} dayofyear({{ date }})
  {%- elif target.type in ('postgres', 'redshift', 'duckdb', 'trino', 'athena') -%} {{ dbt_date.date_part('doy', date) }}
  {%- else -%} {{ dbt_date.date_part('dayofyear', date) }}
  {%- endif -%}
{%- endmacro %}

{%- macro week_of_year(date=None, tz=None) -%}
  {%- set day = date if date else dbt_date.today(tz) -%}
  cast({{ 'weekofyear(' ~ day ~ ')' if target.type in ('databricks', 'spark') else dbt_date.date_part('week', day) }} as {{ dbt.type_int() }})
{%- endmacro %}

{%- macro iso_week_of_year(date=None, tz=None) -%}
  {%- set day = date if date else dbt_date.today(tz) -%}
  {%- set part = {'bigquery': 'isoweek', 'snowflake': 'weekiso'}.get(target.type, 'week') -%}
  cast({{ 'weekofyear(' ~ day ~ ')' if target.type in ('databricks', 'spark') else dbt_date.date_part(part, day) }} as {{ dbt.type_int() }})
{%- endmacro %}

{%- macro week_start(date=None, tz=None) -%}
  {%- set day = date if date else dbt_date.today(tz) -%}
  cast({{ dbt.dateadd('day', -1, dbt.date_trunc('week', dbt.dateadd('day', 1, day))) }} as date)
{%- endmacro %}

{%- macro week_end(date=None, tz=None) -%}
  cast({{ dbt.dateadd('day', 6, dbt_date.week_start(date, tz)) }} as date)
{%- endmacro %}

{%- macro iso_week_start(date=None, tz=None) -%}
  cast({{ dbt.date_trunc('isoweek' if target.type == 'bigquery' else 'week', date if date else dbt_date.today(tz)) }} as date)
{%- endmacro %}

{%- macro iso_week_end(date=None, tz=None) -%}
  cast({{ dbt.dateadd('day', 6, dbt_date.iso_week_start(date, tz)) }} as date)
{%- endmacro %}
