-- Product dimension, slowly changing type 1: the newest catalogue entry overwrites the old one.

CREATE TABLE IF NOT EXISTS core.dim_products (
  sku          STRING,
  product_name STRING,
  department   STRING,
  category     STRING,
  list_price   DECIMAL(10, 2),
  unit_cost    DECIMAL(10, 2),
  margin_rate  DECIMAL(6, 4),
  price_band   STRING,
  is_active    BOOLEAN,
  updated_at   TIMESTAMP
) USING iceberg;

MERGE INTO core.dim_products AS t
USING (
  SELECT
    p.sku,
    p.product_name,
    p.department,
    p.category,
    p.list_price,
    p.unit_cost,
    CAST((p.list_price - p.unit_cost) / nullif(p.list_price, 0) AS DECIMAL(6, 4)) AS margin_rate,
    CASE
      WHEN p.list_price < 15 THEN 'budget'
      WHEN p.list_price < 60 THEN 'standard'
      ELSE 'premium'
    END AS price_band,
    p.is_active,
    p.updated_at
  FROM staging.products AS p
) AS s
ON t.sku = s.sku
WHEN MATCHED AND s.updated_at > t.updated_at THEN UPDATE SET
  t.product_name = s.product_name,
  t.department   = s.department,
  t.category     = s.category,
  t.list_price   = s.list_price,
  t.unit_cost    = s.unit_cost,
  t.margin_rate  = s.margin_rate,
  t.price_band   = s.price_band,
  t.is_active    = s.is_active,
  t.updated_at   = s.updated_at
WHEN NOT MATCHED THEN INSERT
  (sku, product_name, department, category, list_price, unit_cost, margin_rate, price_band, is_active, updated_at)
VALUES
  (s.sku, s.product_name, s.department, s.category, s.list_price, s.unit_cost, s.margin_rate, s.price_band, s.is_active, s.updated_at);
