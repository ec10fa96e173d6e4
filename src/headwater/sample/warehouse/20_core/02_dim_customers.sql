-- Customer dimension, slowly changing type 2: MERGE closes the version that changed, INSERT opens the new one.

CREATE TABLE IF NOT EXISTS core.dim_customers (
  customer_id   STRING,
  email_hash    STRING COMMENT 'the e-mail address itself stays in staging',
  full_name     STRING,
  city          STRING,
  postcode      STRING,
  country_code  STRING,
  age_group     STRING,
  has_consent   BOOLEAN,
  registered_at TIMESTAMP,
  row_hash      STRING,
  valid_from    TIMESTAMP,
  valid_to      TIMESTAMP,
  is_current    BOOLEAN
) USING iceberg;

CREATE OR REPLACE TEMPORARY VIEW customer_snapshot AS
WITH prepared AS (
  SELECT
    c.customer_id,
    sha2(c.email, 256)                        AS email_hash,
    concat_ws(' ', c.first_name, c.last_name) AS full_name,
    c.city,
    c.postcode,
    c.country_code,
    CASE
      WHEN c.birth_date IS NULL THEN 'unknown'
      WHEN months_between(current_date(), c.birth_date) < 360 THEN 'under 30'
      WHEN months_between(current_date(), c.birth_date) < 600 THEN '30 to 49'
      ELSE '50 and over'
    END                                       AS age_group,
    c.has_consent,
    c.registered_at,
    c.updated_at
  FROM staging.customers AS c
)
SELECT
  p.*,
  sha2(concat_ws('|', p.email_hash, p.full_name, p.city, p.postcode, p.country_code, CAST(p.has_consent AS STRING)), 256) AS row_hash
FROM prepared AS p;

MERGE INTO core.dim_customers AS d
USING customer_snapshot AS s
ON d.customer_id = s.customer_id AND d.is_current
WHEN MATCHED AND d.row_hash <> s.row_hash THEN UPDATE SET
  d.valid_to   = s.updated_at,
  d.is_current = FALSE;

INSERT INTO core.dim_customers
SELECT
  s.customer_id,
  s.email_hash,
  s.full_name,
  s.city,
  s.postcode,
  s.country_code,
  s.age_group,
  s.has_consent,
  s.registered_at,
  s.row_hash,
  s.updated_at            AS valid_from,
  CAST(NULL AS TIMESTAMP) AS valid_to,
  TRUE                    AS is_current
FROM customer_snapshot AS s
LEFT JOIN core.dim_customers AS d
  ON d.customer_id = s.customer_id AND d.is_current
WHERE d.customer_id IS NULL;
