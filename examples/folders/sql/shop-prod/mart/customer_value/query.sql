-- Read before mart.orders_daily in the order of paths: its columns are known all the same.
SELECT
  c.*,
  o.revenue
FROM
  `shop-prod.raw.customers` AS c
LEFT JOIN
  `shop-prod.mart.orders_daily` AS o
  ON c.id = o.customer_id
