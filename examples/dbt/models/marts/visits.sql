select visit_id, customer_id, visited_at from {{ ref('stg_visits') }}
