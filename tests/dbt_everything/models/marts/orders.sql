{{ config(materialized='incremental', unique_key='order_id') }}
select {{ all_but(ref('stg_orders'), ['status']) }}, {{ tools.helper('o.amount_eur') }} as paid
from {{ ref('stg_orders') }} as o
{% if is_incremental() %}
where ordered_at > (select max(ordered_at) from {{ this }})
{% endif %}
