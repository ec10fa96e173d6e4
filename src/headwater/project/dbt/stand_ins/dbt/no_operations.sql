{# What dbt does to a database and no column depends on: these write nothing. #}

{%- macro create_schema(relation) -%}{%- endmacro %}
{%- macro drop_schema(relation) -%}{%- endmacro %}
{%- macro drop_relation(relation) -%}{%- endmacro %}
{%- macro drop_relation_if_exists(relation) -%}{%- endmacro %}
{%- macro rename_relation(from_relation, to_relation) -%}{%- endmacro %}
{%- macro truncate_relation(relation) -%}{%- endmacro %}
{%- macro alter_column_type(relation, column_name, new_column_type) -%}{%- endmacro %}
{%- macro alter_relation_add_remove_columns(relation, add_columns=none, remove_columns=none) -%}{%- endmacro %}
{%- macro alter_relation_comment(relation, relation_comment) -%}{%- endmacro %}
{%- macro alter_column_comment(relation, column_dict) -%}{%- endmacro %}
{%- macro persist_docs(relation, model, for_relation=true, for_columns=true) -%}{%- endmacro %}
{%- macro apply_grants(relation, grant_config, should_revoke=true) -%}{%- endmacro %}
{%- macro create_indexes(relation) -%}{%- endmacro %}
{%- macro run_hooks(hooks, inside_transaction=true) -%}{%- endmacro %}

{%- macro copy_grants() -%}
  {{ return(true) }}
{%- endmacro %}

{%- macro should_revoke(existing_relation, full_refresh_mode=true) -%}
  {{ return(false) }}
{%- endmacro %}

{# A hook with a wish about its transaction is its statement: no column depends on transactions. #}

{%- macro make_hook_config(sql, inside_transaction) -%}
  {{ sql }}
{%- endmacro %}

{%- macro before_begin(sql) -%}
  {{ sql }}
{%- endmacro %}

{%- macro in_transaction(sql) -%}
  {{ sql }}
{%- endmacro %}

{%- macro after_commit(sql) -%}
  {{ sql }}
{%- endmacro %}
