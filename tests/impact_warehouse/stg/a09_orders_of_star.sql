CREATE OR REPLACE VIEW stg.orders_again AS SELECT * FROM stg.orders;
