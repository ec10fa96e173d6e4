{# Times of now, and arithmetic with them. #}

{%- macro convert_timezone(column, target_tz=None, source_tz=None) -%}
  {%- set to_zone = target_tz if target_tz else var('dbt_date:time_zone', 'UTC') -%}
  {%- set from_zone = source_tz if source_tz else 'UTC' -%}
  {%- if target.type == 'bigquery' -%} timestamp(datetime({{ column }}, '{{ to_zone }}'))
  {%- elif target.type in ('databricks', 'spark') -%}
  from_utc_timestamp({{ "to_utc_timestamp(" ~ column ~ ", '" ~ source_tz ~ "')" if source_tz else column }}, '{{ to_zone }}')
  {%- elif target.type in ('snowflake', 'redshift') -%}
  convert_timezone('{{ from_zone }}', '{{ to_zone }}', cast({{ column }} as {{ dbt.type_timestamp() }}))
  {%- else -%}
  cast(cast({{ column }} as {{ dbt.type_timestamp() }}) at time zone '{{ from_zone }}' at time zone '{{ to_zone }}' as {{ dbt.type_timestamp() }})
  {%- endif -%}
{%- endmacro %}

{%- macro now(tz=None) -%}
  {{ dbt_date.convert_timezone(dbt.current_timestamp(), tz) }}
{%- endmacro %}

{%- macro today(tz=None) -%}
  cast({{ dbt_date.now(tz) }} as date)
{%- endmacro %}

{%- macro n_days_away(n, date=None, tz=None) -%}
  cast({{ dbt.dateadd('day', n, date if date else dbt_date.today(tz)) }} as date)
{%- endmacro %}

{%- macro n_days_ago(n, date=None, tz=None) -%}
  cast({{ dbt.dateadd('day', '-' ~ n, date if date else dbt_date.today(tz)) }} as date)
{%- endmacro %}

{%- macro tomorrow(date=None, tz=None) -%}
  {{ dbt_date.n_days_away(1, date, tz) }}
{%- endmacro %}

{%- macro yesterday(date=None, tz=None) -%}
  {{ dbt_date.n_days_ago(1, date, tz) }}
{%- endmacro %}

{%- macro n_weeks_away(n, tz=None) -%}
  cast({{ dbt.dateadd('week', n, dbt.date_trunc('week', dbt_date.today(tz))) }} as date)
{%- endmacro %}

{%- macro n_weeks_ago(n, tz=None) -%}
  cast({{ dbt.dateadd('week', '-' ~ n, dbt.date_trunc('week', dbt_date.today(tz))) }} as date)
{%- endmacro %}

{%- macro next_week(tz=None) -%}
  {{ dbt_date.n_weeks_away(1, tz) }}
{%- endmacro %}

{%- macro last_week(tz=None) -%}
  {{ dbt_date.n_weeks_ago(1, tz) }}
{%- endmacro %}

{%- macro n_months_away(n, tz=None) -%}
  cast({{ dbt.dateadd('month', n, dbt.date_trunc('month', dbt_date.today(tz))) }} as date)
{%- endmacro %}

{%- macro n_months_ago(n, tz=None) -%}
  cast({{ dbt.dateadd('month', '-' ~ n, dbt.date_trunc('month', dbt_date.today(tz))) }} as date)
{%- endmacro %}

{%- macro next_month(tz=None) -%}
  {{ dbt_date.n_months_away(1, tz) }}
{%- endmacro %}

{%- macro last_month(tz=None) -%}
  {{ dbt_date.n_months_ago(1, tz) }}
{%- endmacro %}

{%- macro next_month_name(short=True, tz=None) -%}
  {{ dbt_date.month_name(dbt_date.next_month(tz), short) }}
{%- endmacro %}

{%- macro last_month_name(short=True, tz=None) -%}
  {{ dbt_date.month_name(dbt_date.last_month(tz), short) }}
{%- endmacro %}

{%- macro next_month_number(tz=None) -%}
  {{ dbt_date.date_part('month', dbt_date.next_month(tz)) }}
{%- endmacro %}

{%- macro last_month_number(tz=None) -%}
  {{ dbt_date.date_part('month', dbt_date.last_month(tz)) }}
{%- endmacro %}

{%- macro periods_since(date_col, period_name='day', tz=None) -%}
  {{ dbt.datediff(date_col, dbt_date.now(tz), period_name) }}
{%- endmacro %}

{%- macro round_timestamp(timestamp) -%}
  {{ dbt.date_trunc('day', dbt.dateadd('hour', 12, timestamp)) }}
{%- endmacro %}

{%- macro to_unixtimestamp(timestamp) -%}
  {%- if target.type == 'bigquery' -%} unix_seconds(cast({{ timestamp }} as timestamp))
  {%- elif target.type in ('databricks', 'spark') -%} unix_timestamp({{ timestamp }})
  {%- elif target.type == 'snowflake' -%} date_part('epoch_seconds', {{ timestamp }})
  {%- elif target.type in ('trino', 'athena') -%} to_unixtime({{ timestamp }})
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%} datediff(second, '1970-01-01', {{ timestamp }})
  {%- else -%} date_part('epoch', {{ timestamp }})
  {%- endif -%}
{%- endmacro %}

{%- macro from_unixtimestamp(epochs, format='seconds') -%}
  {%- if target.type == 'bigquery' -%}
  timestamp_{{ {'milliseconds': 'millis', 'microseconds': 'micros'}.get(format, 'seconds') }}({{ epochs }})
  {%- elif target.type == 'snowflake' -%}
  to_timestamp_ntz({{ epochs }}, {{ {'milliseconds': 3, 'microseconds': 6, 'nanoseconds': 9}.get(format, 0) }})
  {%- else -%}
    {%- set divisor = {'milliseconds': ' / 1000', 'microseconds': ' / 1000000', 'nanoseconds': ' / 1000000000'}.get(format, '') -%}
    {%- if target.type == 'redshift' -%} cast('epoch' as timestamp) + (({{ epochs }}){{ divisor }}) * interval '1 second'
    {%- elif target.type in ('databricks', 'spark') -%} timestamp_seconds(({{ epochs }}){{ divisor }})
    {%- elif target.type in ('trino', 'athena') -%} from_unixtime(({{ epochs }}){{ divisor }})
    {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%} dateadd(second, ({{ epochs }}){{ divisor }}, '1970-01-01')
    {%- else -%} cast(to_timestamp(({{ epochs }}){{ divisor }}) at time zone 'UTC' as timestamp)
    {%- endif -%}
  {%- endif -%}
{%- endmacro %}

{# Values of Python, for templates. #}

{%- macro date(year, month, day) -%}
  {{ return(modules.datetime.date(year, month, day)) }}
{%- endmacro %}

{%- macro datetime(year, month, day, hour=0, minute=0, second=0, microsecond=0, tz=None) -%}
  {{ return(modules.datetime.datetime(year=year, month=month, day=day, hour=hour, minute=minute, second=second, microsecond=microsecond,
    tzinfo=modules.pytz.timezone(tz if tz else var('dbt_date:time_zone', 'UTC')))) }}
{%- endmacro %}
