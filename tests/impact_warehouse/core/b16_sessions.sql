CREATE OR REPLACE TABLE core.sessions AS SELECT customer_id, seen_at, seen_at - lag(seen_at) OVER (PARTITION BY customer_id ORDER BY seen_at) AS gap FROM stg.events;
