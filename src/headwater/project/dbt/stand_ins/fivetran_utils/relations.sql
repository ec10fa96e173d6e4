{# One source from several schemas or databases. #}

{%- macro union_relations(relations, aliases=none, column_override=none, include=[], exclude=[], source_column_name=none) -%}
  {{ dbt_utils.union_of_relations(relations, column_override or {}, include, exclude, source_column_name or '_dbt_source_relation', none, aliases) }}
{%- endmacro %}

{%- macro union_tables(tables, column_override=none, include=[], exclude=[], source_column_name='_dbt_source_table') -%}
  {{ dbt_utils.union_of_relations(tables, column_override or {}, include, exclude, source_column_name, none) }}
{%- endmacro %}

{%- macro union_data(table_identifier, database_variable, schema_variable, default_database, default_schema, default_variable, union_schema_variable='union_schemas', union_database_variable='union_databases') -%}
  {%- set schemas = var(union_schema_variable, []) or [] -%}
  {%- set databases = var(union_database_variable, []) or [] -%}
  {%- set relations = [] -%}
  {%- for schema in schemas -%}
    {%- do relations.append(api.Relation.create(database=var(database_variable, default_database), schema=schema, identifier=table_identifier, type='table')) -%}
  {%- endfor -%}
  {%- for database in databases if not schemas -%}
    {%- do relations.append(api.Relation.create(database=database, schema=var(schema_variable, default_schema), identifier=table_identifier, type='table')) -%}
  {%- endfor -%}
  {%- if relations -%} {{ dbt_utils.union_relations(relations) }}
  {%- else -%} select * from {{ var(default_variable) }}
  {%- endif -%}
{%- endmacro %}

{%- macro source_relation(union_schema_variable='union_schemas', union_database_variable='union_databases') -%}
  {%- set schemas = var(union_schema_variable, []) or [] -%}
  {%- set databases = var(union_database_variable, []) or [] -%}
  {%- if schemas or databases %}
  , case
    {%- for name in schemas or databases %}
    when lower(_dbt_source_relation) like '%{{ name | lower }}%' then '{{ name | lower }}'
    {%- endfor %}
    end as source_relation
  {%- else %}
  , cast('' as {{ dbt.type_string() }}) as source_relation
  {%- endif -%}
{%- endmacro %}
