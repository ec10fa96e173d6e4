-- Revenue per day and channel, gross and net of refunds.

CREATE OR REPLACE TABLE marts.daily_revenue USING iceberg AS
WITH sales AS (
  SELECT
    o.order_date,
    o.channel,
    count(DISTINCT o.order_id) AS order_count,
    sum(o.order_total_eur)     AS gross_revenue,
    sum(o.margin_eur)          AS margin
  FROM core.fact_orders AS o
  WHERE o.order_status <> 'cancelled'
  GROUP BY o.order_date, o.channel
),
refunds AS (
  SELECT
    m.movement_date     AS refund_date,
    o.channel,
    sum(m.refunded_eur) AS refunded
  FROM core.fact_cash_movements AS m
  INNER JOIN core.fact_orders AS o ON o.order_id = m.order_id
  WHERE m.movement_type = 'refund' AND o.order_status <> 'cancelled'
  GROUP BY m.movement_date, o.channel
)
SELECT
  coalesce(s.order_date, r.refund_date)                   AS revenue_date,
  coalesce(s.channel, r.channel)                          AS channel,
  coalesce(s.order_count, 0)                              AS order_count,
  coalesce(s.gross_revenue, 0)                            AS gross_revenue,
  coalesce(r.refunded, 0)                                 AS refunds,
  coalesce(s.gross_revenue, 0) - coalesce(r.refunded, 0)  AS net_revenue,
  coalesce(s.margin, 0)                                   AS margin
FROM sales AS s
FULL OUTER JOIN refunds AS r
  ON r.refund_date = s.order_date AND r.channel = s.channel;
