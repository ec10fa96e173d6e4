-- Order line facts: every line in EUR, with its cost and margin.

CREATE OR REPLACE TABLE core.fact_order_lines USING iceberg AS
WITH priced AS (
  SELECT
    order_id,
    sku,
    to_date(o.ordered_at) AS order_date,
    o.order_status,
    o.channel,
    p.department,
    p.category,
    l.quantity,
    round(l.quantity * l.unit_price * coalesce(fx.rate_to_eur, 1), 2) AS gross_amount_eur,
    round(l.discount * coalesce(fx.rate_to_eur, 1), 2)                AS discount_eur,
    round(l.commission * coalesce(fx.rate_to_eur, 1), 2)              AS commission_eur,
    l.quantity * coalesce(p.unit_cost, 0)                             AS cost_eur
  FROM staging.order_lines AS l
  INNER JOIN staging.orders AS o USING (order_id)
  LEFT JOIN core.dim_products AS p USING (sku)
  LEFT JOIN staging.fx_rates AS fx
    ON fx.currency_code = o.currency_code AND fx.rate_date = to_date(o.ordered_at)
)
SELECT
  priced.*,
  gross_amount_eur - discount_eur                             AS net_amount_eur,
  gross_amount_eur - discount_eur - commission_eur - cost_eur AS margin_eur
FROM priced;
