CREATE OR REPLACE VIEW core.vat AS SELECT c.id, k.vat FROM raw.customers c JOIN stg.countries k ON k.code = c.country;
