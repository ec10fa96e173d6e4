MERGE INTO shop.stock AS t
USING (SELECT sku, sum(qty) AS qty FROM shop.deliveries GROUP BY sku) AS s
   ON t.sku = s.sku
WHEN MATCHED AND t.locked = false THEN UPDATE SET on_hand = t.on_hand + s.qty
WHEN NOT MATCHED THEN INSERT (sku, on_hand) VALUES (s.sku, s.qty);
