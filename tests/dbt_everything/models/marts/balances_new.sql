select customer_id, amount_eur + amount_usd as balance from {{ ref('stg_orders') }}
