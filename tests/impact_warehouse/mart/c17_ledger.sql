CREATE OR REPLACE VIEW mart.ledger AS SELECT day, sum(amount) AS amount FROM core.ledger GROUP BY day;
