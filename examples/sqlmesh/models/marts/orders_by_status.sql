-- A column for each status.
MODEL (
  name marts.orders_by_status,
  kind FULL
);

SELECT
  o.country::TEXT AS country,
  c.name::TEXT AS country_name,
  @EACH(['paid', 'returned'], x -> SUM(CASE WHEN o.status = @x THEN o.gross ELSE 0 END)::DOUBLE AS gross_@x),
  COUNT(*)::INT AS orders
FROM staging.orders AS o
LEFT JOIN staging.countries AS c
  ON o.country = c.code
GROUP BY
  o.country,
  c.name;
