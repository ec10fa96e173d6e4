-- Landing tables of the web tracker and of the advertising platforms.

CREATE TABLE IF NOT EXISTS raw.web_events (
  event_id    STRING NOT NULL,
  visitor_id  STRING,
  customer_id STRING,
  event_type  STRING COMMENT 'page_view, product_view, add_to_cart, checkout or purchase',
  page_url    STRING,
  sku         STRING,
  utm_source  STRING,
  user_agent  STRING,
  event_ts    TIMESTAMP
) USING iceberg;

CREATE TABLE IF NOT EXISTS raw.campaign_spend (
  spend_date STRING,
  platform   STRING,
  campaign   STRING,
  clicks     STRING,
  spend      STRING COMMENT 'in EUR'
) USING iceberg;
