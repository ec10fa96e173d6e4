-- What each customer's country buys: an unwritten query over three tables.
SELECT c.country, p.category, SUM(o.amount) AS revenue, COUNT(DISTINCT c.customer_id) AS buyers
FROM `myproject.sales.orders` AS o
JOIN `myproject.sales.customers` AS c ON c.customer_id = o.customer_id
JOIN `myproject.sales.products` AS p ON p.product_id = o.product_id
WHERE o.order_date >= DATE '2024-01-01'
GROUP BY c.country, p.category;

-- A table made of a chain of CTEs: its columns lead to those of the base tables.
CREATE OR REPLACE TABLE myproject.analytics.customer_value AS
WITH paid AS (
  SELECT customer_id, quantity * amount AS value, order_date FROM myproject.sales.orders
), ranked AS (
  SELECT customer_id, SUM(value) AS paid, MAX(order_date) AS latest,
         RANK() OVER (ORDER BY SUM(value) DESC) AS place
  FROM paid GROUP BY customer_id
)
SELECT c.customer_id, UPPER(c.name) AS name, r.paid,
       CASE WHEN r.place <= 10 THEN 'top' WHEN c.country = 'KR' THEN 'home' ELSE c.country END AS segment,
       STRUCT(r.latest AS latest, r.place AS place) AS standing
FROM ranked AS r JOIN myproject.sales.customers AS c USING (customer_id);

CREATE OR REPLACE VIEW myproject.analytics.product_sales AS
SELECT p.product_id, p.name, p.price * o.quantity AS listed, o.amount
FROM myproject.sales.products AS p
LEFT JOIN myproject.sales.orders AS o ON o.product_id = p.product_id;

INSERT INTO myproject.analytics.order_summary (customer_id, customer_name, total_orders, total_amount, last_order_date)
SELECT c.customer_id, ANY_VALUE(c.name), COUNT(*), SUM(o.amount), MAX(o.order_date)
FROM myproject.sales.customers AS c
JOIN myproject.sales.orders AS o ON o.customer_id = c.customer_id
GROUP BY c.customer_id;

-- An UPDATE reads its target, too: the new total is made of the old one.
UPDATE myproject.analytics.order_summary AS s
SET total_amount = s.total_amount + o.amount, last_order_date = o.order_date
FROM myproject.sales.orders AS o
WHERE o.customer_id = s.customer_id AND o.order_date > s.last_order_date;

MERGE myproject.analytics.order_summary AS s
USING (
  SELECT customer_id, COUNT(*) AS n, SUM(amount) AS amount, MAX(order_date) AS latest
  FROM myproject.sales.orders GROUP BY customer_id
) AS o
ON s.customer_id = o.customer_id
WHEN MATCHED THEN UPDATE SET total_orders = s.total_orders + o.n, total_amount = o.amount, last_order_date = o.latest
WHEN NOT MATCHED THEN INSERT (customer_id, total_orders, total_amount, last_order_date)
  VALUES (o.customer_id, o.n, o.amount, o.latest);
