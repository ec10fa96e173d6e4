CREATE OR REPLACE VIEW mart.customers AS SELECT o.id, o.name, o.total, p.segment, p.region FROM core.customer_orders o LEFT JOIN core.profile p ON p.id = o.id;
