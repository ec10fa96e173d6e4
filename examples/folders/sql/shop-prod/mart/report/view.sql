CREATE OR REPLACE VIEW
  `shop-prod.mart.report`
AS
SELECT
  * EXCEPT (name)
FROM
  `shop-prod.mart.customer_value`
