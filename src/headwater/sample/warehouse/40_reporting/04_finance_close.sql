-- Monthly close for finance: revenue, cost and margin per department, written to the partition of the month.

CREATE TABLE IF NOT EXISTS reporting.finance_close (
  department  STRING,
  revenue     DECIMAL(14, 2),
  commission  DECIMAL(14, 2),
  cost        DECIMAL(14, 2),
  margin      DECIMAL(14, 2),
  close_month STRING
) USING iceberg
PARTITIONED BY (close_month);

INSERT OVERWRITE TABLE reporting.finance_close PARTITION (close_month = '2025-06')
SELECT
  coalesce(department, 'not assigned') AS department,
  sum(net_amount_eur)                  AS revenue,
  sum(commission_eur)                  AS commission,
  sum(cost_eur)                        AS cost,
  sum(margin_eur)                      AS margin
FROM core.fact_order_lines
WHERE order_status <> 'cancelled'
  AND order_date BETWEEN DATE '2025-06-01' AND DATE '2025-06-30'
GROUP BY coalesce(department, 'not assigned');
