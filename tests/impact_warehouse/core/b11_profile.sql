INSERT INTO core.profile (id, score) SELECT id, score FROM raw.customers;
