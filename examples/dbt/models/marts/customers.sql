select
    c.customer_id,
    c.email,
    c.region,
    count(o.order_id) as orders_placed,
    sum(o.amount) as amount_spent
from {{ ref('customers_with_country') }} as c
left join {{ ref('stg_orders') }} as o on o.customer_id = c.customer_id
group by c.customer_id, c.email, c.region
