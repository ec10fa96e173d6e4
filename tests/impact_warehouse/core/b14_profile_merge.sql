MERGE INTO core.profile p USING (SELECT id, CASE WHEN total > 10 THEN 'big' ELSE 'small' END AS segment FROM core.customer_orders) s ON p.id = s.id WHEN MATCHED THEN UPDATE SET segment = s.segment;
