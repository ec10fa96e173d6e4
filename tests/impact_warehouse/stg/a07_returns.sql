CREATE OR REPLACE VIEW stg.returns AS SELECT order_id, sku, quantity AS returned FROM raw.returns WHERE reason <> 'test';
