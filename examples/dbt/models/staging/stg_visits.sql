select visit_id, customer_id, visited_at from {{ source('till', 'visits') }}
