CREATE OR REPLACE VIEW stg.rates AS SELECT currency, day, rate FROM raw.rates QUALIFY row_number() OVER (PARTITION BY currency ORDER BY day DESC) = 1;
