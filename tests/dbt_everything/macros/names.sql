{% macro generate_schema_name(custom_schema_name, node) -%}
    {%- if custom_schema_name is none -%} {{ target.schema }}
    {%- elif node.resource_type == 'seed' -%} {{ custom_schema_name | trim }}
    {%- else -%} {{ target.schema }}__{{ custom_schema_name | trim }} {%- endif -%}
{%- endmacro %}

{% macro generate_alias_name(custom_alias_name=none, node=none) -%}
    {%- if custom_alias_name -%} {{ custom_alias_name | trim }}
    {%- elif node.version -%} {{ node.name ~ "_version_" ~ (node.version | replace(".", "_")) }}
    {%- else -%} {{ node.name }} {%- endif -%}
{%- endmacro %}
