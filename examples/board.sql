CREATE TABLE shop.board AS
SELECT region, best, current_date() AS printed FROM shop.report;
