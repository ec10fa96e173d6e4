INSERT INTO mart.top_skus SELECT sku, row_number() OVER (ORDER BY margin DESC), 'n/a' FROM core.margins;
