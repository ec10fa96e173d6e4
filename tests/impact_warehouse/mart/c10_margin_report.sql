CREATE OR REPLACE VIEW mart.margin_report AS SELECT m.sku, t.title, m.margin FROM core.margins m JOIN mart.top_skus t ON t.sku = m.sku;
