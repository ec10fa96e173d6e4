select
    o.order_id,
    o.customer_id,
    o.ordered_at,
    o.status,
    o.amount,
    o.is_gift,
    c.country_name
from {{ ref('stg_orders') }} as o
left join {{ ref('customers_with_country') }} as c on c.customer_id = o.customer_id
