-- Cash facts: payments in and refunds out, in EUR, one row each.

CREATE OR REPLACE TABLE core.fact_cash_movements USING iceberg AS
WITH movements AS (
  SELECT
    p.payment_id     AS movement_id,
    p.order_id,
    'payment'        AS movement_type,
    p.payment_method AS detail,
    p.amount         AS paid_amount,
    0                AS refunded_amount,
    p.currency_code,
    p.paid_at        AS moved_at
  FROM staging.payments AS p
  UNION ALL
  SELECT
    r.refund_id      AS movement_id,
    r.order_id,
    'refund'         AS movement_type,
    r.reason         AS detail,
    0                AS paid_amount,
    r.amount         AS refunded_amount,
    r.currency_code,
    r.refunded_at    AS moved_at
  FROM staging.refunds AS r
)
SELECT
  m.movement_id,
  m.order_id,
  m.movement_type,
  m.detail,
  round(m.paid_amount * coalesce(fx.rate_to_eur, 1), 2)     AS paid_eur,
  round(m.refunded_amount * coalesce(fx.rate_to_eur, 1), 2) AS refunded_eur,
  to_date(m.moved_at)                                       AS movement_date
FROM movements AS m
LEFT JOIN staging.fx_rates AS fx
  ON fx.currency_code = m.currency_code AND fx.rate_date = to_date(m.moved_at);
