CREATE OR REPLACE TABLE core.weights AS SELECT sku, quantity * weight AS weight FROM stg.priced;
