-- What to look at this week: good sellers that earn little, and valuable customers about to leave.

CREATE OR REPLACE VIEW reporting.attention_list AS
SELECT
  'product'        AS kind,
  p.sku            AS reference,
  p.product_name   AS label,
  p.revenue        AS amount_eur
FROM marts.top_products AS p
WHERE p.margin < 0.1 * p.revenue
UNION
SELECT
  'customer'         AS kind,
  c.customer_id      AS reference,
  c.full_name        AS label,
  c.lifetime_revenue AS amount_eur
FROM marts.customer_360 AS c
WHERE c.segment = 'at risk';
