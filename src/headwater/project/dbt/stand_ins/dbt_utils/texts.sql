{# Words for names and logs. #}

{%- macro slugify(string) -%}
  {%- if not string -%} {{ return('') }} {%- endif -%}
  {%- set words = modules.re.sub('[ -]+', '_', string | lower) -%}
  {%- set plain = modules.re.sub('[^a-z0-9_]+', '', words) -%}
  {{ return(modules.re.sub('^([0-9])', '_\\1', plain)) }}
{%- endmacro %}

{%- macro pretty_time(format='%H:%M:%S') -%}
  {{ return(modules.datetime.datetime.now().strftime(format)) }}
{%- endmacro %}

{%- macro pretty_log_format(message) -%}
  {{ return(dbt_utils.pretty_time() ~ ' + ' ~ message) }}
{%- endmacro %}

{%- macro log_info(message) -%}
  {{ log(dbt_utils.pretty_log_format(message), info=True) }}
{%- endmacro %}
