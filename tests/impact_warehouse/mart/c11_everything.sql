CREATE OR REPLACE TABLE mart.everything AS SELECT * FROM mart.wide;
