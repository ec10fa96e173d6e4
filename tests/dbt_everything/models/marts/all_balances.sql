select balance from {{ ref('balances') }} union all select balance from {{ ref('balances', v=1) }}
