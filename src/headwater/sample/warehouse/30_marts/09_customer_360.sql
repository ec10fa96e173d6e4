-- Everything about a customer in one row, and a view of those who ordered in the last twelve months.

CREATE OR REPLACE TABLE marts.customer_360 USING iceberg AS
SELECT
  c.customer_id,
  c.email_hash,
  c.full_name,
  c.city,
  c.country_code,
  c.age_group,
  c.has_consent,
  v.first_order_date,
  v.last_order_date,
  v.first_channel,
  v.order_count,
  v.lifetime_revenue,
  v.lifetime_margin,
  r.rfm_score,
  r.segment
FROM core.dim_customers AS c
LEFT JOIN marts.customer_lifetime_value AS v ON v.customer_id = c.customer_id
LEFT JOIN marts.customer_rfm AS r ON r.customer_id = c.customer_id
WHERE c.is_current;

CREATE OR REPLACE VIEW marts.active_customers AS
SELECT *
FROM marts.customer_360
WHERE last_order_date >= add_months(current_date(), -12);
