CREATE OR REPLACE TABLE core.categories AS SELECT DISTINCT category FROM stg.products;
