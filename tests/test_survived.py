"""Texts that once broke something, as the fuzzer shrank them: none may raise, fail inside, or leave an output without a reason."""

from __future__ import annotations

import pytest

import headwater
from headwater.export.json_format import to_json
from headwater.model.diagnostic import Code
from validator import violations

FOUND = [
    ("spark", "SELECT " + "{% for x in [1] %}" * 2_000 + "a, " + "{% endfor %}" * 2_000 + "b FROM t"),
    (
        "snowflake",
        "CREATE PROCEDURE p() RETURNS STRING LANGUAGE JAVASCRIPT AS $$ var s = snowflake.execute({sqlText: q, binds: [a }); $$",
    ),
    (
        "snowflake",
        "MERGE INTO o USING (SELECT a -> 'b' ->> 'c' AS AS d FROM t) AS s ON o.a = s.a WHEN MATCHED THEN UPDATE SET a = s.a",
    ),
    ("tsql", "CREATE PIPE p AS\nCOPY INTO t(,)"),
    ("tsql", "COPY INTO t (,) FROM 'x'"),
    ("druid", "INSERT INTO EXTERN"),
    ("exasol", "IMPORT INTO t (a, b) FROM"),
    ("exasol", "CREATE TABLE o AS IMPORT FROM"),
    ("exasol", "SELECT JSON_EXTRACT(doc, '$.a', '$.b') EMITS ("),
    ("flink", "SELECT a FROM greet(input => TABLE t PARTITION BY"),
    ("risingwave", "SELECT array_transform(arr, |x|"),
    ("postgres", "SELECT XMLPI(NAME"),
    ("exasol", "EXPORT"),
    ("athena", "COPY(INSERT a)({{}])TO\nCOPY"),
    ("spark", "CREATE VIEW orders()USING"),
    ("postgres", "CREATE TYPE pair AS()"),
    ("teradata", ".(ON"),
    ("teradata", "SELECT * FROM f(ON t ON"),
    ("postgres", "CREATE TYPE addr AS([]);CREATE TABLE c(a addr)"),
    ("bigquery", "TABLESAMPLE("),
    ("postgres", "WITH c AS (SELECT 1) SEARCH DEPTH FIRST BY ASC SET x SELECT 1"),
    ("ansi", "WITH a(SELECT)UPDATE a SET'n%'"),
    ("duckdb", "CREATE TABLE ELSE(VARCHAR)"),
    ("tsql", "MERGE t dbo.s{}s ON t.id=s.id\nWHEN THEN UPDATE"),
    ("tsql", "WITH w AS (CREATE TABLE t (a int) WITH(SYSTEM_VERSIONING=ON( OFF))) SELECT * FROM w"),
    ("spark", "CREATE TABLE t (a int) WITH(DATA_DELETION=ON(a, b))"),
    ("spark", "SELECT * FROM t WITH(SYSTEM_VERSIONING(x"),
    ("spark", "FROM..``PIVOT(max(qty)FOR month IN())"),
    ("clickhouse", "INSERT FUNCTION(SELECT([]))"),
    ("clickhouse", "WITH w AS(WITH)SELECT"),
    ("clickhouse", "WITH w AS(CREATE)SELECT"),
    ("duckdb", "(SELECT(:BINDING))"),
    ("tsql", "CREATE TABLE t (a int) WITH(SYSTEM_VERSIONING=ON(benchmark_history], DATA_CONSISTENCY_CHECK=ON))"),
    ("tsql", "ALTER TABLE t SET(SYSTEM_VERSIONING=ON(history])"),
    ("spark", "INSERT DIRECTORY''SELECT a"),
    ("bigquery", "FROM pivot JOIN..foo"),
    ("snowflake", "ALTER TABLE t_new SWAP"),
    ("ansi", "INSERT OVERWRITE DIRECTORY'1995-09-01'"),
    ("bigquery", "CREATE VIEW o()AS SELECT DATETIME_ADD("),
    ("bigquery", "DELETE FROM FROM((a))"),
    ("bigquery", "DELETE(SELECT)"),
    ("bigquery", "EXPORT DATA(uri'CSV')AS"),
    ("bigquery", "FROM x.y.`information_schema.tables`"),
    ("bigquery", "SELECT * FROM `p.d.INFORMATION_SCHEMA.JOBS` AS j"),
    ("bigquery", "SELECT STRUCT<STRING>((SELECT 'foo')).*"),
    ("clickhouse", "CREATE TABLE t((()),c AS(SELECT),c AS  b)"),
    ("clickhouse", "INSERT INTO FUNCTION remote('h', db.t) VALUES (1, 'x')"),
    ("clickhouse", "SELECT COLUMNS APPLY("),
    ("clickhouse", "SELECT((()?()))"),
    ("databricks", "FROM x INSERT((CAST))"),
    ("duckdb", "ALTER TABLE t RENAME COLUMN nm TO()"),
    ("duckdb", "CREATE TABLE made AS SELECT->"),
    ("duckdb", "CREATE VIEW made AS SELECT->"),
    ("duckdb", "SELECT(NULL ISNULL)"),
    ("duckdb", 'CREATE VIEW"test_view"("a"()"tbl""b")AS SELECT'),
    ("duckdb", 'TABLE"a"..."b""c"'),
    ("hive", "CREATE TABLE o AS SELECT MAP(2"),
    ("hive", "FROM t INSERT OVERWRITE DIRECTORY '/a' SELECT a INSERT OVERWRITE TABLE u SELECT b"),
    ("hive", "INSERT OVERWRITE DIRECTORY'/tmp/x'"),
    ("hive", 'ALTER TABLE tbl ADD PARTITION()LOCATION""'),
    ("mysql", "INSERT(b)VALUES()ON DUPLICATE KEY UPDATE 1"),
    ("oracle", "SELECT INTO v, w"),
    ("oracle", "SELECT a, b BULK COLLECT INTO v, w FROM t"),
    ("postgres", "COPY(SELECT)(())TO("),
    ("postgres", "FROM ROWS FROM((INT))WITH ORDINALITY"),
    ("postgres", "SELECT LIST[]"),
    ("postgres", "SELECT()"),
    ("postgres", "UNPIVOT COLUMNS(*)INTO"),
    ("postgres", "VALUES(())"),
    ("postgres", "\\"),
    ("oracle", "FROM t MATCH_RECOGNIZE(PARTITION BY ORDER BY s PATTERN(STRT)DEFINE UP AS(),'2023-01-01T00:00:00')"),
    ("postgres", "WITH search_graph(depth)(sg.link)CYCLE id FROM  search_graph"),
    ("redshift", "ALTER TABLE sales APPEND FROM  ELSE"),
    ("redshift", "FROM..t"),
    ("redshift", "SELECT*x"),
    ("snowflake", "CREATE TABLE o AS TABLE[OBJECT_CONSTRUCT(OBJECT_CONSTRUCT"),
    ("snowflake", "CREATE VIEW o()AS SELECT(OBJECT_CONSTRUCT('alias_x1'"),
    ("snowflake", "MERGE USING s.id WHEN UPDATE SET status"),
    ("snowflake", "SELECT PERCENTILE_CONT(0.25)WITHIN GROUP()"),
    ("snowflake", "SELECT*EXCEPT(b{})FROM x"),
    ("spark", "CREATE TABLE o AS FROM t|>UNION SELECT)"),
    ("spark", "FROM c INSERT('home')SELECT INSERT a PARTITION(k='o')SELECT UNION FROM c INSERT a PARTITION(k='h')"),
    ("databricks", "COPY INTO v FROM (CREATE TABLE t (/))"),
    ("postgres", "CREATE TABLE o AS SET"),
    (
        "postgres",
        "CREATE FUNCTION f() RETURNS trigger AS $$INSERT END$$ LANGUAGE plpgsql\nCREATE TRIGGER AFTER ON '' EXECUTE FUNCTION f",
    ),
    ("spark", "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE * WHEN NOT MATCHED THEN INSERT *"),
    ("spark", "UPDATE o SET a=()"),
    ("spark", "alter table t2 rename SELECT"),
    ("trino", "FROM?UNION ALL SELECT"),
    ("tsql", "CREATE OR REPLACE VIEW v(?b)"),
    ("tsql", "SELECT * FROM a..b"),
]


@pytest.mark.parametrize(("dialect", "sql"), FOUND)
def test_is_survived(dialect: str, sql: str) -> None:
    lineage = headwater.analyze(sql, dialect, timeout=10)
    assert [d.message for d in lineage.diagnostics if d.code in (Code.INTERNAL_ERROR, Code.TIMEOUT)] == []
    assert to_json(lineage, "complete")
    for statement in lineage.statements:
        assert violations(statement) == []
