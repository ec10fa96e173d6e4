{# Where a model is put and what it is called. #}

{%- macro generate_schema_name(custom_schema_name=none, node=none) -%}
  {%- if custom_schema_name is none -%} {{ target.schema }}
  {%- else -%} {{ target.schema }}_{{ custom_schema_name | trim }}
  {%- endif -%}
{%- endmacro %}

{%- macro default__generate_schema_name(custom_schema_name, node) -%}
  {{ dbt.generate_schema_name(custom_schema_name, node) }}
{%- endmacro %}

{%- macro generate_schema_name_for_env(custom_schema_name, node=none) -%}
  {%- if target.name == 'prod' and custom_schema_name is not none -%} {{ custom_schema_name | trim }}
  {%- else -%} {{ target.schema }}
  {%- endif -%}
{%- endmacro %}

{%- macro default__generate_schema_name_for_env(custom_schema_name, node) -%}
  {{ dbt.generate_schema_name_for_env(custom_schema_name, node) }}
{%- endmacro %}

{%- macro generate_alias_name(custom_alias_name=none, node=none) -%}
  {%- if custom_alias_name -%} {{ custom_alias_name | trim }}
  {%- elif node.version is defined and node.version -%} {{ node.name ~ '_v' ~ (node.version | string | replace('.', '_')) }}
  {%- else -%} {{ node.name }}
  {%- endif -%}
{%- endmacro %}

{%- macro default__generate_alias_name(custom_alias_name, node) -%}
  {{ dbt.generate_alias_name(custom_alias_name, node) }}
{%- endmacro %}

{%- macro generate_database_name(custom_database_name=none, node=none) -%}
  {%- if custom_database_name is none -%} {{ target.database }}
  {%- else -%} {{ custom_database_name | trim }}
  {%- endif -%}
{%- endmacro %}

{%- macro default__generate_database_name(custom_database_name, node) -%}
  {{ dbt.generate_database_name(custom_database_name, node) }}
{%- endmacro %}

{%- macro information_schema_name(database) -%}
  {%- if database -%} {{ database }}.INFORMATION_SCHEMA
  {%- else -%} INFORMATION_SCHEMA
  {%- endif -%}
{%- endmacro %}
