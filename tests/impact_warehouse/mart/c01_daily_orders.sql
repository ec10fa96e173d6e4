INSERT INTO mart.daily (day, orders, revenue) SELECT placed, count(*), sum(amount) FROM core.order_values GROUP BY placed;
