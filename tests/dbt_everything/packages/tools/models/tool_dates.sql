select distinct ordered_at::date as day, '{{ var("prefix") }}' as made_by from {{ ref('stg_orders') }}
