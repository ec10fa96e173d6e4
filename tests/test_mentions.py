"""What a statement may name and define, from its tokens: never less than it does.

First by example; then every statement of the cases, and a table of statements that define something, against what the resolver says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot.errors import TokenError

from case_file import Case, all_cases
from headwater.analysis import catalog_of
from headwater.model.entity import EntityKind, TableName
from headwater.model.resolution import Resolution
from headwater.order.cut import Cut, cut
from headwater.resolve import Session, resolve
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.mentions import Mentions, mentions
from headwater.sql.script import Script
from headwater.sql.source import Source
from headwater.sql.tokens import tokenise


def of(sql: str, spoken: str = "spark", default: TableName | None = None) -> Mentions:
    return mentions(tokenise(sql, dialect(spoken)), dialect(spoken), default)


@pytest.mark.parametrize(
    ("sql", "spoken", "default", "named"),
    [
        ("SELECT a FROM t", "spark", ("db",), ("db", "t")),
        ("SELECT t.a FROM S.T JOIN u", "spark", None, ("s", "t")),
        ("SELECT a FROM t, date", "spark", None, ("t",)),
        ("SELECT a FROM date", "spark", None, ("date",)),
        ('SELECT a FROM "T"."u"', "snowflake", None, ("T", "u")),
        ("SELECT a FROM t", "snowflake", ("DB", "S"), ("DB", "S", "T")),
        ("SELECT a FROM `p.d.t`", "bigquery", None, ("p", "d", "t")),
        ("SELECT a FROM #t", "tsql", ("db", "dbo"), ("#t",)),
        ("MERGE INTO s.t USING u ON t.a = u.a WHEN MATCHED THEN DELETE", "spark", None, ("s", "t")),
        ("SELECT a FROM db..t", "tsql", None, ("db", "dbo", "t")),
        ("SELECT a FROM tempdb..#t", "tsql", None, ("#t",)),
        ("SELECT a FROM my-project.d.t", "bigquery", None, ("my-project", "d", "t")),
        ("SELECT a FROM :db.t", "spark", None, (":db", "t")),
        ("SELECT a FROM TABLE('d.s.t')", "snowflake", None, ("D", "S", "T")),
        ("SELECT a FROM IDENTIFIER($t)", "snowflake", None, ("$T",)),
        ("REPLACE INTO t SELECT a FROM u", "mysql", ("db",), ("db", "u")),
        ("EXPLAIN ANALYZE INSERT INTO o SELECT a FROM t", "postgres", None, ("t",)),
        ("UNLOAD ('SELECT a FROM d.t') TO 's3://b/k'", "redshift", None, ("d", "t")),
        ("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT max(a) FROM d.t $$", "postgres", None, ("d", "t")),
    ],
)
def test_what_is_read_is_named(sql: str, spoken: str, default: TableName | None, named: TableName) -> None:
    assert named in of(sql, spoken, default).named


@pytest.mark.parametrize(
    ("sql", "defined"),
    [
        ("CREATE TABLE d.t (a int)", {("d", "t")}),
        ("CREATE OR REPLACE VIEW v AS SELECT * FROM t", {("db", "v")}),
        ("CREATE TABLE IF NOT EXISTS t AS SELECT 1", {("db", "t")}),
        ("ALTER TABLE d.t RENAME TO d.u", {("d", "t"), ("d", "u")}),
        ("INSERT INTO t SELECT * FROM u", set()),
        ("SELECT a INTO n FROM t", {("db", "n")}),
        ("CREATE TEMP VIEW v AS SELECT 1", {("db", "v"), ("v",)}),
        ("CREATE TABLE temp (a int)", {("db", "temp")}),
        ("CREATE VIEW v AS SELECT a FROM table(f(1))", {("db", "v")}),
        ("ALTER TABLE d.t RENAME COLUMN a TO b", {("d", "t")}),
        ("ALTER TABLE d.t ADD FOREIGN KEY (a, b) REFERENCES d.u (c, e)", set()),
        ("ALTER TABLE d.t ADD CONSTRAINT k FOREIGN KEY (a) REFERENCES d.u", set()),
        ("ALTER TABLE d.t ADD FOREIGN KEY (a) REFERENCES d.u, ADD b int", {("d", "t")}),
        ("ALTER TABLE d.t ADD b int, ADD FOREIGN KEY (a) REFERENCES d.u", {("d", "t")}),
        ("ALTER TABLE d.t ALTER COLUMN a TYPE int", {("d", "t")}),
        ("CACHE TABLE t", set()),
        ("DROP TABLE t", set()),
        ("CREATE PROCEDURE p() AS SELECT 1", {("db", "p")}),
        ("CREATE PACKAGE BODY etl IS END", {("db", "etl")}),
        ("CREATE TRIGGER r AFTER INSERT ON t", set()),
        ("CREATE INDEX i ON TABLE t (a)", set()),
        ("INSERT INTO t VALUES ('how to create a table')", set()),
    ],
)
def test_what_is_created_is_defined(sql: str, defined: set[TableName]) -> None:
    assert set(of(sql, default=("db",)).defined) == defined


@pytest.mark.parametrize(
    ("sql", "temporary"),
    [
        ("CREATE TABLE #t (a int)", {("#t",)}),
        ("SELECT a INTO #t FROM u", {("#t",)}),
        ("INSERT INTO ##t SELECT a FROM dbo.u", {("##t",)}),
        ("DECLARE @t TABLE (a int)", {("@t",)}),
        ("SELECT a FROM @t", {("@t",)}),
        ("SELECT a FROM dbo.t", set()),
    ],
)
def test_marks_make_temporary_tables(sql: str, temporary: set[TableName]) -> None:
    assert set(of(sql, "tsql").temporary) == temporary


@pytest.mark.parametrize(
    ("sql", "unqualified"),
    [
        ("SELECT a, b FROM d.t x JOIN d.u AS y ON x.a = y.b", False),
        ("SELECT a FROM d.t, u", True),
        ("SELECT a FROM t AS x", True),
        ("WITH t AS (SELECT a FROM t) SELECT * FROM t", True),
        ("WITH RECURSIVE c AS (SELECT a FROM d.t UNION ALL SELECT a FROM c) SELECT * FROM c", False),
        ("WITH b AS (SELECT a FROM d.t), c AS MATERIALIZED (SELECT a FROM b) SELECT * FROM b JOIN c", False),
        ("SELECT a FROM (WITH c AS (SELECT a FROM d.t) SELECT * FROM c) x JOIN c", True),
        ("SELECT a FROM d.t AS x, u", True),
        ("SELECT a FROM d.t x JOIN d.u y ON x.a = y.b, v", True),
        ("SELECT a FROM d.t x, LATERAL (SELECT b FROM d.u) y, v", True),
        ("SELECT a FROM d.t AS x, d.u AS y, UNNEST(x.c) AS z", False),
        ("SELECT a, b AS c, d FROM d.t PARTITION (p) AS x (e, f), d.u", False),
        ("SELECT a FROM t", True),
        ("CREATE TABLE d.t (a int, b string) USING parquet", False),
        ("CREATE TABLE t (a int)", True),
        ("CREATE TABLE d.t (a int REFERENCES u (b))", True),
        ("WITH c AS (SELECT a FROM d.t) SELECT * FROM c", False),
        ("WITH c AS (SELECT a FROM t) SELECT * FROM c", True),
        ("INSERT INTO d.t SELECT a FROM (SELECT a FROM u) s", True),
        ("MERGE INTO d.t USING s ON d.t.a = s.a WHEN MATCHED THEN DELETE", True),
        ("TRUNCATE TABLE d.t", True),
    ],
)
def test_whether_the_default_schema_may_matter(sql: str, unqualified: bool) -> None:
    assert of(sql).unqualified is unqualified


def test_a_table_inside_a_string_may_be_of_the_default_schema() -> None:
    assert of("CREATE FUNCTION d.f() RETURNS int AS 'SELECT max(a) FROM t'").unqualified
    assert not of("CREATE FUNCTION d.f() RETURNS int AS 'SELECT max(a) FROM d.t'").unqualified


_WORDS = re.findall(
    r"'.*?'|\S+",
    """
    CREATE OR REPLACE TEMP GLOBAL TABLE VIEW FUNCTION ALTER RENAME TO AS SWAP WITH SET SCHEMA TRANSFER EXCHANGE TABLES AND CACHE DECLARE
    EXEC SINK LINEAR_REG PARAMETERS MODEL_NAME = '' 'a b'
    sp_rename 'a.b' '"a' SELECT INTO FROM IF NOT EXISTS UNLOAD 'SELECT a FROM t' EXPLAIN COLUMN
    t d.t . .. # ## @ @x : :x ? $ $x ( ) , - a-b ;
    """,
)

_SPOKEN = ["tsql", "snowflake", "bigquery", "mysql", "risingwave", "vertica"]


@given(st.lists(st.sampled_from(_WORDS), max_size=12), st.sampled_from(_SPOKEN))
def test_any_words_have_mentions(words: list[str], spoken: str) -> None:
    try:
        tokens = tokenise(" ".join(words), dialect(spoken))
    except TokenError:
        return
    found = mentions(tokens, dialect(spoken), ("db", "s"))
    assert {*found.defined} <= {*found.named}
    assert () not in found.named


def test_commands_in_commands_end() -> None:
    assert of("EXPLAIN " * 5_000 + "SELECT 1", "postgres").defined == ()


# Against the resolver


class Said(NamedTuple):
    """What the resolver says of a stretch of a script."""

    used: frozenset[TableName]
    made: frozenset[TableName]
    """Tables and functions; what was dropped is no longer there to be read."""
    temporary: frozenset[TableName]


def said(resolutions: list[Resolution], before: Session) -> Said:
    """What the resolver says of statements; an ALTER that leaves a table as it was *before* repeats its definition, and makes nothing."""
    kinds = (EntityKind.TABLE, EntityKind.VIEW)
    rows = [r.entities[i] for r in resolutions for i in (*r.read, *r.written)]
    made = [
        (d.table, d.temporary)
        for r in resolutions
        for d in r.defines
        if not d.dropped and (d.table in r.replaced or d != before.definition(d.table))
    ]
    made += [(f.name, f.temporary) for r in resolutions for f in r.functions]
    return Said(
        frozenset(row.table for row in rows if row.table and row.kind in kinds),
        frozenset(name for name, _ in made),
        frozenset(name for name, temporary in made if temporary),
    )


def missing(said: Said, found: Mentions) -> Iterator[str]:
    """What the resolver says and the tokens do not; and what lasts, but not by the tokens."""
    yield from (f"{name} is not named" for name in said.used - {*found.named})
    yield from (f"{name} is not defined" for name in said.made - {*found.defined})
    yield from (f"{name} is temporary" for name in said.temporary - {*found.temporary})
    yield from (f"{name} is not temporary" for name in (said.made - said.temporary) & {*found.temporary})


def resolved(made: Cut, session: Session, dialects: list[Dialect]) -> tuple[list[Resolution], Session]:
    """What the statements of a stretch mean, and the session after them."""
    found = []
    for statement in Script(
        made.raw if made.readable is None else Source(made.raw, made.readable), dialects
    ).statements():
        found.append(resolve(statement, session))
        session = session.after(found[-1])
    return found, session


def lost(sql: str, names: list[str], session: Session) -> Iterator[str]:
    """What the tokens of a script's statements do not tell. A call reads what the function's body names, where that is defined."""
    inside: set[TableName] = set()
    for made in cut(sql, names, ".".join(session.default_schema or ())).cuts:
        before = session
        resolutions, session = resolved(made, before, [dialect(name) for name in names])
        if any(r.functions for r in resolutions):
            inside.update(made.mentions.named)
        told = said(resolutions, before)
        yield from (f"{each}: {made.raw}" for each in missing(told._replace(used=told.used - inside), made.mentions))


def _cases() -> list[Case]:
    """All but those about tables of other servers, which nobody here defines: their names begin with that of the connection."""
    return [case for case in all_cases() if "remote_query" not in case.id]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_nothing_of_the_cases_is_lost(part: int) -> None:
    for case in _cases()[part::4]:
        attributes = case.blocks["sql"].attributes
        names = attributes["dialect"].split(",")
        default = [dialect(names[0]).spelled_table(n) for n in attributes.get("default_schema", "").split(".") if n]
        session = Session(catalog_of(case.schema, dialect(names[0])), tuple(default) or None)
        assert [*lost(case.sql, names, session)] == [], case.id


DEFINING = [
    ("snowflake", "CREATE OR REPLACE STREAM s ON TABLE t"),
    ("snowflake", "CREATE TABLE a.c CLONE b.t"),
    ("snowflake", "CREATE OR REPLACE DYNAMIC TABLE d TARGET_LAG = '1 minute' WAREHOUSE = w AS SELECT a FROM t"),
    ("snowflake", "CREATE OR REPLACE TRANSIENT TABLE n AS SELECT a FROM t"),
    ("snowflake", "CREATE EXTERNAL TABLE e (a int AS (value:a::int)) LOCATION = @st FILE_FORMAT = (TYPE = PARQUET)"),
    ("snowflake", "ALTER TABLE a SWAP WITH b"),
    ("snowflake", "CREATE TASK k WAREHOUSE = w SCHEDULE = '5 minute' AS INSERT INTO o SELECT a FROM t"),
    ("snowflake", "CREATE TASK k AS CREATE TABLE o AS SELECT a FROM t"),
    ("postgres", "CREATE MATERIALIZED VIEW IF NOT EXISTS m AS SELECT a FROM t"),
    ("postgres", "CREATE UNLOGGED TABLE n (a int)"),
    ("postgres", "CREATE FUNCTION f(x int) RETURNS int LANGUAGE sql AS 'SELECT max(a) FROM t'"),
    ("postgres", "CREATE PROCEDURE p() LANGUAGE sql AS $$ INSERT INTO o SELECT a FROM t $$"),
    ("postgres", "SELECT a INTO UNLOGGED TABLE n FROM t"),
    ("postgres", "SELECT a INTO TEMP n FROM t"),
    ("postgres", "ALTER TABLE s.a RENAME TO b"),
    ("postgres", "ALTER TABLE s.a RENAME x TO y"),
    ("hive", "CREATE EXTERNAL TABLE IF NOT EXISTS e (a int) STORED AS PARQUET LOCATION '/x'"),
    ("hive", "CREATE TABLE n LIKE d.t"),
    ("bigquery", "CREATE SNAPSHOT TABLE d.s CLONE d.t"),
    ("bigquery", "CREATE TABLE FUNCTION d.f(x INT64) AS SELECT a FROM d.t"),
    ("bigquery", "CREATE TEMP FUNCTION f(x INT64) AS (x + 1)"),
    ("bigquery", "CREATE TEMP TABLE v AS SELECT a FROM t"),
    ("bigquery", "CREATE TABLE _SESSION.v AS SELECT a FROM d.t"),
    ("bigquery", "SELECT a FROM _SESSION.v"),
    ("mysql", "CREATE TABLE n LIKE d.t"),
    ("mysql", "CREATE TEMPORARY TABLE v SELECT a FROM t"),
    ("mysql", "CREATE ALGORITHM = MERGE DEFINER = `r`@`%` SQL SECURITY DEFINER VIEW v AS SELECT a FROM t"),
    ("mysql", "RENAME TABLE a TO b, c TO d.e"),
    ("mysql", "ALTER TABLE a RENAME b"),
    ("clickhouse", "EXCHANGE TABLES a AND b"),
    ("clickhouse", "CREATE TEMPORARY TABLE n (a Int8)"),
    ("oracle", "CREATE OR REPLACE FORCE EDITIONABLE VIEW v AS SELECT a FROM t"),
    ("oracle", "CREATE GLOBAL TEMPORARY TABLE g (a NUMBER) ON COMMIT DELETE ROWS"),
    ("oracle", "CREATE PRIVATE TEMPORARY TABLE ora$ptt_g (a NUMBER)"),
    ("teradata", "CREATE VOLATILE TABLE v AS (SELECT a FROM t) WITH DATA"),
    ("teradata", "CREATE GLOBAL TEMPORARY TABLE v (a INT)"),
    ("teradata", "REPLACE VIEW v AS SELECT a FROM t"),
    ("redshift", "CREATE TEMP TABLE v AS SELECT 1 AS a"),
    ("redshift", "CREATE LOCAL TEMPORARY TABLE v (a int)"),
    ("redshift", "CREATE TEMP TABLE stage (LIKE d.t)"),
    ("redshift", "ALTER TABLE n APPEND FROM st"),
    ("spark", "CACHE TABLE c AS SELECT a FROM t"),
    ("spark", "CACHE LAZY TABLE c OPTIONS ('storageLevel' = 'DISK_ONLY') SELECT a FROM t"),
    ("spark", "CREATE OR REPLACE TEMPORARY VIEW v AS SELECT a FROM t"),
    ("spark", "CREATE GLOBAL TEMP VIEW v AS SELECT a FROM t"),
    ("databricks", "CREATE OR REFRESH STREAMING TABLE n AS SELECT a FROM STREAM t"),
    ("databricks", "CREATE TABLE n DEEP CLONE d.t"),
    ("trino", "CREATE TABLE n (LIKE d.t INCLUDING PROPERTIES)"),
    ("sqlite", "CREATE TEMP TABLE n AS SELECT a FROM t"),
    ("duckdb", "CREATE OR REPLACE TEMP TABLE n AS FROM t"),
    ("db2", "DECLARE GLOBAL TEMPORARY TABLE session.x (a int)"),
    ("db2", "CREATE ALIAS e FOR TABLE hr.employees"),
    ("tsql", "CREATE TABLE ##t (a int)"),
    ("tsql", "SELECT a INTO #t FROM dbo.u"),
    ("tsql", "DECLARE @t AS TABLE (a int)"),
    ("tsql", "CREATE PROCEDURE p AS CREATE TABLE #x (a int)"),
    ("tsql", "EXEC sp_rename 'dbo.a', 'b'"),
    ("tsql", "ALTER SCHEMA arch TRANSFER dbo.t"),
    (
        "tsql",
        "CREATE TABLE s.o (a int); ALTER TABLE s.o ADD CONSTRAINT k FOREIGN KEY (a) REFERENCES s.c (a) NOT ENFORCED",
    ),
    ("materialize", "CREATE SINK s.k IN CLUSTER c FROM v INTO KAFKA CONNECTION k (TOPIC 't') FORMAT JSON"),
    ("materialize", "ALTER SINK IF EXISTS k SET FROM v"),
    ("risingwave", "CREATE SINK k AS SELECT a FROM t WITH (connector = 'kafka')"),
    ("risingwave", "CREATE SINK k INTO o FROM t"),
    ("risingwave", "CREATE SUBSCRIPTION IF NOT EXISTS b FROM v WITH (retention = '1D')"),
    ("risingwave", "ALTER SOURCE s.a RENAME TO b"),
    ("risingwave", "ALTER SINK a RENAME TO b"),
    ("risingwave", "ALTER SOURCE a SWAP WITH b"),
    ("greenplum", "CREATE TABLE n AS SELECT a FROM gp_dist_random('s.t')"),
    ("duckdb", "CREATE TABLE n AS SELECT a FROM query_table('t')"),
    ("vertica", "ALTER TABLE s.t, s.u, s.x RENAME TO x, t, u"),
    ("vertica", "SELECT COPY_TABLE('s.a', 'b')"),
    ("vertica", "SELECT SWAP_PARTITIONS_BETWEEN_TABLES('s.a', 1, 2, 'b')"),
    ("vertica", "SELECT rf_classifier('s.m', 'houses', 'price', 'size' USING PARAMETERS ntree = 10)"),
    ("vertica", "SELECT LINEAR_REG('my model', '\"s\".\"my houses\"', 'price', 'size')"),
    ("vertica", "SELECT PREDICT_LINEAR_REG(a USING PARAMETERS match_by_pos = true, model_name = 's.m') FROM t"),
]


@pytest.mark.parametrize(("spoken", "sql"), DEFINING)
@pytest.mark.parametrize("default", ["", "db"])
def test_statements_that_define(spoken: str, sql: str, default: str) -> None:
    schema = (dialect(spoken).spelled_table(default),) if default else None
    assert [*lost(sql, [spoken], Session(default_schema=schema))] == []
