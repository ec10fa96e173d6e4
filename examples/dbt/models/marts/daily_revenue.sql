{{ config(materialized='incremental', unique_key='day', alias='revenue_by_day') }}

select cast(ordered_at as date) as day, sum(amount) as revenue
from {{ ref('orders') }}
{% if is_incremental() %}
where ordered_at >= (select max(day) from {{ this }})
{% endif %}
group by 1
