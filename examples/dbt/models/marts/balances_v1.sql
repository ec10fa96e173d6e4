select customer_id, sum(amount) as balance, max(cast(ordered_at as date)) as day
from {{ ref('stg_orders') }}
group by customer_id
