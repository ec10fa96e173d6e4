CREATE OR REPLACE TABLE core.people AS SELECT name, country FROM stg.customers_safe;
