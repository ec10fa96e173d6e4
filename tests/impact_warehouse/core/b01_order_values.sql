CREATE OR REPLACE TABLE core.order_values AS SELECT o.id, o.customer_id, o.placed, o.amount * r.rate AS amount FROM stg.orders o JOIN stg.rates r ON r.currency = o.currency;
