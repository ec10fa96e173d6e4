UPDATE core.profile SET region = k.region FROM raw.customers c, stg.countries k WHERE c.id = core.profile.id AND k.code = c.country;
