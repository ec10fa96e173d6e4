"""Texts that once broke something, as the fuzzer shrank them: none may raise, fail inside, or leave an output without a reason."""

from __future__ import annotations

import pytest

import headwater
from headwater.export.json_format import to_json
from headwater.model.diagnostic import Code
from validator import violations

FOUND = [
    ("bigquery", "SELECT * FROM `p.d.INFORMATION_SCHEMA.JOBS` AS j"),
    ("bigquery", "FROM x.y.`information_schema.tables`"),
    ("bigquery", "SELECT STRUCT<STRING>((SELECT 'foo')).*"),
    ("bigquery", "CREATE VIEW o()AS SELECT DATETIME_ADD("),
    ("bigquery", "DELETE(SELECT)"),
    ("bigquery", "DELETE FROM FROM((a))"),
    ("bigquery", "EXPORT DATA(uri'CSV')AS"),
    ("clickhouse", "INSERT INTO FUNCTION remote('h', db.t) VALUES (1, 'x')"),
    ("clickhouse", "SELECT((()?()))"),
    ("databricks", "FROM x INSERT((CAST))"),
    ("duckdb", 'TABLE"a"..."b""c"'),
    ("duckdb", "ALTER TABLE t RENAME COLUMN nm TO()"),
    ("duckdb", "CREATE TABLE made AS SELECT->"),
    ("duckdb", "SELECT(NULL ISNULL)"),
    ("hive", 'ALTER TABLE tbl ADD PARTITION()LOCATION""'),
    ("hive", "INSERT OVERWRITE DIRECTORY'/tmp/x'"),
    ("mysql", "INSERT(b)VALUES()ON DUPLICATE KEY UPDATE 1"),
    ("oracle", "SELECT a, b BULK COLLECT INTO v, w FROM t"),
    ("oracle", "SELECT INTO v, w"),
    ("postgres", "FROM ROWS FROM((INT))WITH ORDINALITY"),
    ("postgres", "SELECT LIST[]"),
    ("postgres", "SELECT()"),
    ("postgres", "VALUES(())"),
    ("postgres", "\\"),
    ("redshift", "SELECT*x"),
    ("redshift", "FROM..t"),
    ("snowflake", "CREATE TABLE o AS TABLE[OBJECT_CONSTRUCT(OBJECT_CONSTRUCT"),
    ("snowflake", "MERGE USING s.id WHEN UPDATE SET status"),
    ("snowflake", "SELECT*EXCEPT(b{})FROM x"),
    ("spark", "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE * WHEN NOT MATCHED THEN INSERT *"),
    ("spark", "UPDATE o SET a=()"),
    ("spark", "FROM c INSERT('home')SELECT INSERT a PARTITION(k='o')SELECT UNION FROM c INSERT a PARTITION(k='h')"),
    ("trino", "FROM?UNION ALL SELECT"),
    ("tsql", "CREATE OR REPLACE VIEW v(?b)"),
    ("tsql", "SELECT * FROM a..b"),
]


@pytest.mark.parametrize(("dialect", "sql"), FOUND)
def test_is_survived(dialect: str, sql: str) -> None:
    lineage = headwater.analyze(sql, dialect)
    assert [d.message for d in lineage.diagnostics if d.code is Code.INTERNAL_ERROR] == []
    assert to_json(lineage, "complete")
    for statement in lineage.statements:
        assert violations(statement) == []
