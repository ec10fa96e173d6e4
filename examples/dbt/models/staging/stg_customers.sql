select
    customer_id,
    lower(email) as email,
    country as country_code
from {{ source('till', 'customers') }}
