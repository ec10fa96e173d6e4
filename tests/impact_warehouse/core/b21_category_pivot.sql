CREATE OR REPLACE VIEW core.by_category AS SELECT p.category, sum(i.net) AS net FROM stg.items i JOIN raw.products p ON p.sku = i.sku GROUP BY p.category HAVING max(p.weight) > 0;
