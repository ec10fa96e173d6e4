with
-- those that we know
known as (select * from {{ ref('known_customers') }}),
sums as (
    select customer_id, {{ totals(var('currencies')) }}
    from {{ ref('stg_orders') }}
    group by 1
)
select known.id, known.name, sums.total_eur, sums.total_usd * rates.rate as total_in_eur,
       {{ dbt.date_trunc('month', 'current_date') }} as month, '{{ var("greeting") }} {{ model.name }}' as text
from known
left join sums on sums.customer_id = known.id
left join {{ ref('rates') }} as rates on rates.currency = 'usd'
