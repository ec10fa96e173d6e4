CREATE OR REPLACE VIEW stg.customers AS SELECT id, name, lower(email) AS email, country, created FROM raw.customers WHERE NOT deleted;
