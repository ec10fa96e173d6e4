UPDATE mart.top_skus SET title = p.title FROM stg.products_up p WHERE p.sku = mart.top_skus.sku;
