-- Landing tables of the payment provider (payments, refunds) and the daily exchange rates.

CREATE TABLE IF NOT EXISTS raw.payments (
  payment_id STRING NOT NULL,
  order_id   STRING,
  method     STRING,
  amount     STRING,
  currency   STRING,
  status     STRING,
  paid_at    STRING
) USING iceberg;

CREATE TABLE IF NOT EXISTS raw.refunds (
  refund_id   STRING NOT NULL,
  order_id    STRING,
  amount      STRING,
  currency    STRING,
  reason      STRING,
  refunded_at STRING
) USING iceberg;

CREATE TABLE IF NOT EXISTS raw.fx_rates (
  rate_date   DATE,
  currency    STRING,
  rate_to_eur DECIMAL(12, 6) COMMENT 'EUR for one unit of the currency, no rows for EUR itself',
  loaded_at   TIMESTAMP
) USING iceberg;
