DELETE FROM core.ledger WHERE ref IN (SELECT id FROM raw.orders WHERE status = 'void');
