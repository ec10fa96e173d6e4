INSERT INTO mart.audit SELECT 'orders', count(*) FROM stg.orders;
