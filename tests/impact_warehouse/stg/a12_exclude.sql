CREATE OR REPLACE VIEW stg.customers_safe AS SELECT * EXCLUDE (email) FROM raw.customers;
