{{ config(materialized='ephemeral') }}

select c.customer_id, c.email, n.country_name, n.region
from {{ ref('stg_customers') }} as c
left join {{ ref('countries') }} as n on n.country_code = c.country_code
