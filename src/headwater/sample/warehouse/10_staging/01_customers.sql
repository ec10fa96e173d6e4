-- Cleans the customers: the latest version of each, e-mail normalised, the address struct flattened.

CREATE OR REPLACE TABLE staging.customers USING iceberg AS
WITH versions AS (
  SELECT
    c.*,
    row_number() OVER (PARTITION BY c.customer_id ORDER BY c.updated_at DESC) AS version_rank
  FROM raw.customers AS c
)
SELECT
  v.customer_id,
  lower(trim(v.email))                        AS email,
  initcap(trim(v.first_name))                 AS first_name,
  initcap(trim(v.last_name))                  AS last_name,
  CAST(v.birth_date AS DATE)                  AS birth_date,
  v.address.city                              AS city,
  trim(v.address.postcode)                    AS postcode,
  upper(coalesce(v.address.country, 'DE'))    AS country_code,
  coalesce(v.marketing_consent, 'N') = 'Y'    AS has_consent,
  CAST(v.created_at AS TIMESTAMP)             AS registered_at,
  v.updated_at
FROM versions AS v
WHERE v.version_rank = 1;
