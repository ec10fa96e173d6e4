CREATE OR REPLACE VIEW mart.wide AS SELECT id, amount, note FROM core.orders_wide;
