CREATE OR REPLACE VIEW stg.all_rates AS SELECT * FROM raw.rates UNION ALL SELECT * FROM raw.old_rates;
