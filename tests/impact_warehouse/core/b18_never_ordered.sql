CREATE OR REPLACE VIEW core.never_ordered AS SELECT id FROM stg.customers WHERE id NOT IN (SELECT customer_id FROM stg.orders_again);
