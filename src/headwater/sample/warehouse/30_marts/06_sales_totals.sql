-- Sales with subtotals: by department and category (ROLLUP), by month and channel (GROUPING SETS).

CREATE OR REPLACE TABLE marts.sales_by_category USING iceberg AS
SELECT
  CASE WHEN grouping(l.department) = 1 THEN 'all departments' ELSE l.department END AS department,
  CASE WHEN grouping(l.category) = 1 THEN 'all categories' ELSE l.category END      AS category,
  sum(l.quantity)       AS units_sold,
  sum(l.net_amount_eur) AS revenue,
  sum(l.margin_eur)     AS margin
FROM core.fact_order_lines AS l
WHERE l.order_status <> 'cancelled'
GROUP BY ROLLUP (l.department, l.category);

CREATE OR REPLACE TABLE marts.sales_by_month_and_channel USING iceberg AS
WITH month_lines AS (
  SELECT
    trunc(l.order_date, 'MM') AS sales_month,
    l.channel,
    l.net_amount_eur,
    l.discount_eur
  FROM core.fact_order_lines AS l
  WHERE l.order_status <> 'cancelled'
)
SELECT
  sales_month,
  channel,
  grouping_id()       AS grouping_level,
  sum(net_amount_eur) AS revenue,
  sum(discount_eur)   AS discounts
FROM month_lines
GROUP BY GROUPING SETS ((sales_month, channel), (sales_month), (channel), ());
