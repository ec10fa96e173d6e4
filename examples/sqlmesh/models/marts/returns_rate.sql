MODEL (
  name marts.returns_rate,
  kind VIEW
);

SELECT
  @GENERATE_SURROGATE_KEY(country, country_name)::TEXT AS country_key,
  country_name::TEXT AS country_name,
  @SAFE_DIV(gross_returned, gross_paid)::DOUBLE AS returns_rate
FROM marts.orders_by_status
@WHERE(TRUE) orders > 0;
