CREATE OR REPLACE VIEW stg.codes AS SELECT sku AS code FROM raw.products UNION ALL SELECT sku FROM raw.items;
