-- Cohort retention: of the customers who first ordered in a month, how many ordered again n months later.

CREATE OR REPLACE TABLE marts.cohort_retention USING iceberg AS
WITH first_orders AS (
  SELECT
    customer_id,
    trunc(min(order_date), 'MM') AS cohort_month
  FROM core.fact_orders
  WHERE customer_id IS NOT NULL AND order_status <> 'cancelled'
  GROUP BY customer_id
),
activity AS (
  SELECT DISTINCT
    customer_id,
    trunc(order_date, 'MM') AS active_month
  FROM core.fact_orders
  WHERE customer_id IS NOT NULL AND order_status <> 'cancelled'
),
cohorts AS (
  SELECT
    f.cohort_month,
    CAST(months_between(a.active_month, f.cohort_month) AS INT) AS months_later,
    count(*)                                                    AS active_customers
  FROM first_orders AS f
  INNER JOIN activity AS a USING (customer_id)
  GROUP BY 1, 2
)
SELECT
  cohort_month,
  months_later,
  active_customers,
  first_value(active_customers) OVER (PARTITION BY cohort_month ORDER BY months_later) AS cohort_size,
  round(
    active_customers / first_value(active_customers) OVER (PARTITION BY cohort_month ORDER BY months_later), 4
  ) AS retention_rate
FROM cohorts;
