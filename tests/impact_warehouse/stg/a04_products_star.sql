CREATE OR REPLACE TABLE stg.products AS SELECT * FROM raw.products;
