{# Functions of dates and times. #}

{%- macro current_timestamp() -%}
  {%- if target.type == 'redshift' -%} getdate()
  {%- elif target.type in ('postgres', 'duckdb') -%} now()
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%} sysdatetime()
  {%- elif target.type in ('trino', 'athena') -%} current_timestamp
  {%- else -%} current_timestamp()
  {%- endif -%}
{%- endmacro %}

{%- macro current_timestamp_backcompat() -%}
  {%- if target.type in ('bigquery', 'databricks', 'spark', 'snowflake') -%} current_timestamp()
  {%- else -%} current_timestamp
  {%- endif -%}
{%- endmacro %}

{%- macro current_timestamp_in_utc_backcompat() -%}
  {{ dbt.current_timestamp() }}
{%- endmacro %}

{%- macro date(year, month, day) -%}
  cast('{{ year }}-{{ ('0' ~ month)[-2:] }}-{{ ('0' ~ day)[-2:] }}' as date)
{%- endmacro %}

{%- macro date_trunc(datepart, date) -%}
  {%- if target.type == 'bigquery' -%} timestamp_trunc(cast({{ date }} as timestamp), {{ datepart }})
  {%- elif target.type in ('sqlserver', 'fabric', 'synapse') -%} datetrunc({{ datepart }}, {{ date }})
  {%- else -%} date_trunc('{{ datepart }}', {{ date }})
  {%- endif -%}
{%- endmacro %}

{%- macro dateadd(datepart, interval, from_date_or_timestamp) -%}
  {%- if target.type == 'bigquery' -%}
  datetime_add(cast({{ from_date_or_timestamp }} as datetime), interval {{ interval }} {{ datepart }})
  {%- elif target.type in ('postgres', 'duckdb') -%}
    {%- set unit = '3 month' if datepart | lower == 'quarter' else '1 ' ~ datepart -%}
  {{ from_date_or_timestamp }} + ((interval '{{ unit }}') * ({{ interval }}))
  {%- elif target.type in ('trino', 'athena') -%}
  date_add('{{ datepart }}', {{ interval }}, {{ from_date_or_timestamp }})
  {%- else -%}
  dateadd({{ datepart }}, {{ interval }}, {{ from_date_or_timestamp }})
  {%- endif -%}
{%- endmacro %}

{%- macro datediff(first_date, second_date, datepart) -%}
  {%- set part = datepart | lower -%}
  {%- if target.type == 'bigquery' -%}
  datetime_diff(cast({{ second_date }} as datetime), cast({{ first_date }} as datetime), {{ datepart }})
  {%- elif target.type == 'duckdb' -%}
  date_diff('{{ datepart }}', cast({{ first_date }} as timestamp), cast({{ second_date }} as timestamp))
  {%- elif target.type in ('trino', 'athena') -%}
  date_diff('{{ datepart }}', {{ first_date }}, {{ second_date }})
  {%- elif target.type == 'postgres' -%}
    {%- set seconds = {'second': 1, 'minute': 60, 'hour': 3600, 'day': 86400, 'week': 604800} -%}
    {%- if part in seconds -%}
  floor(extract(epoch from date_trunc('{{ part }}', cast({{ second_date }} as timestamp)) - date_trunc('{{ part }}', cast({{ first_date }} as timestamp))) / {{ seconds[part] }})
    {%- else -%}
    {%- set months = {'month': 1, 'quarter': 3, 'year': 12}.get(part, 1) -%}
  (date_part('year', age(date_trunc('{{ part }}', cast({{ second_date }} as timestamp)), date_trunc('{{ part }}', cast({{ first_date }} as timestamp)))) * {{ 12 // months }}
   + date_part('month', age(date_trunc('{{ part }}', cast({{ second_date }} as timestamp)), date_trunc('{{ part }}', cast({{ first_date }} as timestamp)))) / {{ months }})
    {%- endif -%}
  {%- else -%}
  datediff({{ datepart }}, {{ first_date }}, {{ second_date }})
  {%- endif -%}
{%- endmacro %}

{%- macro last_day(date, datepart) -%}
  {%- if target.type in ('snowflake', 'bigquery') -%} last_day(cast({{ date }} as date), {{ datepart }})
  {%- else -%} cast({{ dbt.dateadd('day', '-1', dbt.dateadd(datepart, '1', dbt.date_trunc(datepart, date))) }} as date)
  {%- endif -%}
{%- endmacro %}

{%- macro convert_datetime(date_str, date_fmt) -%}
  {{ return(modules.datetime.datetime.strptime(date_str | string, date_fmt)) }}
{%- endmacro %}

{%- macro dates_in_range(start_date_str, end_date_str=none, in_fmt='%Y%m%d', out_fmt='%Y%m%d') -%}
  {%- set first = dbt.convert_datetime(start_date_str, in_fmt) -%}
  {%- set last = dbt.convert_datetime(end_date_str if end_date_str is not none else start_date_str, in_fmt) -%}
  {%- set days = [] -%}
  {%- for offset in range((last - first).days + 1) -%}
    {%- do days.append((first + modules.datetime.timedelta(days=offset)).strftime(out_fmt)) -%}
  {%- endfor -%}
  {{ return(days) }}
{%- endmacro %}

{%- macro partition_range(raw_partition_date, date_fmt='%Y%m%d') -%}
  {%- set ends = (raw_partition_date | string).split(',') -%}
  {{ return(dbt.dates_in_range(ends[0], ends[-1], in_fmt=date_fmt)) }}
{%- endmacro %}

{%- macro py_current_timestring() -%}
  {{ return(modules.datetime.datetime.now().strftime('%H%M%S%f')) }}
{%- endmacro %}
