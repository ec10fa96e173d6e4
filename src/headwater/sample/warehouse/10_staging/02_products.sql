-- Cleans the product catalogue: prices to decimals, the category path split into department and category.

CREATE TABLE IF NOT EXISTS staging.products (
  sku          STRING,
  product_name STRING,
  department   STRING,
  category     STRING,
  list_price   DECIMAL(10, 2),
  unit_cost    DECIMAL(10, 2),
  is_active    BOOLEAN,
  updated_at   TIMESTAMP
) USING iceberg;

INSERT OVERWRITE TABLE staging.products
SELECT
  upper(trim(p.sku))                                    AS sku,
  trim(p.title)                                         AS product_name,
  trim(split(p.category_path, '>')[0])                  AS department,
  trim(element_at(split(p.category_path, '>'), -1))     AS category,
  CAST(p.list_price AS DECIMAL(10, 2))                  AS list_price,
  CAST(coalesce(p.unit_cost, '0') AS DECIMAL(10, 2))    AS unit_cost,
  lower(p.is_active) IN ('y', 'yes', 'true', '1')       AS is_active,
  p.updated_at
FROM raw.products AS p
WHERE p.sku IS NOT NULL;
