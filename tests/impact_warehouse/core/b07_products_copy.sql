INSERT INTO core.copy_of_products SELECT * FROM raw.products;
