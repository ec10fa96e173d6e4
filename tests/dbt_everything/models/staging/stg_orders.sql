{{ config(tags=['staged'], meta={'owner': 'till'}) }}
{%- set columns = ['amount_eur', 'amount_usd'] %}

select
    id as order_id,
    customer_id,
    {% for column in columns -%}
    {{ tools.money(column) }} as {{ column }},
    {% endfor -%}
    {{ tools.shouted('status') }} as status,
    ordered_at
from {{ source('shop_raw', 'orders') }}
where extract(year from ordered_at) >= {{ var('first_year') }}
