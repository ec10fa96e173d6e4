INSERT INTO core.ledger (kind, ref, amount) SELECT 'return', order_id, -returned FROM stg.returns;
