INSERT INTO core.customer (id, source) SELECT id, 'web' FROM raw.events WHERE kind = 'signup';
