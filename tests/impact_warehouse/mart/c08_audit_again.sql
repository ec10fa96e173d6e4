INSERT INTO mart.audit SELECT 'version', max(version) FROM stg.tagged;
