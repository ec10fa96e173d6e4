CREATE OR REPLACE VIEW mart.regions AS SELECT region, count(*) AS customers FROM core.profile GROUP BY region;
