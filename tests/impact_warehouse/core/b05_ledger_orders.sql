INSERT INTO core.ledger SELECT 'order', id, amount, placed FROM core.order_values;
