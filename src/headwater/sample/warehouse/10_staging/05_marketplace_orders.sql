-- Cleans the marketplace feed: one row per order line, names and states mapped to those of the shop.

CREATE OR REPLACE TABLE staging.marketplace_order_lines USING iceberg AS
WITH ranked AS (
  SELECT
    m.*,
    row_number() OVER (PARTITION BY m.mp_order_no, m.line_no ORDER BY m.loaded_at DESC) AS load_rank
  FROM raw.marketplace_orders AS m
)
SELECT
  concat('MP-', r.mp_order_no)                          AS order_id,
  lower(trim(r.buyer_email))                            AS buyer_email,
  to_timestamp(r.purchase_ts, 'yyyy-MM-dd HH:mm:ss')    AS ordered_at,
  CASE r.state
    WHEN 'NEW' THEN 'open'
    WHEN 'SHIPPED' THEN 'shipped'
    WHEN 'CANCELED' THEN 'cancelled'
  END                                                   AS order_status,
  upper(trim(r.sku))                                    AS sku,
  CAST(r.qty AS INT)                                    AS quantity,
  CAST(r.price_each AS DECIMAL(10, 2))                  AS unit_price,
  CAST(coalesce(r.commission, '0') AS DECIMAL(10, 2))   AS commission,
  upper(trim(r.ccy))                                    AS currency_code
FROM ranked AS r
WHERE r.load_rank = 1;
