CREATE OR REPLACE VIEW stg.products_up AS SELECT * REPLACE (upper(title) AS title) FROM raw.products;
