-- RFM score: recency, frequency and money in fifths, and a segment name for marketing.

CREATE OR REPLACE TABLE marts.customer_rfm USING iceberg AS
WITH scored AS (
  SELECT
    v.customer_id,
    ntile(5) OVER (ORDER BY v.last_order_date)  AS recency_score,
    ntile(5) OVER (ORDER BY v.order_count)      AS frequency_score,
    ntile(5) OVER (ORDER BY v.lifetime_revenue) AS money_score
  FROM marts.customer_lifetime_value AS v
)
SELECT
  customer_id,
  recency_score,
  frequency_score,
  money_score,
  concat(recency_score, frequency_score, money_score) AS rfm_score,
  CASE
    WHEN recency_score >= 4 AND frequency_score >= 4 THEN 'champion'
    WHEN recency_score >= 4 THEN 'promising'
    WHEN recency_score <= 2 AND money_score >= 4 THEN 'at risk'
    WHEN recency_score = 1 THEN 'lost'
    ELSE 'regular'
  END AS segment
FROM scored;
