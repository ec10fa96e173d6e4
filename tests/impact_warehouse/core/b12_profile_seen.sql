UPDATE core.profile SET last_seen = (SELECT max(seen_at) FROM stg.events e WHERE e.customer_id = core.profile.id);
