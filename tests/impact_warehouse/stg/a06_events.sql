CREATE OR REPLACE TABLE stg.events AS SELECT id, customer_id, kind, seen_at, payload.a AS pa FROM raw.events;
