WITH ranked AS (
  SELECT *, row_number() OVER (PARTITION BY order_id ORDER BY loaded_at DESC) AS rn
  FROM raw.orders
)
SELECT order_id, amount, custmer_id FROM ranked WHERE rn = 1;
