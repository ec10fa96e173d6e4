-- The ten best selling products of each department, by revenue.

CREATE OR REPLACE VIEW marts.top_products AS
WITH sold AS (
  SELECT
    p.department,
    p.sku,
    p.product_name,
    p.price_band,
    sum(l.quantity)       AS units_sold,
    sum(l.net_amount_eur) AS revenue,
    sum(l.margin_eur)     AS margin
  FROM core.fact_order_lines AS l
  INNER JOIN core.dim_products AS p ON p.sku = l.sku
  WHERE l.order_status <> 'cancelled'
  GROUP BY p.department, p.sku, p.product_name, p.price_band
),
ranked AS (
  SELECT
    sold.*,
    rank() OVER (PARTITION BY department ORDER BY revenue DESC) AS revenue_rank,
    revenue / sum(revenue) OVER (PARTITION BY department)       AS department_share
  FROM sold
)
SELECT *
FROM ranked
WHERE revenue_rank <= 10;
