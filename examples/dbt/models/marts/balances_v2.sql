select customer_id, cast(ordered_at as date) as day, sum(amount) as balance
from {{ ref('stg_orders') }}
group by 1, 2
