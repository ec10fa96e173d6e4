-- Views for marketing: the size and value of each segment, and whom the newsletter may reach.

CREATE OR REPLACE VIEW reporting.customer_segments AS
SELECT
  segment,
  country_code,
  count(*)                         AS customers,
  sum(lifetime_revenue)            AS lifetime_revenue,
  round(avg(lifetime_margin), 2)   AS average_margin
FROM marts.active_customers
GROUP BY segment, country_code
HAVING count(*) >= 5;

CREATE OR REPLACE VIEW reporting.newsletter_audience AS
SELECT
  email_hash AS audience_key,
  segment,
  age_group,
  first_channel
FROM marts.active_customers
WHERE has_consent;
