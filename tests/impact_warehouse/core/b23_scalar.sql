CREATE OR REPLACE VIEW core.scalar AS SELECT sku, (SELECT avg(quantity) FROM raw.items) AS usual FROM raw.products;
