-- Brings shop and marketplace together: one set of order headers and one of order lines.

CREATE TABLE IF NOT EXISTS staging.orders (
  order_id      STRING,
  source_system STRING,
  customer_id   STRING COMMENT 'unknown for marketplace orders',
  buyer_email   STRING COMMENT 'known for marketplace orders only',
  ordered_at    TIMESTAMP,
  order_status  STRING,
  channel       STRING,
  currency_code STRING,
  shipping_fee  DECIMAL(10, 2),
  coupon_code   STRING
) USING iceberg;

INSERT OVERWRITE TABLE staging.orders
SELECT
  s.order_id,
  'shop'               AS source_system,
  s.customer_id,
  CAST(NULL AS STRING) AS buyer_email,
  s.ordered_at,
  s.order_status,
  s.channel,
  s.currency_code,
  s.shipping_fee,
  s.coupon_code
FROM staging.shop_orders AS s
UNION ALL
SELECT
  m.order_id,
  'marketplace'        AS source_system,
  CAST(NULL AS STRING) AS customer_id,
  max(m.buyer_email)   AS buyer_email,
  min(m.ordered_at)    AS ordered_at,
  max(m.order_status)  AS order_status,
  'marketplace'        AS channel,
  max(m.currency_code) AS currency_code,
  0                    AS shipping_fee,
  CAST(NULL AS STRING) AS coupon_code
FROM staging.marketplace_order_lines AS m
GROUP BY m.order_id;

CREATE OR REPLACE VIEW staging.order_lines AS
SELECT
  order_id,
  sku,
  quantity,
  unit_price,
  discount,
  0 AS commission
FROM staging.shop_order_lines
UNION ALL
SELECT
  order_id,
  sku,
  quantity,
  unit_price,
  0 AS discount,
  commission
FROM staging.marketplace_order_lines;
