-- Landing tables of the Fernwood shop backend: orders, products, customers and erasure requests, as they arrive.

CREATE TABLE IF NOT EXISTS raw.shop_orders (
  order_id      STRING NOT NULL,
  customer_id   STRING,
  ordered_at    STRING COMMENT 'ISO timestamp, UTC',
  status        STRING,
  channel       STRING COMMENT 'web or app',
  currency      STRING,
  shipping_fee  STRING,
  coupon_code   STRING,
  items         ARRAY<STRUCT<sku: STRING, quantity: INT, unit_price: DECIMAL(10, 2), discount: DECIMAL(10, 2)>>,
  loaded_at     TIMESTAMP
) USING iceberg;

CREATE TABLE IF NOT EXISTS raw.products (
  sku           STRING NOT NULL,
  title         STRING,
  category_path STRING COMMENT 'for example: Pots > Terracotta',
  list_price    STRING,
  unit_cost     STRING COMMENT 'purchase price in EUR',
  is_active     STRING,
  updated_at    TIMESTAMP
) USING iceberg;

CREATE TABLE IF NOT EXISTS raw.customers (
  customer_id       STRING NOT NULL,
  email             STRING,
  first_name        STRING,
  last_name         STRING,
  birth_date        STRING,
  address           STRUCT<street: STRING, city: STRING, postcode: STRING, country: STRING>,
  marketing_consent STRING COMMENT 'Y or N',
  created_at        STRING,
  updated_at        TIMESTAMP
) USING iceberg;

CREATE TABLE IF NOT EXISTS raw.erasure_requests (
  request_id   STRING NOT NULL,
  customer_id  STRING,
  requested_at TIMESTAMP,
  status       STRING COMMENT 'open, approved or rejected'
) USING iceberg;
