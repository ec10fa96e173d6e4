INSERT INTO mart.daily (day, visits) SELECT CAST(seen_at AS DATE), count(*) FROM stg.events GROUP BY 1;
