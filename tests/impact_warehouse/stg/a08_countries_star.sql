CREATE OR REPLACE VIEW stg.countries AS SELECT * FROM raw.countries;
