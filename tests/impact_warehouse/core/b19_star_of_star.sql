CREATE OR REPLACE TABLE core.orders_wide AS SELECT o.*, c.name FROM stg.orders_again o JOIN stg.customers c ON c.id = o.customer_id;
