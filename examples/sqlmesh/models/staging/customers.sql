MODEL (
  name staging.customers,
  kind SCD_TYPE_2_BY_TIME (
    unique_key customer_id,
    updated_at_name updated_at
  )
);

SELECT
  customer_id::INT AS customer_id,
  LOWER(email)::TEXT AS email,
  plan::TEXT AS plan,
  updated_at::TIMESTAMP AS updated_at
FROM raw.customers;
