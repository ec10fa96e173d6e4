CREATE OR REPLACE VIEW stg.items AS SELECT order_id, sku, quantity * price - discount AS net, quantity FROM raw.items;
