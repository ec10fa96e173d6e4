CREATE OR REPLACE TABLE mart.counted AS SELECT n + 1 AS n FROM stg.counted;
