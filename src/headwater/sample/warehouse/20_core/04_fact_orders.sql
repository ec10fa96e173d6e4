-- Order facts: one row per order with totals in EUR and a size bucket; the buyer's e-mail only as a hash.

CREATE TABLE IF NOT EXISTS core.fact_orders (
  order_id         STRING,
  source_system    STRING,
  customer_id      STRING,
  buyer_email_hash STRING,
  ordered_at       TIMESTAMP,
  order_date       DATE,
  order_status     STRING,
  channel          STRING,
  coupon_code      STRING,
  item_count       BIGINT,
  net_amount_eur   DECIMAL(14, 2),
  shipping_eur     DECIMAL(14, 2),
  order_total_eur  DECIMAL(14, 2),
  margin_eur       DECIMAL(14, 2),
  order_size       STRING
) USING iceberg;

INSERT OVERWRITE TABLE core.fact_orders
WITH line_totals AS (
  SELECT
    l.order_id,
    sum(l.quantity)       AS item_count,
    sum(l.net_amount_eur) AS net_amount_eur,
    sum(l.margin_eur)     AS margin_eur
  FROM core.fact_order_lines AS l
  GROUP BY l.order_id
),
totals AS (
  SELECT
    o.*,
    t.item_count,
    coalesce(t.net_amount_eur, 0)                           AS net_amount_eur,
    coalesce(t.margin_eur, 0)                               AS margin_eur,
    round(o.shipping_fee * coalesce(fx.rate_to_eur, 1), 2)  AS shipping_eur
  FROM staging.orders AS o
  LEFT JOIN line_totals AS t ON t.order_id = o.order_id
  LEFT JOIN staging.fx_rates AS fx
    ON fx.currency_code = o.currency_code AND fx.rate_date = to_date(o.ordered_at)
)
SELECT
  order_id,
  source_system,
  customer_id,
  sha2(buyer_email, 256)          AS buyer_email_hash,
  ordered_at,
  to_date(ordered_at)             AS order_date,
  order_status,
  channel,
  coupon_code,
  item_count,
  net_amount_eur,
  shipping_eur,
  net_amount_eur + shipping_eur   AS order_total_eur,
  margin_eur,
  CASE
    WHEN net_amount_eur < 30 THEN 'small'
    WHEN net_amount_eur < 120 THEN 'medium'
    ELSE 'large'
  END                             AS order_size
FROM totals;
