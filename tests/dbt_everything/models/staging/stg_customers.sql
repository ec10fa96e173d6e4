select id, {{ full_name('first_name', 'last_name') }} as name, {{ dbt.split_part('email', "'@'", 2) }} as domain
from {{ source('shop_raw', 'customers') }}
