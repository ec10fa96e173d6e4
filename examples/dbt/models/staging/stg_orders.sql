select
    order_id,
    customer_id,
    ordered_at,
    lower(status) as status,
    {{ cents_to_euros('amount_cents') }} as amount,
    is_gift
from {{ source('till', 'orders') }}
where ordered_at >= '{{ var("first_day") }}'
