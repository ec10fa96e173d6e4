{# Functions that differ between databases. #}

{%- macro array_agg(field_to_agg) -%}
  {%- if target.type == 'redshift' -%} listagg({{ field_to_agg }}, ',')
  {%- elif target.type in ('databricks', 'spark') -%} collect_list({{ field_to_agg }})
  {%- else -%} array_agg({{ field_to_agg }})
  {%- endif -%}
{%- endmacro %}

{%- macro string_agg(field_to_agg, delimiter) -%}
  {%- if target.type in ('snowflake', 'redshift') -%} listagg({{ field_to_agg }}, {{ delimiter }})
  {%- elif target.type in ('databricks', 'spark') -%} array_join(collect_list({{ field_to_agg }}), {{ delimiter }})
  {%- else -%} string_agg({{ field_to_agg }}, {{ delimiter }})
  {%- endif -%}
{%- endmacro %}

{%- macro max_bool(boolean_field) -%}
  {%- if target.type in ('postgres', 'redshift') -%} bool_or({{ boolean_field }})
  {%- else -%} max({{ boolean_field }})
  {%- endif -%}
{%- endmacro %}

{%- macro ceiling(num) -%}
  {{ 'ceil' if target.type == 'bigquery' else 'ceiling' }}({{ num }})
{%- endmacro %}

{%- macro first_value(first_value_field, partition_field, order_by_field, order='asc') -%}
  first_value({{ first_value_field }}{{ ' ignore nulls' if target.type not in ('postgres', 'redshift') }}) over (
    partition by {{ partition_field }} order by {{ order_by_field }} {{ order }} rows between unbounded preceding and unbounded following
  )
{%- endmacro %}

{%- macro percentile(percentile_field, partition_field, percent) -%}
  {%- if target.type == 'bigquery' -%} percentile_cont({{ percentile_field }}, {{ percent }}) over (partition by {{ partition_field }})
  {%- elif target.type in ('databricks', 'spark') -%} percentile({{ percentile_field }}, {{ percent }}) over (partition by {{ partition_field }})
  {%- elif target.type == 'postgres' -%} percentile_cont({{ percent }}) within group (order by {{ percentile_field }})
  {%- else -%} percentile_cont({{ percent }}) within group (order by {{ percentile_field }}) over (partition by {{ partition_field }})
  {%- endif -%}
{%- endmacro %}

{%- macro json_extract(string, string_path) -%}
  {{ fivetran_utils.json_parse(string, [string_path]) }}
{%- endmacro %}

{%- macro json_parse(string, string_path) -%}
  {%- if target.type == 'bigquery' -%} json_extract_scalar({{ string }}, '{{ fivetran_utils.json_path(string_path) }}')
  {%- elif target.type == 'snowflake' -%}
  parse_json({{ string }}){% for step in string_path %}[{{ step if step is number else "'" ~ step ~ "'" }}]{% endfor %}
  {%- elif target.type in ('databricks', 'spark') -%} get_json_object({{ string }}, '{{ fivetran_utils.json_path(string_path) }}')
  {%- elif target.type == 'duckdb' -%} json_extract_string({{ string }}, '{{ fivetran_utils.json_path(string_path) }}')
  {%- elif target.type == 'postgres' -%} cast({{ string }} as json) #>> '{ {{- string_path | join(',') -}} }'
  {%- else -%} json_extract_path_text({{ string }}{% for step in string_path %}, '{{ step }}'{% endfor %})
  {%- endif -%}
{%- endmacro %}

{%- macro json_path(string_path) -%}
  ${% for step in string_path %}{{ '[' ~ step ~ ']' if step is number else '.' ~ step }}{% endfor %}
{%- endmacro %}

{%- macro pivot_json_extract(string, list_of_properties) -%}
  {%- for property in list_of_properties -%}
    {%- if property is mapping -%}
    replace({{ fivetran_utils.json_extract(string, property.name) }}, '"', '') as {{ property.get('alias') or property.name | replace(' ', '_') | lower }}
    {%- else -%}
    replace({{ fivetran_utils.json_extract(string, property) }}, '"', '') as {{ property | replace(' ', '_') | lower }}
    {%- endif -%}
    {{ ',\n  ' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}

{%- macro extract_url_parameter(field, url_parameter) -%}
  {{ dbt_utils.get_url_parameter(field, url_parameter) }}
{%- endmacro %}

{%- macro try_cast(field, type) -%}
  {{ dbt.safe_cast(field, type) }}
{%- endmacro %}

{%- macro timestamp_add(datepart, interval, from_timestamp) -%}
  {%- if target.type == 'bigquery' -%} timestamp_add({{ from_timestamp }}, interval {{ interval }} {{ datepart }})
  {%- else -%} {{ dbt.dateadd(datepart, interval, from_timestamp) }}
  {%- endif -%}
{%- endmacro %}

{%- macro timestamp_diff(first_date, second_date, datepart) -%}
  {%- if target.type == 'bigquery' -%} timestamp_diff({{ second_date }}, {{ first_date }}, {{ datepart }})
  {%- else -%} {{ dbt.datediff(first_date, second_date, datepart) }}
  {%- endif -%}
{%- endmacro %}

{%- macro wrap_in_quotes(object_to_quote) -%}
  {{ return(adapter.quote(object_to_quote)) }}
{%- endmacro %}
