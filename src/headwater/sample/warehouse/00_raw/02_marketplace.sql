-- Landing table of the marketplace feed: one row per order line, flat, with its own column names.

CREATE TABLE IF NOT EXISTS raw.marketplace_orders (
  mp_order_no STRING NOT NULL,
  line_no     INT,
  buyer_email STRING,
  purchase_ts STRING COMMENT 'yyyy-MM-dd HH:mm:ss',
  state       STRING COMMENT 'NEW, SHIPPED or CANCELED',
  sku         STRING,
  qty         STRING,
  price_each  STRING,
  commission  STRING COMMENT 'fee of the marketplace for the line',
  ccy         STRING,
  loaded_at   TIMESTAMP
) USING iceberg;
