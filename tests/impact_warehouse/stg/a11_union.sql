CREATE OR REPLACE VIEW stg.both AS SELECT order_id, sku, quantity FROM raw.items UNION ALL SELECT order_id, sku, quantity FROM raw.returns;
