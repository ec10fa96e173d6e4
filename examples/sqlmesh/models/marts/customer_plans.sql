MODEL (
  name marts.customer_plans,
  kind FULL,
  columns (
    customer_id INT,
    email TEXT,
    plan TEXT,
    gross DOUBLE
  )
);

JINJA_QUERY_BEGIN;
{% set keys = ['customer_id', 'email', 'plan'] %}
SELECT
  {% for key in keys %}c.{{ key }} AS {{ key }},
  {% endfor %}SUM(o.gross) AS gross
FROM staging.customers AS c
LEFT JOIN staging.orders AS o
  ON o.customer_id = c.customer_id
WHERE c.valid_to IS NULL
GROUP BY {% for key in keys %}c.{{ key }}{{ ", " if not loop.last }}{% endfor %}
JINJA_END;
