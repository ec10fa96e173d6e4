CREATE OR REPLACE VIEW stg.orders AS SELECT * FROM raw.orders;
