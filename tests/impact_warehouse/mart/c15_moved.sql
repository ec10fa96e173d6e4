CREATE OR REPLACE TABLE mart.moved AS SELECT sku, sum(quantity) AS quantity FROM stg.both GROUP BY sku;
