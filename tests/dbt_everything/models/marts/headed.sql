{{ config(materialized='table') }}
{% call set_sql_header(config) %}
create temp macro trebled(x) as x * 3;
{%- endcall %}
select trebled(id) as id, domain from {{ ref('stg_customers') }}
