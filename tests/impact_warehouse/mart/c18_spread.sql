CREATE OR REPLACE VIEW mart.people AS FROM core.people SELECT country, count(DISTINCT name) AS people GROUP BY country;
