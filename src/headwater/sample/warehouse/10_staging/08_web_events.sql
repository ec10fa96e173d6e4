-- Cleans the web events: no bots, no duplicates, the utm source mapped to a traffic channel.

CREATE OR REPLACE TABLE staging.web_events USING iceberg AS
WITH people AS (
  SELECT
    e.event_id,
    e.visitor_id,
    e.customer_id,
    lower(e.event_type)                       AS event_type,
    parse_url(e.page_url, 'PATH')             AS page_path,
    upper(trim(e.sku))                        AS sku,
    CASE
      WHEN e.utm_source IS NULL THEN 'direct'
      WHEN e.utm_source IN ('google', 'bing') THEN 'search'
      WHEN e.utm_source IN ('instagram', 'pinterest') THEN 'social'
      WHEN e.utm_source = 'newsletter' THEN 'email'
      ELSE 'other'
    END                                       AS traffic_channel,
    e.event_ts,
    row_number() OVER (PARTITION BY e.event_id ORDER BY e.event_ts) AS duplicate_rank
  FROM raw.web_events AS e
  WHERE NOT lower(coalesce(e.user_agent, '')) LIKE '%bot%'
)
SELECT * EXCEPT (duplicate_rank)
FROM people
WHERE duplicate_rank = 1;
