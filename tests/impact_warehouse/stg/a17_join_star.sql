CREATE OR REPLACE VIEW stg.priced AS SELECT * FROM raw.items JOIN raw.products USING (sku);
