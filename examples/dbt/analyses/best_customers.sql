select customer_id, amount_spent
from {{ ref('customers') }}
order by amount_spent desc
limit 10
