-- Net revenue per month with one column per channel (PIVOT).

CREATE OR REPLACE VIEW marts.revenue_by_channel AS
SELECT
  revenue_month,
  coalesce(web, 0)         AS web_revenue,
  coalesce(app, 0)         AS app_revenue,
  coalesce(marketplace, 0) AS marketplace_revenue
FROM (
  SELECT
    trunc(d.revenue_date, 'MM') AS revenue_month,
    d.channel,
    d.net_revenue
  FROM marts.daily_revenue AS d
)
PIVOT (
  sum(net_revenue) FOR channel IN ('web' AS web, 'app' AS app, 'marketplace' AS marketplace)
);
