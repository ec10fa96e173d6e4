-- Finds the customer of a marketplace order by the hash of the e-mail address.

UPDATE core.fact_orders AS o
SET customer_id = (
  SELECT max(c.customer_id)
  FROM core.dim_customers AS c
  WHERE c.email_hash = o.buyer_email_hash AND c.is_current
)
WHERE o.customer_id IS NULL AND o.buyer_email_hash IS NOT NULL;
