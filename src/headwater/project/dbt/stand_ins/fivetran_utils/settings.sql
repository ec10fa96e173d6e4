{# Questions about variables. #}

{%- macro _get_utils_namespaces() -%}
  {{ return(['fivetran_utils']) }}
{%- endmacro %}

{%- macro enabled_vars(vars) -%}
  {%- for name in vars if var(name, true) == false -%} {{ return(false) }} {%- endfor -%}
  {{ return(true) }}
{%- endmacro %}

{%- macro enabled_vars_one_true(vars) -%}
  {%- for name in vars if var(name, false) == true -%} {{ return(true) }} {%- endfor -%}
  {{ return(false) }}
{%- endmacro %}

{%- macro empty_variable_warning(variable, downstream_model) -%}{%- endmacro %}

{%- macro seed_data_helper(seed_name, warehouses) -%}
  {{ return(ref(seed_name ~ '_' ~ target.type) if target.type in warehouses else ref(seed_name)) }}
{%- endmacro %}

{%- macro snowflake_seed_data(seed_name) -%}
  {{ return(ref(seed_name ~ '_snowflake') if target.type == 'snowflake' else ref(seed_name)) }}
{%- endmacro %}
