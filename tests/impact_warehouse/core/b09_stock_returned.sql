UPDATE core.stock SET returned = r.returned FROM stg.returns r WHERE r.sku = core.stock.sku;
