"""Statements with one fingerprint have one lineage.

First a table of pairs that share an analysis or do not; then the property itself: literals of real scripts are changed at random, and
where the fingerprint stays, so must everything that is said of the statement.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import headwater
from case_file import Case, all_cases
from case_runner import complete_lines
from headwater.catalog.source import read_catalog
from headwater.sql import fingerprint as package
from headwater.sql.dialect import dialect as dialect_of
from headwater.sql.fingerprint import LITERAL, fingerprint
from headwater.sql.source import source
from headwater.sql.split import pieces
from sql_generator import SCHEMA
from test_properties import Written, spelled, written

pytestmark = pytest.mark.slow

FOLDER = str(Path(package.__file__ or "").parent)
CORPORA = Path(__file__).parent.parent.parent / "shared" / "corpora"


def fingerprints(sql: str, dialect: str) -> list[str]:
    """The fingerprints of a script's statements."""
    known = dialect_of(dialect)
    return [fingerprint(p.tokens, p.text.raw) for p in pieces(source(sql, known), known)]


# 1. Pairs

SHARED = [
    # Operands of comparisons
    ("spark", "SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = 2"),
    ("spark", "SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = 'x'"),
    ("spark", "SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = -1.5e3"),
    ("spark", "SELECT a FROM t WHERE 1 = b", "SELECT a FROM t WHERE 2 = b"),
    ("spark", "SELECT a FROM t WHERE 1 = 1 AND b > 3", "SELECT a FROM t WHERE 0 = 1 AND b > 4"),
    ("spark", "SELECT a FROM t WHERE b <> 'x' OR c <= 2", "SELECT a FROM t WHERE b <> 'yy' OR c <= 20"),
    ("spark", 'SELECT a FROM t WHERE b = "x"', 'SELECT a FROM t WHERE b = "y"'),
    ("mysql", "SELECT a FROM t WHERE b <=> NULL", "SELECT a FROM t WHERE b <=> 3"),
    ("postgres", "SELECT a FROM t WHERE b LIKE 'x%'", "SELECT a FROM t WHERE b LIKE '%y'"),
    ("postgres", "SELECT a FROM t WHERE b NOT ILIKE 'x'", "SELECT a FROM t WHERE b NOT ILIKE 'y'"),
    ("postgres", "SELECT a FROM t WHERE b LIKE 'x!%' ESCAPE '!'", "SELECT a FROM t WHERE b LIKE 'y' ESCAPE '!'"),
    ("hive", "SELECT a FROM t WHERE b RLIKE 'x+'", "SELECT a FROM t WHERE b RLIKE 'y'"),
    ("duckdb", "SELECT a FROM t WHERE b GLOB 'x*'", "SELECT a FROM t WHERE b GLOB 'y'"),
    (
        "oracle",
        "SELECT a FROM t WHERE b BETWEEN 1 AND 5 AND c = 1",
        "SELECT a FROM t WHERE b BETWEEN 2 AND 6 AND c = 0",
    ),
    ("oracle", "SELECT a FROM t WHERE b BETWEEN c AND 5", "SELECT a FROM t WHERE b BETWEEN c AND 6"),
    ("oracle", "SELECT a FROM t WHERE b NOT BETWEEN 1 AND c + 2", "SELECT a FROM t WHERE b NOT BETWEEN 7 AND c + 2"),
    (
        "oracle",
        "SELECT a FROM t, u WHERE t.i = u.i (+) AND u.k (+) = 1",
        "SELECT a FROM t, u WHERE t.i = u.i (+) AND u.k (+) = 2",
    ),
    ("oracle", "SELECT a FROM t WHERE ROWNUM <= 10", "SELECT a FROM t WHERE ROWNUM <= 20"),
    (
        "bigquery",
        "SELECT a FROM `p.d.t_*` WHERE _TABLE_SUFFIX = '1'",
        "SELECT a FROM `p.d.t_*` WHERE _TABLE_SUFFIX = '2'",
    ),
    ("snowflake", "SELECT a FROM t WHERE v:a.b = 'x'", "SELECT a FROM t WHERE v:a.b = 'y'"),
    ("snowflake", "SELECT a FROM t WHERE v['k'] = 1", "SELECT a FROM t WHERE v['k'] = 2"),
    ("postgres", "SELECT a FROM t WHERE j ->> 'k' = 'x'", "SELECT a FROM t WHERE j ->> 'k' = 'y'"),
    ("postgres", "SELECT a FROM t WHERE (b + c) * 2 > 7", "SELECT a FROM t WHERE (b + c) * 2 > 8"),
    (
        "postgres",
        "SELECT a FROM t WHERE NOT (b = 1 OR (c = 2 AND d = 3))",
        "SELECT a FROM t WHERE NOT (b = 4 OR (c = 5 AND d = 6))",
    ),
    ("postgres", "SELECT a FROM t WHERE upper(b) = 'X' AND c = 1", "SELECT a FROM t WHERE upper(b) = 'Y' AND c = 2"),
    ("tsql", "SELECT a FROM t WHERE b = N'x' AND c = 0x1F", "SELECT a FROM t WHERE b = N'y' AND c = 0x2F"),
    ("tsql", "SELECT a FROM t WHERE @p = 1 AND [b c] = 2", "SELECT a FROM t WHERE @p = 3 AND [b c] = 4"),
    # Every clause that only decides over rows
    ("spark", "SELECT t.a FROM t JOIN u ON t.i = u.i AND u.k = 1", "SELECT t.a FROM t JOIN u ON t.i = u.i AND u.k = 2"),
    (
        "spark",
        "SELECT t.a FROM t LEFT JOIN u ON u.k = 1 LEFT JOIN v ON v.k = 2",
        "SELECT t.a FROM t LEFT JOIN u ON u.k = 3 LEFT JOIN v ON v.k = 4",
    ),
    (
        "spark",
        "SELECT t.a FROM t JOIN (u JOIN v ON u.i = 1) ON t.i = u.i",
        "SELECT t.a FROM t JOIN (u JOIN v ON u.i = 2) ON t.i = u.i",
    ),
    (
        "spark",
        "SELECT a, sum(b) FROM t GROUP BY a HAVING sum(b) > 10",
        "SELECT a, sum(b) FROM t GROUP BY a HAVING sum(b) > 11",
    ),
    (
        "snowflake",
        "SELECT a FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY c) = 1",
        "SELECT a FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY c) = 2",
    ),
    ("spark", "SELECT a FROM (SELECT a FROM t WHERE b = 1) s", "SELECT a FROM (SELECT a FROM t WHERE b = 2) s"),
    (
        "spark",
        "WITH c AS (SELECT a FROM t WHERE b = 1) SELECT a FROM c",
        "WITH c AS (SELECT a FROM t WHERE b = 2) SELECT a FROM c",
    ),
    (
        "postgres",
        "WITH c AS MATERIALIZED (SELECT a FROM t WHERE b = 1) SELECT a FROM c",
        "WITH c AS MATERIALIZED (SELECT a FROM t WHERE b = 2) SELECT a FROM c",
    ),
    (
        "spark",
        "SELECT a FROM t WHERE b IN (SELECT b FROM u WHERE k = 1)",
        "SELECT a FROM t WHERE b IN (SELECT b FROM u WHERE k = 2)",
    ),
    (
        "spark",
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = 1)",
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = 2)",
    ),
    (
        "spark",
        "SELECT a FROM t WHERE b = (SELECT max(b) FROM u WHERE k = 1)",
        "SELECT a FROM t WHERE b = (SELECT max(b) FROM u WHERE k = 2)",
    ),
    (
        "spark",
        "SELECT a FROM t WHERE b = 1 UNION ALL SELECT a FROM u WHERE c = 2",
        "SELECT a FROM t WHERE b = 3 UNION ALL SELECT a FROM u WHERE c = 4",
    ),
    (
        "spark",
        "(SELECT a FROM t WHERE b = 1) EXCEPT (SELECT a FROM u WHERE c = 2)",
        "(SELECT a FROM t WHERE b = 3) EXCEPT (SELECT a FROM u WHERE c = 4)",
    ),
    ("bigquery", "SELECT * EXCEPT (x) FROM t WHERE b = 1", "SELECT * EXCEPT (x) FROM t WHERE b = 2"),
    ("bigquery", "FROM t |> WHERE b = 1 |> SELECT a |> LIMIT 5", "FROM t |> WHERE b = 2 |> SELECT a |> LIMIT 6"),
    ("duckdb", "FROM t SELECT a WHERE b = 1", "FROM t SELECT a WHERE b = 2"),
    (
        "tsql",
        "SELECT a FROM t CROSS APPLY (SELECT c FROM u WHERE u.k = 1) x",
        "SELECT a FROM t CROSS APPLY (SELECT c FROM u WHERE u.k = 2) x",
    ),
    # Lists
    ("spark", "SELECT a FROM t WHERE b IN (1, 2, 3)", "SELECT a FROM t WHERE b IN (4)"),
    (
        "spark",
        "SELECT a FROM t WHERE b NOT IN ('x', NULL) AND c = 1",
        "SELECT a FROM t WHERE b NOT IN ('y', 'z', -1) AND c = 2",
    ),
    ("clickhouse", "SELECT a FROM t WHERE b IN(1,2) AND c=1", "SELECT a FROM t WHERE b IN (1) AND c = 3"),
    # Numbers of rows
    ("spark", "SELECT a FROM t ORDER BY b LIMIT 10", "SELECT a FROM t ORDER BY b LIMIT 20"),
    ("mysql", "SELECT a FROM t LIMIT 5, 10", "SELECT a FROM t LIMIT 6, 20"),
    ("postgres", "SELECT a FROM t LIMIT 5 OFFSET 10", "SELECT a FROM t LIMIT 6 OFFSET 11"),
    ("db2", "SELECT a FROM t ORDER BY b FETCH FIRST 5 ROWS ONLY", "SELECT a FROM t ORDER BY b FETCH FIRST 6 ROWS ONLY"),
    (
        "tsql",
        "SELECT a FROM t ORDER BY b OFFSET 5 ROWS FETCH NEXT 10 ROWS ONLY",
        "SELECT a FROM t ORDER BY b OFFSET 6 ROWS FETCH NEXT 11 ROWS ONLY",
    ),
    ("tsql", "SELECT TOP 10 a FROM t ORDER BY b", "SELECT TOP 20 a FROM t ORDER BY b"),
    ("teradata", "SELECT TOP 10 a FROM t ORDER BY b", "SELECT TOP 20 a FROM t ORDER BY b"),
    ("tsql", "SELECT DISTINCT TOP (10) a FROM t", "SELECT DISTINCT TOP (20) a FROM t"),
    # Rows
    ("postgres", "INSERT INTO t VALUES (1, 'x')", "INSERT INTO t VALUES (2, 'y')"),
    ("postgres", "INSERT INTO t (a, b) VALUES (1, 'x')", "INSERT INTO t (a, b) VALUES (2, 'y'), (3, NULL), (-4, TRUE)"),
    (
        "mysql",
        "INSERT INTO t (a, b) VALUES (1, now()), (2, now())",
        "INSERT INTO t (a, b) VALUES (3, now()), (4, now())",
    ),
    ("postgres", "INSERT INTO t (a) VALUES (1) RETURNING id", "INSERT INTO t (a) VALUES (2) RETURNING id"),
    ("sqlite", "INSERT OR IGNORE INTO t VALUES (1)", "INSERT OR IGNORE INTO t VALUES (2), (3)"),
    ("teradata", "REPLACE VIEW v AS SELECT a FROM t WHERE b = 1", "REPLACE VIEW v AS SELECT a FROM t WHERE b = 2"),
    # All statements that hold queries and conditions
    ("spark", "INSERT INTO o SELECT a FROM t WHERE b = 1", "INSERT INTO o SELECT a FROM t WHERE b = 2"),
    ("spark", "CREATE TABLE o AS SELECT a FROM t WHERE b = 1", "CREATE TABLE o AS SELECT a FROM t WHERE b = 2"),
    (
        "oracle",
        "CREATE OR REPLACE FORCE VIEW o AS SELECT a FROM t WHERE b = 1",
        "CREATE OR REPLACE FORCE VIEW o AS SELECT a FROM t WHERE b = 2",
    ),
    (
        "redshift",
        "CREATE TEMP TABLE o AS (SELECT a FROM t WHERE b = 1)",
        "CREATE TEMP TABLE o AS (SELECT a FROM t WHERE b = 2)",
    ),
    ("trino", "DELETE FROM t WHERE a = 1", "DELETE FROM t WHERE a = 2"),
    (
        "postgres",
        "DELETE FROM t USING u WHERE t.i = u.i AND u.k IN (1, 2)",
        "DELETE FROM t USING u WHERE t.i = u.i AND u.k IN (3)",
    ),
    (
        "tsql",
        "UPDATE t SET a = u.a FROM t JOIN u ON t.i = u.i AND u.k = 1 WHERE t.b = 2",
        "UPDATE t SET a = u.a FROM t JOIN u ON t.i = u.i AND u.k = 3 WHERE t.b = 4",
    ),
    (
        "mysql",
        "UPDATE t JOIN u ON u.k = 1 SET t.a = u.a WHERE t.b = 2",
        "UPDATE t JOIN u ON u.k = 3 SET t.a = u.a WHERE t.b = 4",
    ),
    (
        "snowflake",
        "MERGE INTO t USING s ON t.i = s.i AND s.k = 1 WHEN MATCHED THEN DELETE",
        "MERGE INTO t USING s ON t.i = s.i AND s.k = 2 WHEN MATCHED THEN DELETE",
    ),
    (
        "bigquery",
        "MERGE t USING (SELECT i FROM s WHERE k = 1) s ON t.i = s.i WHEN MATCHED THEN DELETE",
        "MERGE t USING (SELECT i FROM s WHERE k = 2) s ON t.i = s.i WHEN MATCHED THEN DELETE",
    ),
    (
        "hive",
        "INSERT OVERWRITE TABLE o PARTITION (d = '1') SELECT a FROM t WHERE b = 1",
        "INSERT OVERWRITE TABLE o PARTITION (d = '1') SELECT a FROM t WHERE b = 2",
    ),
    # Layout and case between the parts of a query
    ("spark", "SELECT a, b FROM t WHERE c = 1", "select  a ,b\n  from t -- all of it\nwhere c=1"),
    (
        "spark",
        "SELECT a AS x FROM t JOIN u ON t.i = u.i GROUP BY a",
        "select a  as x from t /* c */ join u on t.i=u.i group  by a",
    ),
    ("spark", "INSERT INTO o SELECT a FROM t", "insert into  o\nselect a from t"),
    ("postgres", "SELECT a FROM t WHERE b = 'it''s'", "SELECT a FROM t WHERE b = ''"),
]

APART = [
    # Not the same text
    ("spark", "SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE c = 1"),
    ("spark", "SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = c"),
    ("spark", "SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b <> 1"),
    ("spark", "SELECT a FROM t WHERE b = 1", "SELECT A FROM t WHERE b = 1"),
    ("duckdb", 'SELECT a FROM t WHERE "b" = 1', "SELECT a FROM t WHERE 'b' = 1"),
    ("postgres", 'SELECT "a" FROM t', "SELECT a FROM t"),
    ("spark", "SELECT a+b AS x FROM t", "SELECT a + b AS x FROM t"),
    ("spark", "SELECT sum(a) FROM t", "SELECT SUM(a) FROM t"),
    ("spark", "SELECT a FROM t WHERE b = ?", "SELECT a FROM t WHERE b = 1"),
    ("spark", "SELECT a FROM t WHERE b = :x", "SELECT a FROM t WHERE b = 1"),
    ("spark", "SELECT a FROM t WHERE b = ${x}", "SELECT a FROM t WHERE b = ${y}"),
    ("spark", "SELECT a FROM t WHERE b = ${x}", "SELECT a FROM t WHERE b = 1"),
    ("spark", "SELECT a FROM t WHERE b = '${x}'", "SELECT a FROM t WHERE b = '${y}'"),
    ("spark", f"SELECT a FROM t WHERE b = {LITERAL}", "SELECT a FROM t WHERE b = 1"),
    (
        "spark",
        "SELECT a FROM t WHERE {% if x %} b = 1 {% endif %}",
        "SELECT a FROM t WHERE {% if y %} b = 1 {% endif %}",
    ),
    # A select list
    ("spark", "SELECT 1 FROM t", "SELECT 2 FROM t"),
    ("spark", "SELECT a = 1 FROM t", "SELECT a = 2 FROM t"),
    ("tsql", "SELECT x = 1 FROM t", "SELECT x = 2 FROM t"),
    ("spark", "SELECT a IN (1, 2) AS x FROM t", "SELECT a IN (1) AS x FROM t"),
    ("spark", "SELECT CASE WHEN a = 1 THEN b END FROM t", "SELECT CASE WHEN a = 2 THEN b END FROM t"),
    ("spark", "SELECT count(*) FILTER (WHERE a = 1) FROM t", "SELECT count(*) FILTER (WHERE a = 2) FROM t"),
    ("spark", "SELECT (SELECT max(a) FROM t WHERE b = 1) AS x", "SELECT (SELECT max(a) FROM t WHERE b = 2) AS x"),
    ("spark", "SELECT v['k'] FROM t", "SELECT v['l'] FROM t"),
    ("spark", "SELECT lag(a, 1) OVER (ORDER BY b) FROM t", "SELECT lag(a, 2) OVER (ORDER BY b) FROM t"),
    ("duckdb", "SELECT COLUMNS('a.*') FROM t", "SELECT COLUMNS('b.*') FROM t"),
    ("snowflake", "SELECT * ILIKE 'a%' FROM t", "SELECT * ILIKE 'b%' FROM t"),
    ("spark", "SELECT a AS limit, 5 FROM t", "SELECT a AS limit, 6 FROM t"),
    # Positions and groups
    ("spark", "SELECT a, b FROM t ORDER BY 1 LIMIT 5", "SELECT a, b FROM t ORDER BY 2 LIMIT 5"),
    ("spark", "SELECT a, sum(b) FROM t GROUP BY 1", "SELECT a, sum(b) FROM t GROUP BY 2"),
    ("spark", "SELECT sum(b) FROM t GROUP BY a = 1", "SELECT sum(b) FROM t GROUP BY a = 2"),
    ("snowflake", "SELECT t.$1 FROM t WHERE $1 = 1", "SELECT t.$1 FROM t WHERE $2 = 1"),
    # What stands in FROM
    ("spark", "SELECT * FROM t PIVOT (sum(a) FOR b IN (1, 2))", "SELECT * FROM t PIVOT (sum(a) FOR b IN (1, 3))"),
    (
        "duckdb",
        "SELECT * FROM (PIVOT t ON b IN (1, 2) USING sum(a))",
        "SELECT * FROM (PIVOT t ON b IN (1, 3) USING sum(a))",
    ),
    ("spark", "SELECT * FROM range(1)", "SELECT * FROM range(2)"),
    ("duckdb", "SELECT * FROM 'a.csv'", "SELECT * FROM 'b.csv'"),
    ("duckdb", "SELECT * FROM read_csv('a.csv')", "SELECT * FROM read_csv('b.csv')"),
    ("postgres", "SELECT * FROM (VALUES (1, 2)) AS v (a, b)", "SELECT * FROM (VALUES (1, 3)) AS v (a, b)"),
    ("snowflake", "SELECT a FROM t AT (OFFSET => -60)", "SELECT a FROM t AT (OFFSET => -90)"),
    ("databricks", "SELECT a FROM t VERSION AS OF 1", "SELECT a FROM t VERSION AS OF 2"),
    ("clickhouse", "SELECT a FROM s3('u', 'k', 's')", "SELECT a FROM s3('v', 'k', 's')"),
    # Literals that are only part of an operand
    ("spark", "SELECT a FROM t WHERE b = 1 + c", "SELECT a FROM t WHERE b = 2 + c"),
    ("spark", "SELECT a FROM t WHERE c + 1 = b", "SELECT a FROM t WHERE c + 2 = b"),
    ("spark", "SELECT a FROM t WHERE f(1) = b", "SELECT a FROM t WHERE f(2) = b"),
    ("spark", "SELECT a FROM t WHERE f(b = 1)", "SELECT a FROM t WHERE f(b = 2)"),
    (
        "spark",
        "SELECT a FROM t WHERE exists(b, x -> x > 0 AND x < 5)",
        "SELECT a FROM t WHERE exists(b, x -> x > 0 AND x < 6)",
    ),
    (
        "spark",
        "SELECT a FROM t WHERE f((SELECT 1 FROM u WHERE k = 1)) = b",
        "SELECT a FROM t WHERE f((SELECT 1 FROM u WHERE k = 2)) = b",
    ),
    ("snowflake", "SELECT a FROM t WHERE v['k'] = 1", "SELECT a FROM t WHERE v['l'] = 1"),
    ("postgres", "SELECT a FROM t WHERE j -> 'k' = 'x'", "SELECT a FROM t WHERE j -> 'l' = 'x'"),
    ("postgres", "SELECT a FROM t WHERE b = '1'::int", "SELECT a FROM t WHERE b = '2'::int"),
    ("spark", "SELECT a FROM t WHERE b = DATE '2020-01-01'", "SELECT a FROM t WHERE b = DATE '2020-01-02'"),
    ("spark", "SELECT a FROM t WHERE b > c - INTERVAL 1 DAY", "SELECT a FROM t WHERE b > c - INTERVAL 2 DAY"),
    (
        "spark",
        "SELECT a FROM t WHERE CASE WHEN b = 1 THEN c = 1 END",
        "SELECT a FROM t WHERE CASE WHEN b = 2 THEN c = 1 END",
    ),
    ("spark", "SELECT a FROM t WHERE b IN (1, c)", "SELECT a FROM t WHERE b IN (2, c)"),
    ("postgres", "SELECT a FROM t WHERE b IS DISTINCT FROM 1", "SELECT a FROM t WHERE b IS DISTINCT FROM 2"),
    ("postgres", "SELECT a FROM t WHERE b LIKE 'x' ESCAPE '!'", "SELECT a FROM t WHERE b LIKE 'x' ESCAPE '?'"),
    ("mysql", "SELECT a FROM t WHERE b = 'x' 'y'", "SELECT a FROM t WHERE b = 'x' 'z'"),
    ("hive", "SELECT a FROM t WHERE b = 10L", "SELECT a FROM t WHERE b = 10S"),
    # Other clauses and statements
    (
        "oracle",
        "SELECT a FROM t CONNECT BY PRIOR a = b AND LEVEL <= 5",
        "SELECT a FROM t CONNECT BY PRIOR a = b AND LEVEL <= 6",
    ),
    (
        "clickhouse",
        "SELECT a FROM t WHERE b = c SETTINGS max_threads = 8",
        "SELECT a FROM t WHERE b = c SETTINGS max_threads = 9",
    ),
    ("clickhouse", "SELECT a FROM t LIMIT 1 BY b", "SELECT a FROM t LIMIT 2 BY b"),
    ("teradata", "SELECT a FROM t SAMPLE 10", "SELECT a FROM t SAMPLE 20"),
    ("spark", "UPDATE t SET a = 1", "UPDATE t SET a = 2"),
    (
        "mysql",
        "INSERT INTO t SELECT a FROM u ON DUPLICATE KEY UPDATE a = 1",
        "INSERT INTO t SELECT a FROM u ON DUPLICATE KEY UPDATE a = 2",
    ),
    (
        "mysql",
        "INSERT INTO t SELECT a FROM u WHERE b > c ON DUPLICATE KEY UPDATE a = 1",
        "INSERT INTO t SELECT a FROM u WHERE b > c ON DUPLICATE KEY UPDATE a = 2",
    ),
    (
        "postgres",
        "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1",
        "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 2",
    ),
    (
        "postgres",
        "INSERT INTO t VALUES (1) ON CONFLICT (a) DO NOTHING",
        "INSERT INTO t VALUES (2) ON CONFLICT (a) DO NOTHING",
    ),
    (
        "mysql",
        "INSERT INTO t SET a = (SELECT x FROM s WHERE k = 1)",
        "INSERT INTO t SET a = (SELECT x FROM s WHERE k = 2)",
    ),
    (
        "postgres",
        "INSERT INTO t VALUES (1), ((SELECT max(a) FROM u))",
        "INSERT INTO t VALUES (2), ((SELECT max(a) FROM u))",
    ),
    ("postgres", "INSERT INTO t VALUES (1) RETURNING a = 1", "INSERT INTO t VALUES (1) RETURNING a = 2"),
    ("postgres", "INSERT INTO t VALUES (1, 2)", "INSERT INTO t VALUES (1, 2, 3)"),
    ("postgres", "INSERT INTO t VALUES (1, DEFAULT)", "INSERT INTO t VALUES (1, 2)"),
    ("postgres", "INSERT INTO t VALUES (f(1))", "INSERT INTO t VALUES (f(2))"),
    ("oracle", "INSERT ALL INTO t VALUES (a, 1) SELECT a FROM u", "INSERT ALL INTO t VALUES (a, 2) SELECT a FROM u"),
    (
        "hive",
        "INSERT OVERWRITE TABLE o PARTITION (d = '1') SELECT a FROM t",
        "INSERT OVERWRITE TABLE o PARTITION (d = '2') SELECT a FROM t",
    ),
    (
        "snowflake",
        "MERGE INTO t USING s ON t.i = s.i WHEN MATCHED THEN UPDATE SET a = 1",
        "MERGE INTO t USING s ON t.i = s.i WHEN MATCHED THEN UPDATE SET a = 2",
    ),
    (
        "snowflake",
        "COPY INTO t FROM 's3://a/' FILE_FORMAT = (TYPE = CSV)",
        "COPY INTO t FROM 's3://b/' FILE_FORMAT = (TYPE = CSV)",
    ),
    ("spark", "CREATE TABLE t (a INT) LOCATION '/a'", "CREATE TABLE t (a INT) LOCATION '/b'"),
    (
        "clickhouse",
        "CREATE TABLE t (a Int8, d Date) ENGINE = MergeTree ORDER BY a TTL d + INTERVAL 1 DAY DELETE WHERE a = 1",
        "CREATE TABLE t (a Int8, d Date) ENGINE = MergeTree ORDER BY a TTL d + INTERVAL 1 DAY DELETE WHERE a = 2",
    ),
    (
        "bigquery",
        "CREATE TABLE FUNCTION f(x INT64) AS SELECT a FROM t WHERE b = 1",
        "CREATE TABLE FUNCTION f(x INT64) AS SELECT a FROM t WHERE b = 2",
    ),
    (
        "postgres",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 2'",
    ),
    ("postgres", "SET x = 1", "SET x = 2"),
    ("mysql", "REPLACE INTO t SELECT 'x', a FROM u", "REPLACE INTO s SELECT 'x', b FROM u"),
    ("spark", "CALL p('a')", "CALL p('b')"),
    ("postgres", "EXPLAIN SELECT 'x' FROM s.u", "EXPLAIN SELECT 'x' FROM u"),
    ("postgres", "SELECT a FROM t WHERE (b = 1", "SELECT a FROM t WHERE (b = 2"),
    ("postgres", "SELECT a FROM t WHERE b = 1)", "SELECT a FROM t WHERE b = 2)"),
]


@pytest.mark.parametrize(("dialect", "one", "other"), SHARED)
def test_these_share_an_analysis(dialect: str, one: str, other: str) -> None:
    assert fingerprints(one, dialect) == fingerprints(other, dialect)
    assert said(one, dialect) == said(other, dialect)


@pytest.mark.parametrize(("dialect", "one", "other"), APART)
def test_these_do_not(dialect: str, one: str, other: str) -> None:
    assert fingerprints(one, dialect) != fingerprints(other, dialect)


def test_what_it_looks_like() -> None:
    sql = "select a, f(1)\nfrom t -- all\nwhere b in (1, 2) and c=3; insert into t values (1, 'x'), (2, 'y')"
    query, insert = fingerprints(sql, "spark")
    assert query == f"SELECT a , f(1) FROM t WHERE b IN ( {LITERAL} ) AND c = {LITERAL}"
    assert insert == f"INSERT INTO t VALUES ({LITERAL}, {LITERAL})"


def test_no_tokens() -> None:
    assert fingerprint([], "") == ""


# 2. The property


def said(sql: str, dialect: str, schema: Any = None, default_schema: str | None = None) -> list[Any]:
    """Everything that is said of a script's statements, apart from places, hashes and inserted constants."""
    lineage = headwater.analyze(sql, dialect, schema=schema, default_schema=default_schema)
    edges = [(*e[:8], e.process.type) for e in lineage.column_edges(rows="node")]
    outputs = [s.outputs for s in lineage.statements]
    steps = {line for line in complete_lines(lineage) if "literal(" not in line and "variable." not in line}
    return [edges, outputs, steps, [d.code for d in lineage.diagnostics]]


_NUMBERS = ("0", "1", "2", "3", "17", "2.5", "1e3", "-4", "99999999999")
_STRINGS = ("''", "'a'", "'b c'", "'2020-01-01'", "'%x_'", "'it''s'", "'$.a.b'", "'1'")
_OTHERS = ("NULL", "TRUE", "'x', 'y'", "1, 2, 3", "x", "1), (2", "(1)", "DATE '2020-01-01'", "1 + 1", "DEFAULT")
"""Changes that a fingerprint should rarely survive: the property is about those that it does."""


_MOST = 40
"""Literals that are tried in one script."""


def literals(sql: str, dialect: str) -> list[tuple[int, int]]:
    """Where the literals of a script stand."""
    known = dialect_of(dialect)
    tokens = [t for p in pieces(source(sql, known), known) for t in p.tokens]
    kinds = ("NUMBER", "STRING", "NATIONAL_STRING", "NULL", "TRUE", "FALSE")
    return sorted({(t.start, t.end + 1) for t in tokens if t.token_type.name in kinds})


def changed(sql: str, places: list[tuple[int, int]], new: list[str]) -> str:
    """A script with other literals at some places."""
    parts = []
    end = 0
    for (start, stop), literal in zip(places, new, strict=True):
        parts += [sql[end:start], literal]
        end = stop
    return "".join([*parts, sql[end:]])


def variants(sql: str, dialect: str, choose: random.Random, count: int = 2) -> Iterator[str]:
    """Other scripts with the same fingerprints: of some literals, all that can be changed are."""
    usual = fingerprints(sql, dialect)
    places = literals(sql, dialect)
    for _ in range(count):
        free: dict[tuple[int, int], str] = {}
        for place in sorted(choose.sample(places, min(len(places), _MOST))):
            new = choose.choice(choose.choice((_NUMBERS, _STRINGS, _OTHERS)))
            if fingerprints(changed(sql, [place], [new]), dialect) == usual:
                free[place] = new
        other = changed(sql, [*free], [*free.values()])
        if other != sql and fingerprints(other, dialect) == usual:
            yield other


def check(sql: str, dialect: str, choose: random.Random, schema: Any = None, default_schema: str | None = None) -> int:
    """The property for one script; how many variants it was shown on."""
    found = list(variants(sql, dialect, choose))
    expected = said(sql, dialect, schema, default_schema) if found else []
    for other in found:
        assert said(other, dialect, schema, default_schema) == expected, f"{dialect}\n{sql}\n{other}"
    return len(found)


def _cases() -> list[Case]:
    return [c for c in all_cases() if "sql" in c.blocks and len(c.sql) < 20_000]


@pytest.mark.parametrize("part", range(8))
def test_literals_of_the_cases(part: int) -> None:
    shown = 0
    for i, case in enumerate(_cases()[part::8]):
        attributes = case.blocks["sql"].attributes
        dialect = attributes["dialect"].split(",")[0]
        shown += check(case.sql, dialect, random.Random(i), case.schema, attributes.get("default_schema"))
    assert shown > 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "dialect"),
    [
        ("tpcds", "spark"),
        ("tpch", "spark"),
        ("ssb", "spark"),
        ("mimic-iv/concepts", "bigquery"),
        ("mimic-iv/concepts_postgres", "postgres"),
    ],
)
def test_literals_of_the_corpora(folder: str, dialect: str) -> None:
    if not (CORPORA / folder).is_dir():
        pytest.skip("../shared/corpora is not there")
    schema = CORPORA / f"{folder}.schema.json"
    catalog = read_catalog(schema, dialect_of(dialect)) if schema.exists() else None
    choose = random.Random(folder)
    scripts = [p.read_text(encoding="utf-8") for p in sorted((CORPORA / folder).rglob("*.sql"))]
    shown = sum(check(sql, dialect, choose, catalog) for sql in scripts)
    assert shown > len(scripts) / 4


@given(written(), st.integers(0, 2**16))
def test_literals_of_random_queries(given_: Written, seed: int) -> None:
    statement, dialect = given_
    check(spelled(statement, dialect), dialect, random.Random(seed), SCHEMA)


_OPERANDS = st.sampled_from(
    ["a", "t.b", "u.c", "1", "'x'", "-2", "f(a, 1)", "(b)", "a + 1", "v['k']", "NULL", "CAST(a AS INT)"]
)
_TESTS = st.one_of(
    st.tuples(_OPERANDS, st.sampled_from(["=", "<>", "<", ">=", "LIKE", "NOT LIKE"]), _OPERANDS).map(" ".join),
    st.tuples(_OPERANDS, st.sampled_from(["IN", "NOT IN"]), st.lists(_OPERANDS, min_size=1, max_size=3)).map(
        lambda parts: f"{parts[0]} {parts[1]} ({', '.join(parts[2])})"
    ),
    st.tuples(_OPERANDS, _OPERANDS, _OPERANDS).map(lambda parts: f"{parts[0]} BETWEEN {parts[1]} AND {parts[2]}"),
    st.sampled_from(["a IS NULL", "EXISTS (SELECT 1 FROM w WHERE w.x = 1)", "b = (SELECT max(x) FROM w WHERE x < 3)"]),
)
_CONDITIONS = st.recursive(
    _TESTS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(" ".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"NOT {text}"),
        inner.map(lambda text: f"CASE WHEN {text} THEN a END = 1"),
        inner.map(lambda text: f"f({text}) = 'y'"),
    ),
    max_leaves=5,
)


@given(_CONDITIONS, _CONDITIONS, _CONDITIONS, st.integers(0, 2**16))
def test_literals_of_random_conditions(on: str, where: str, having: str, seed: int) -> None:
    sql = f"INSERT INTO o SELECT f(a, 1) AS x, max({where}) AS y FROM t JOIN u ON {on} WHERE {where} GROUP BY a HAVING {having} LIMIT 3"
    check(sql, "spark", random.Random(seed))


@given(_CONDITIONS, st.integers(0, 2**16))
def test_layout_where_the_fingerprint_does_not_see_it(where: str, seed: int) -> None:
    choose = random.Random(seed)
    sql = f"SELECT f( a , 1 ) AS x , b FROM t JOIN u ON t.i = u.i WHERE {where} ORDER BY 1 LIMIT 3"
    other = "".join(choose.choice((" ", " ", "\n", " /* c */ ")) if c == " " else c for c in sql)
    if fingerprints(sql, "spark") == fingerprints(other, "spark"):
        assert spaced(said(sql, "spark")) == spaced(said(other, "spark"))


def spaced(what: object) -> str:
    """What is said, but for the layout of the expressions in it."""
    return "".join(re.sub(r"/\*.*?\*/|\\n|\s", "", repr(what)))


# 3. Cost


def steps(sql: str, dialect: str) -> int:
    """How many lines of the package a fingerprint takes."""
    known = dialect_of(dialect)
    (piece,) = pieces(source(sql, known), known)
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(FOLDER):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        fingerprint(piece.tokens, piece.text.raw)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    ("head", "each", "between", "tail"),
    [
        ("INSERT INTO t VALUES ", "(1, 'x')", ", ", ""),
        ("INSERT INTO t VALUES ", "(1, f(2))", ", ", ""),
        ("SELECT a FROM t WHERE ", "a = 1", " OR ", ""),
        ("SELECT a FROM t WHERE ", "f(a) = 1", " + ", ""),
        ("SELECT a FROM t WHERE a IN (", "1", ", ", ")"),
        ("SELECT a FROM t WHERE a IN (", "b", ", ", ")"),
        ("SELECT a FROM t WHERE a = ", "1", " + ", ""),
        ("SELECT a FROM t WHERE a ", "", "= 1", " AND 1"),
        ("SELECT a FROM t WHERE ", "(a", " = ", ""),
    ],
)
def test_cost_grows_with_the_statement(head: str, each: str, between: str, tail: str) -> None:
    few, many = (steps(head + between.join([each] * n) + tail, "postgres") for n in (500, 5_000))
    assert many < 10.5 * few


def test_cost_of_nested_conditions() -> None:
    few, many = (steps(f"SELECT a FROM t WHERE {'(' * n}a{' = 1)' * n}", "postgres") for n in (100, 1_000))
    assert many < 10.5 * few


def test_twenty_thousand_rows_are_one() -> None:
    rows = ", ".join(f"({i}, 'name {i}', NULL)" for i in range(20_000))
    assert fingerprints(f"INSERT INTO t VALUES {rows}", "postgres") == fingerprints(
        "INSERT INTO t VALUES (1, '', 2)", "postgres"
    )


def test_five_thousand_alternatives_are_all_seen() -> None:
    (found,) = fingerprints("SELECT a FROM t WHERE " + " OR ".join(f"a = {i}" for i in range(5_000)), "postgres")
    assert found.count(LITERAL) == 5_000
