"""Texts that once broke something, as the fuzzer shrank them: none may raise, fail inside, or leave an output without a reason."""

from __future__ import annotations

import pytest

import headwater
from headwater.export.json_format import to_json
from headwater.model.diagnostic import Code
from validator import violations

FOUND = [
    ("ansi", "INSERT OVERWRITE DIRECTORY'1995-09-01'"),
    ("hive", "FROM t INSERT OVERWRITE DIRECTORY '/a' SELECT a INSERT OVERWRITE TABLE u SELECT b"),
    ("clickhouse", "SELECT COLUMNS APPLY("),
    ("postgres", "UNPIVOT COLUMNS(*)INTO"),
    ("spark", "alter table t2 rename SELECT"),
    ("clickhouse", "CREATE TABLE t((()),c AS(SELECT),c AS  b)"),
    ("duckdb", "CREATE VIEW made AS SELECT->"),
    ("duckdb", 'CREATE VIEW"test_view"("a"()"tbl""b")AS SELECT'),
    ("hive", "CREATE TABLE o AS SELECT MAP(2"),
    ("postgres", "COPY(SELECT)(())TO("),
    ("snowflake", "CREATE VIEW o()AS SELECT(OBJECT_CONSTRUCT('alias_x1'"),
    ("spark", "CREATE TABLE o AS FROM t|>UNION SELECT)"),
    ("bigquery", "SELECT * FROM `p.d.INFORMATION_SCHEMA.JOBS` AS j"),
    ("bigquery", "FROM x.y.`information_schema.tables`"),
    ("bigquery", "SELECT STRUCT<STRING>((SELECT 'foo')).*"),
    ("bigquery", "DELETE(SELECT)"),
    ("bigquery", "DELETE FROM FROM((a))"),
    ("clickhouse", "INSERT INTO FUNCTION remote('h', db.t) VALUES (1, 'x')"),
    ("clickhouse", "SELECT((()?()))"),
    ("databricks", "FROM x INSERT((CAST))"),
    ("duckdb", 'TABLE"a"..."b""c"'),
    ("duckdb", "SELECT(NULL ISNULL)"),
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
