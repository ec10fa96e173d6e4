select customer_id, amount_eur as balance from {{ ref('stg_orders') }}
