CREATE OR REPLACE VIEW core.active AS SELECT id, name FROM stg.customers c WHERE EXISTS (SELECT 1 FROM stg.events e WHERE e.customer_id = c.id);
