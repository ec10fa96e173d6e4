-- Session facts: web events of one visitor belong together until a pause of 30 minutes.

CREATE OR REPLACE TABLE core.fact_sessions USING iceberg AS
WITH events AS (
  SELECT
    e.visitor_id,
    e.customer_id,
    e.event_type,
    e.traffic_channel,
    e.event_ts,
    lag(e.event_ts) OVER (PARTITION BY e.visitor_id ORDER BY e.event_ts) AS previous_ts
  FROM staging.web_events AS e
),
numbered AS (
  SELECT
    *,
    sum(CASE WHEN previous_ts IS NULL OR event_ts > previous_ts + INTERVAL 30 MINUTES THEN 1 ELSE 0 END)
      OVER (PARTITION BY visitor_id ORDER BY event_ts) AS session_number
  FROM events
)
SELECT
  concat_ws('-', n.visitor_id, CAST(n.session_number AS STRING)) AS session_id,
  n.visitor_id,
  max(n.customer_id)                                             AS customer_id,
  min(n.event_ts)                                                AS started_at,
  to_date(min(n.event_ts))                                       AS session_date,
  min_by(n.traffic_channel, n.event_ts)                          AS traffic_channel,
  count(*)                                                       AS event_count,
  max(CASE WHEN n.event_type = 'product_view' THEN 1 ELSE 0 END) AS saw_product,
  max(CASE WHEN n.event_type = 'add_to_cart' THEN 1 ELSE 0 END)  AS added_to_cart,
  max(CASE WHEN n.event_type = 'checkout' THEN 1 ELSE 0 END)     AS reached_checkout,
  max(CASE WHEN n.event_type = 'purchase' THEN 1 ELSE 0 END)     AS purchased
FROM numbered AS n
GROUP BY n.visitor_id, n.session_number;
