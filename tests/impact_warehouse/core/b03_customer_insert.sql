INSERT INTO core.customer (id, name, email, country, loaded) SELECT id, name, email, country, created FROM stg.customers;
