-- The daily figures of the company: revenue, orders, traffic and advertising, one partition per month.

CREATE TABLE IF NOT EXISTS reporting.daily_kpis (
  kpi_date            DATE,
  revenue             DECIMAL(14, 2) COMMENT 'EUR, with shipping, net of refunds',
  orders              BIGINT,
  average_order_value DECIMAL(12, 2),
  sessions            BIGINT,
  conversion_rate     DOUBLE,
  ad_spend            DECIMAL(14, 2),
  return_on_ad_spend  DECIMAL(12, 2),
  kpi_month           STRING
) USING iceberg
PARTITIONED BY (kpi_month);

CREATE OR REPLACE TEMPORARY VIEW kpi_sales AS
SELECT
  revenue_date,
  sum(net_revenue) AS revenue,
  sum(order_count) AS orders
FROM marts.daily_revenue
GROUP BY revenue_date;

CREATE OR REPLACE TEMPORARY VIEW kpi_traffic AS
SELECT
  session_date,
  sum(sessions)                  AS sessions,
  sum(purchases) / sum(sessions) AS conversion_rate
FROM marts.conversion_funnel
GROUP BY session_date;

INSERT OVERWRITE TABLE reporting.daily_kpis PARTITION (kpi_month)
SELECT
  s.revenue_date                                      AS kpi_date,
  s.revenue,
  s.orders,
  round(s.revenue / nullif(s.orders, 0), 2)           AS average_order_value,
  coalesce(t.sessions, 0)                             AS sessions,
  round(t.conversion_rate, 4)                         AS conversion_rate,
  coalesce(a.ad_spend, 0)                             AS ad_spend,
  round(s.revenue / nullif(a.ad_spend, 0), 2)         AS return_on_ad_spend,
  date_format(s.revenue_date, 'yyyy-MM')              AS kpi_month
FROM kpi_sales AS s
LEFT JOIN kpi_traffic AS t ON t.session_date = s.revenue_date
LEFT JOIN (
  SELECT
    spend_date,
    sum(spend_eur) AS ad_spend
  FROM staging.campaign_spend
  GROUP BY spend_date
) AS a ON a.spend_date = s.revenue_date;
