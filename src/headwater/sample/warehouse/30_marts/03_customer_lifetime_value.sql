-- Customer lifetime value: running totals over each customer's orders, the newest order gives the row.

CREATE OR REPLACE TABLE marts.customer_lifetime_value USING iceberg AS
WITH history AS (
  SELECT
    o.customer_id,
    o.order_date,
    first_value(o.order_date) OVER so_far                  AS first_order_date,
    first_value(o.channel) OVER so_far                     AS first_channel,
    count(*) OVER so_far                                   AS order_count,
    sum(o.order_total_eur) OVER so_far                     AS lifetime_revenue,
    sum(o.margin_eur) OVER so_far                          AS lifetime_margin,
    datediff(o.order_date, lag(o.order_date) OVER (PARTITION BY o.customer_id ORDER BY o.ordered_at)) AS days_since_previous,
    row_number() OVER (PARTITION BY o.customer_id ORDER BY o.ordered_at DESC) AS newest_rank
  FROM core.fact_orders AS o
  WHERE o.customer_id IS NOT NULL AND o.order_status <> 'cancelled'
  WINDOW so_far AS (PARTITION BY o.customer_id ORDER BY o.ordered_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
SELECT
  h.customer_id,
  h.first_order_date,
  h.order_date                                    AS last_order_date,
  h.first_channel,
  h.order_count,
  h.lifetime_revenue,
  h.lifetime_margin,
  round(h.lifetime_revenue / h.order_count, 2)    AS average_order_value,
  h.days_since_previous,
  percent_rank() OVER (ORDER BY h.lifetime_revenue) AS revenue_percentile
FROM history AS h
WHERE h.newest_rank = 1;
