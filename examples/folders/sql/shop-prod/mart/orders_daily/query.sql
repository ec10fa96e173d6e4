SELECT
  DATE(ordered_at) AS day,
  customer_id,
  SUM(item.price) AS revenue
FROM
  `shop-prod.raw.orders`,
  UNNEST(items) AS item
{% if not is_init() %}
WHERE
  DATE(ordered_at) = @submission_date
{% endif %}
GROUP BY
  day,
  customer_id
