CREATE OR REPLACE TABLE mart.notes AS SELECT id, note FROM mart.everything;
