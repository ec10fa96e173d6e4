-- Cleans the reference data: exchange rates (a column renamed through a CTE) and advertising spend.

CREATE OR REPLACE TABLE staging.fx_rates USING iceberg AS
WITH renamed AS (
  SELECT
    *,
    upper(trim(currency)) AS currency_code
  FROM raw.fx_rates
)
SELECT * EXCEPT (currency, loaded_at)
FROM renamed
WHERE rate_to_eur > 0;

CREATE OR REPLACE TABLE staging.campaign_spend USING iceberg AS
SELECT
  CAST(s.spend_date AS DATE)                            AS spend_date,
  CASE lower(s.platform)
    WHEN 'google' THEN 'search'
    WHEN 'bing' THEN 'search'
    WHEN 'instagram' THEN 'social'
    WHEN 'pinterest' THEN 'social'
    ELSE 'other'
  END                                                   AS traffic_channel,
  trim(s.campaign)                                      AS campaign,
  CAST(coalesce(s.clicks, '0') AS BIGINT)               AS clicks,
  CAST(coalesce(s.spend, '0') AS DECIMAL(12, 2))        AS spend_eur
FROM raw.campaign_spend AS s;
