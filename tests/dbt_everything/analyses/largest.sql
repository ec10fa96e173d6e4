select name, total_eur from {{ ref('customers') }} order by 2 desc limit 10
