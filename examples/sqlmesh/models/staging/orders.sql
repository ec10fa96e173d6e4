-- One row per order; the schema of the source is a variable.
MODEL (
  name staging.orders,
  kind INCREMENTAL_BY_TIME_RANGE (
    time_column ordered_on
  ),
  audits (assert_positive(column := gross)),
  grain order_id,
  tags (daily, sales)
);

@DEF(net, amount - COALESCE(discount, 0));

SELECT
  order_id::INT,
  customer_id::INT,
  country::TEXT,
  status::TEXT,
  @net::DOUBLE AS net,
  (@net * (1 + @vat))::DOUBLE AS gross,
  ordered_at::DATE AS ordered_on
FROM @raw_schema.orders
WHERE
  ordered_at::DATE BETWEEN @start_date AND @end_date;
