{# What other packages and models take from this one: times, texts and settings. #}

{%- macro timestamp_add(datepart, interval, tstamp) -%}
  {%- if target.type == 'bigquery' -%} timestamp_add({{ tstamp }}, interval {{ interval }} {{ datepart }})
  {%- else -%} {{ dbt.dateadd(datepart, interval, tstamp) }}
  {%- endif -%}
{%- endmacro %}

{%- macro timestamp_diff(first_tstamp, second_tstamp, datepart) -%}
  {%- if target.type == 'bigquery' -%} timestamp_diff({{ second_tstamp }}, {{ first_tstamp }}, {{ datepart }})
  {%- else -%} {{ dbt.datediff(first_tstamp, second_tstamp, datepart) }}
  {%- endif -%}
{%- endmacro %}

{%- macro add_days_to_date(interval, base_date) -%}
  {{ dbt.dateadd('day', interval, base_date) }}
{%- endmacro %}

{%- macro current_timestamp_in_utc() -%}
  {{ dbt.current_timestamp_in_utc_backcompat() }}
{%- endmacro %}

{%- macro cast_to_tstamp(tstamp_literal) -%}
  {%- if tstamp_literal is none or (tstamp_literal | string | lower) in ('', 'null') -%} cast(null as {{ dbt.type_timestamp() }})
  {%- else -%} cast('{{ tstamp_literal }}' as {{ dbt.type_timestamp() }})
  {%- endif -%}
{%- endmacro %}

{%- macro to_unixtstamp(tstamp) -%}
  {{ dbt_date.to_unixtimestamp(tstamp) }}
{%- endmacro %}

{%- macro type_max_string() -%}
  {{ 'varchar(max)' if target.type == 'redshift' else dbt.type_string() }}
{%- endmacro %}

{%- macro get_array_size(array_column) -%}
  {%- set functions = {'bigquery': 'array_length', 'redshift': 'get_array_length', 'postgres': 'cardinality', 'duckdb': 'len'} -%}
  {{ functions.get(target.type, 'array_size') }}({{ array_column }})
{%- endmacro %}

{%- macro get_array_to_string(array_column, column_prefix, delimiter=',') -%}
  {{ 'array_join' if target.type in ('databricks', 'spark') else 'array_to_string' }}({{ column_prefix }}.{{ array_column }}, '{{ delimiter }}')
{%- endmacro %}

{%- macro get_split_to_array(string_column, column_prefix, delimiter=',') -%}
  {%- set functions = {'redshift': 'split_to_array', 'postgres': 'string_to_array', 'duckdb': 'string_split'} -%}
  {{ functions.get(target.type, 'split') }}({{ column_prefix }}.{{ string_column }}, '{{ delimiter }}')
{%- endmacro %}

{%- macro get_string_agg(base_column, column_prefix, separator=',', order_by_column=base_column, sort_numeric=false, order_by_column_prefix=column_prefix, is_distinct=false, order_desc=false) -%}
  {%- set value = ('distinct ' if is_distinct else '') ~ column_prefix ~ '.' ~ base_column -%}
  {{ dbt.listagg(value, "'" ~ separator ~ "'", 'order by ' ~ order_by_column_prefix ~ '.' ~ order_by_column ~ (' desc' if order_desc else '')) }}
{%- endmacro %}

{# Settings of a run. Every run is taken to have new events. #}

{%- macro get_value_by_target(dev_value, default_value, dev_target_name='dev') -%}
  {{ return(dev_value if target.name == dev_target_name else default_value) }}
{%- endmacro %}

{%- macro get_value_by_target_type(bigquery_val=none, snowflake_val=none, redshift_val=none, postgres_val=none, databricks_val=none, spark_val=none) -%}
  {%- set values = {'bigquery': bigquery_val, 'snowflake': snowflake_val, 'redshift': redshift_val, 'postgres': postgres_val, 'databricks': databricks_val, 'spark': spark_val} -%}
  {{ return(values.get(target.type)) }}
{%- endmacro %}

{%- macro get_cluster_by(bigquery_cols=none, snowflake_cols=none) -%}
  {{ return(snowplow_utils.get_value_by_target_type(bigquery_val=bigquery_cols, snowflake_val=snowflake_cols)) }}
{%- endmacro %}

{%- macro get_partition_by(bigquery_partition_by=none, databricks_partition_by=none) -%}
  {{ return(snowplow_utils.get_value_by_target_type(bigquery_val=bigquery_partition_by, databricks_val=databricks_partition_by)) }}
{%- endmacro %}

{%- macro is_run_with_new_events(package_name, new_event_limits_table=none, incremental_manifest_table=none, base_sessions_lifecycle_table=none) -%}
  {{ return(true) }}
{%- endmacro %}

{%- macro allow_refresh() -%}
  {{ return(snowplow_utils.get_value_by_target(var('snowplow__allow_refresh', false), true, var('snowplow__dev_target_name', 'dev'))) }}
{%- endmacro %}

{%- macro set_query_tag(statement) -%}{%- endmacro %}
{%- macro log_message(message, is_printed=true) -%}{%- endmacro %}

{%- macro print_list(list, separator=',') -%}
  {%- for item in list -%} '{{ item }}'{{ separator if not loop.last }} {%- endfor -%}
{%- endmacro %}

{%- macro app_id_filter(app_ids) -%}
  {%- if app_ids | length == 0 -%} true
  {%- else -%} app_id in ({{ snowplow_utils.print_list(app_ids) }})
  {%- endif -%}
{%- endmacro %}

{%- macro event_name_filter(event_names) -%}
  {%- if event_names | length == 0 -%} true
  {%- else -%} event_name in ({{ snowplow_utils.print_list(event_names) }})
  {%- endif -%}
{%- endmacro %}
