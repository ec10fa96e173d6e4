-- Cleans payments and refunds: amounts to decimals, only settled payments.

CREATE OR REPLACE TABLE staging.payments USING iceberg AS
SELECT
  p.payment_id,
  p.order_id,
  coalesce(lower(trim(p.method)), 'unknown') AS payment_method,
  CAST(p.amount AS DECIMAL(12, 2))           AS amount,
  upper(trim(p.currency))                    AS currency_code,
  CAST(p.paid_at AS TIMESTAMP)               AS paid_at
FROM raw.payments AS p
WHERE lower(p.status) = 'settled';

CREATE OR REPLACE TABLE staging.refunds USING iceberg AS
SELECT
  r.refund_id,
  r.order_id,
  CAST(r.amount AS DECIMAL(12, 2))           AS amount,
  upper(trim(r.currency))                    AS currency_code,
  coalesce(nullif(trim(r.reason), ''), 'no reason given') AS reason,
  CAST(r.refunded_at AS TIMESTAMP)           AS refunded_at
FROM raw.refunds AS r;
