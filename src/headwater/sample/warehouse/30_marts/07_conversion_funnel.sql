-- Conversion funnel per day and traffic channel, from the visit to the purchase.

CREATE OR REPLACE VIEW marts.conversion_funnel AS
WITH steps AS (
  SELECT
    s.session_date,
    s.traffic_channel,
    count(s.session_id)     AS sessions,
    sum(s.saw_product)      AS product_views,
    sum(s.added_to_cart)    AS carts,
    sum(s.reached_checkout) AS checkouts,
    sum(s.purchased)        AS purchases
  FROM core.fact_sessions AS s
  GROUP BY s.session_date, s.traffic_channel
)
SELECT
  steps.*,
  round(carts / nullif(product_views, 0), 4) AS view_to_cart_rate,
  round(purchases / nullif(carts, 0), 4)     AS cart_to_purchase_rate,
  round(purchases / sessions, 4)             AS conversion_rate
FROM steps;
