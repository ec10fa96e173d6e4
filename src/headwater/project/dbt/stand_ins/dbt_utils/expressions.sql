{# Expressions over columns. #}

{%- macro generate_surrogate_key(field_list) -%}
  {%- set for_null = '' if var('surrogate_key_treat_nulls_as_empty_strings', false) else '_dbt_utils_surrogate_key_null_' -%}
  {%- set texts = [] -%}
  {%- for field in field_list -%}
    {%- do texts.append("coalesce(cast(" ~ field ~ " as " ~ dbt.type_string() ~ "), '" ~ for_null ~ "')") -%}
    {%- if not loop.last -%} {%- do texts.append("'-'") -%} {%- endif -%}
  {%- endfor -%}
  {{ dbt.hash(dbt.concat(texts)) }}
{%- endmacro %}

{# Before dbt_utils 1.0: a list of fields, or several fields. #}
{%- macro surrogate_key(field_list) -%}
  {{ dbt_utils.generate_surrogate_key([field_list] + (varargs | list) if field_list is string else field_list) }}
{%- endmacro %}

{%- macro safe_add(field_list) -%}
  {%- set fields = [field_list] + (varargs | list) if field_list is string else field_list -%}
  {%- for field in fields -%} coalesce({{ field }}, 0){{ ' + ' if not loop.last }} {%- endfor -%}
{%- endmacro %}

{%- macro safe_subtract(field_list) -%}
  {%- set fields = [field_list] + (varargs | list) if field_list is string else field_list -%}
  {%- for field in fields -%} coalesce({{ field }}, 0){{ ' - ' if not loop.last }} {%- endfor -%}
{%- endmacro %}

{%- macro safe_divide(numerator, denominator) -%}
  ({{ numerator }}) / nullif(({{ denominator }}), 0)
{%- endmacro %}

{%- macro degrees_to_radians(degrees) -%}
  acos(-1) * {{ degrees }} / 180
{%- endmacro %}

{%- macro haversine_distance(lat1, lon1, lat2, lon2, unit='mi') -%}
  2 * 3961 * asin(sqrt(
    power(sin((acos(-1) * ({{ lat2 }} - {{ lat1 }}) / 180) / 2), 2)
    + cos(acos(-1) * {{ lat1 }} / 180) * cos(acos(-1) * {{ lat2 }} / 180)
    * power(sin((acos(-1) * ({{ lon2 }} - {{ lon1 }}) / 180) / 2), 2)
  )){{ ' * 1.60934' if unit == 'km' }}
{%- endmacro %}

{%- macro width_bucket(expr, min_value, max_value, num_buckets) -%}
  {%- if target.type == 'snowflake' -%}
  width_bucket({{ expr }}, {{ min_value }}, {{ max_value }}, {{ num_buckets }})
  {%- else -%}
  least(greatest(floor((({{ expr }}) - ({{ min_value }})) * ({{ num_buckets }}) / (({{ max_value }}) - ({{ min_value }}))) + 1, 0), ({{ num_buckets }}) + 1)
  {%- endif -%}
{%- endmacro %}

{%- macro get_url_host(field) -%}
  {%- set without_scheme = dbt.replace(dbt.replace(dbt.replace(field, "'android-app://'", "''"), "'http://'", "''"), "'https://'", "''") -%}
  cast({{ dbt.split_part(dbt.split_part(without_scheme, "'/'", 1), "'?'", 1) }} as {{ dbt.type_string() }})
{%- endmacro %}

{%- macro get_url_path(field) -%}
  {%- set without_scheme = dbt.replace(dbt.replace(field, "'http://'", "''"), "'https://'", "''") -%}
  {%- set without_query = dbt.split_part(without_scheme, "'?'", 1) -%}
  cast(nullif({{ dbt.replace(without_query, dbt.split_part(without_query, "'/'", 1), "''") }}, '') as {{ dbt.type_string() }})
{%- endmacro %}

{%- macro get_url_parameter(field, url_parameter) -%}
  nullif({{ dbt.split_part(dbt.split_part(field, "'" ~ url_parameter ~ "='", 2), "'&'", 1) }}, '')
{%- endmacro %}

{%- macro group_by(n) -%}
  group by {% for position in range(1, n + 1) -%} {{ position }}{{ ', ' if not loop.last }} {%- endfor -%}
{%- endmacro %}

{# Before dbt_utils 1.0. #}
{%- macro cast_array_to_string(array) -%}
  cast({{ array }} as {{ dbt.type_string() }})
{%- endmacro %}
