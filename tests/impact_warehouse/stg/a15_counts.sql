CREATE OR REPLACE VIEW stg.counted AS SELECT count(*) AS n FROM raw.orders;
