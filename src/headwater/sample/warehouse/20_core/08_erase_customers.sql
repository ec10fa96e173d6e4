-- GDPR erasure: removes customers with an approved request and cuts their orders and sessions loose from them.

DELETE FROM staging.customers
WHERE customer_id IN (
  SELECT r.customer_id FROM raw.erasure_requests AS r WHERE r.status = 'approved'
);

DELETE FROM core.dim_customers
WHERE customer_id IN (
  SELECT r.customer_id FROM raw.erasure_requests AS r WHERE r.status = 'approved'
);

UPDATE core.fact_orders
SET customer_id = NULL, buyer_email_hash = NULL
WHERE customer_id IN (
  SELECT r.customer_id FROM raw.erasure_requests AS r WHERE r.status = 'approved'
);

UPDATE core.fact_sessions
SET customer_id = NULL
WHERE customer_id IN (
  SELECT r.customer_id FROM raw.erasure_requests AS r WHERE r.status = 'approved'
);
