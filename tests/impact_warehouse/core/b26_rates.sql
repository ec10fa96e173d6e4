CREATE OR REPLACE TABLE core.rate_range AS SELECT currency, min(rate) AS low, max(rate) AS high FROM stg.all_rates GROUP BY currency;
