-- Cleans the shop orders: one row per order, then one row per line by exploding the items array.

CREATE OR REPLACE TABLE staging.shop_orders USING iceberg AS
WITH ranked AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY order_id ORDER BY loaded_at DESC) AS load_rank
  FROM raw.shop_orders
)
SELECT
  order_id,
  customer_id,
  CAST(ordered_at AS TIMESTAMP)                         AS ordered_at,
  lower(trim(status))                                   AS order_status,
  lower(coalesce(channel, 'web'))                       AS channel,
  upper(trim(currency))                                 AS currency_code,
  CAST(coalesce(shipping_fee, '0') AS DECIMAL(10, 2))   AS shipping_fee,
  nullif(trim(coupon_code), '')                         AS coupon_code,
  items
FROM ranked
WHERE load_rank = 1;

CREATE TABLE IF NOT EXISTS staging.shop_order_lines (
  order_id   STRING,
  sku        STRING,
  quantity   INT,
  unit_price DECIMAL(10, 2),
  discount   DECIMAL(10, 2)
) USING iceberg;

INSERT OVERWRITE TABLE staging.shop_order_lines
SELECT
  o.order_id,
  upper(trim(line.item.sku))      AS sku,
  line.item.quantity              AS quantity,
  line.item.unit_price            AS unit_price,
  coalesce(line.item.discount, 0) AS discount
FROM staging.shop_orders AS o
LATERAL VIEW explode(o.items) line AS item;
