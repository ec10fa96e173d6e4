CREATE OR REPLACE VIEW stg.tagged AS SELECT 'crm' AS source, 1 AS version, name FROM raw.customers;
