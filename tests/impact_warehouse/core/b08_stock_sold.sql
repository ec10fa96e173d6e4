INSERT INTO core.stock (sku, sold) SELECT sku, sum(quantity) FROM stg.items GROUP BY sku;
