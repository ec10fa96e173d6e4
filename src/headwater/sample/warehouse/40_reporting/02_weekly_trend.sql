-- A chain of views for the Monday meeting: weekly figures, their trend, and the summary of the last weeks.

CREATE OR REPLACE VIEW reporting.weekly_kpis AS
SELECT
  trunc(k.kpi_date, 'WEEK') AS week_start,
  sum(k.revenue)            AS revenue,
  sum(k.orders)             AS orders,
  sum(k.ad_spend)           AS ad_spend
FROM reporting.daily_kpis AS k
GROUP BY trunc(k.kpi_date, 'WEEK');

CREATE OR REPLACE VIEW reporting.weekly_trend AS
SELECT
  w.*,
  lag(w.revenue) OVER (ORDER BY w.week_start) AS previous_revenue,
  avg(w.revenue) OVER (ORDER BY w.week_start ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS four_week_average
FROM reporting.weekly_kpis AS w;

CREATE OR REPLACE VIEW reporting.executive_summary AS
SELECT
  week_start,
  revenue,
  orders,
  round((revenue - previous_revenue) / nullif(previous_revenue, 0), 4) AS revenue_growth,
  CASE
    WHEN revenue >= four_week_average THEN 'above average'
    ELSE 'below average'
  END AS verdict
FROM reporting.weekly_trend
ORDER BY week_start DESC
LIMIT 8;
