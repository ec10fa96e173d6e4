"""The witness: what a statement's words name and its lineage does not have is reported, and nothing else is."""

from __future__ import annotations

import pytest

from headwater import analyze
from headwater.analysis import dialects_of
from headwater.model.diagnostic import Code
from headwater.model.resolution import Resolution
from headwater.procedural import resolutions
from headwater.resolve import Session
from headwater.sql.dialect import dialect
from headwater.sql.mentions.due import due_names
from headwater.sql.mentions.moving import moves_nothing
from headwater.sql.script import Script
from headwater.sql.statement import Statement
from headwater.sql.tokens import tokenise


def _named(sql: str, spoken: str = "spark") -> list[str]:
    chosen = dialect(spoken)
    return [each.spelled for each in due_names(tokenise(sql, chosen), chosen)]


@pytest.mark.parametrize(
    ("sql", "spoken", "names"),
    [
        ("INSERT INTO o SELECT a FROM t JOIN s.u ON t.i = u.i", "spark", ["o", "t", "s.u"]),
        ("INSERT OVERWRITE TABLE o SELECT a FROM (SELECT * FROM t) x", "spark", ["o", "t"]),
        ("SELECT EXTRACT(year FROM d), TRIM(BOTH ' ' FROM b) FROM t WHERE a IS DISTINCT FROM c", "postgres", ["t"]),
        ("SELECT (SELECT max(a) FROM u) FROM t", "postgres", ["u", "t"]),
        ("MERGE INTO t USING s ON t.i = s.i WHEN MATCHED THEN UPDATE SET a = s.a", "spark", ["t", "s"]),
        ("SELECT a FROM t JOIN u USING (i)", "postgres", ["t", "u"]),
        ("CREATE TABLE o USING parquet AS SELECT a FROM t", "spark", ["o", "t"]),
        ("SELECT a INTO #x FROM db..t WHERE b = 1", "tsql", ["#x", "db.dbo.t"]),
        ("SELECT a INTO v FROM t FOR UPDATE", "oracle", ["T"]),
        ("INSERT INTO `my-p`.d.o SELECT a FROM my-p.d.t", "bigquery", ["my-p.d.o", "my-p.d.t"]),
        ("SELECT a FROM UNNEST(x) AS a", "bigquery", []),
        ("SELECT a FROM t, s.u x, v AS y, w WHERE t.i = u.i", "postgres", ["t", "s.u", "v", "w"]),
        ("SELECT a FROM t x, f(1) y, w", "postgres", ["t", "w"]),
        ("SELECT a FROM f(x) WITH ORDINALITY AS g (a, b), c", "postgres", ["c"]),
        (
            "SELECT a FROM (SELECT b FROM c, d) s, e, LATERAL (SELECT f FROM g) x, h",
            "postgres",
            ["e", "h", "c", "d", "g"],
        ),
        ("SELECT a FROM t, UNNEST(t.xs) AS x WITH OFFSET AS o, b", "bigquery", ["t", "b"]),
        ("SELECT a FROM t WITH (NOLOCK), OPENJSON(@x) WITH (a int) j, b", "tsql", ["t", "b"]),
        ("SELECT a FROM t USE INDEX (i), b PARTITION (p) x, c", "mysql", ["t", "b", "c"]),
        ("SELECT a FROM TABLE(f(y)) x, t SAMPLE (5), u", "oracle", ["T", "U"]),
        (
            "SELECT a FROM t TABLESAMPLE (5 ROWS) x, VALUES (1), (2) AS v, b PIVOT (sum(a) FOR k IN (1)) p, c",
            "spark",
            ["t", "b", "c"],
        ),
        ("SELECT a FROM (t CROSS JOIN u) x, (v), w", "mysql", ["t", "v", "w", "u"]),
        ("SELECT a FROM (t AS x JOIN u USING (i)), (REDUCE b, c USING 's') r", "spark", ["t", "u"]),
        ("SELECT a FROM t REDUCE a, b USING 's'", "hive", ["t"]),
        ("SELECT a FROM t LATERAL VIEW explode(x) e AS k, v", "hive", ["t"]),
        ("SELECT a FROM t ARRAY JOIN xs AS x, ys AS y", "clickhouse", ["t", "xs"]),
        ("SELECT e IS DISTINCT FROM f(x), g, substring(a FROM 2), b FROM h", "postgres", ["h"]),
        ("DELETE FROM t USING u, v JOIN w USING (i), z WHERE t.i = u.i", "postgres", ["t", "u", "v", "w", "z"]),
        ("UPDATE a, b x SET a.i = x.j", "mysql", ["a", "b"]),
        ("CREATE TABLE o AS FROM (UNPIVOT s ON a, b INTO NAME n VALUE v)", "duckdb", ["o"]),
        ("SELECT a FROM t USE INDEX FOR JOIN (i), u", "mysql", ["t"]),
        ("CREATE TABLE p PARTITION OF t FOR VALUES FROM (MINVALUE) TO (5)", "postgres", ["p"]),
        ("SELECT values FROM t", "postgres", ["t"]),
        ("SELECT a FROM t, (", "postgres", ["t"]),
        ("SELECT a FROM f(", "postgres", []),
        ("SELECT EXTRACT(year FROM d), b FROM t", "postgres", ["t"]),
        ("SELECT TRANSFORM (t.a) USING 'cat' AS (x) FROM temp t JOIN temp u", "spark", ["temp", "temp"]),
        ("SELECT a INTO TEMP x FROM t", "postgres", ["x", "t"]),
        ("UPDATE ONLY t SET a = u.a FROM u", "postgres", ["t", "u"]),
        ("INSERT INTO t SELECT a FROM s ON CONFLICT (a) DO UPDATE SET a = 1", "postgres", ["t", "s"]),
        ("SELECT NTH_VALUE(a, 2) FROM LAST OVER (ORDER BY b) FROM t", "oracle", ["T"]),
        ("SELECT x FROM a JOIN b ON a.i = b.i, c", "postgres", ["a", "b", "c"]),
        ("SELECT x FROM a CROSS JOIN b, c y NATURAL JOIN d, s.e z, f WHERE g = 1, h", "mysql", [*"abcd", "s.e", "f"]),
        ("SELECT x FROM a LEFT JOIN b ON f(a.i, (b.j), 2) IN (1, 2) AND a.k = ARRAY[1, g(2)], c", "postgres", [*"abc"]),
        ("SELECT x FROM a JOIN b ON a.i = CASE WHEN b.i IS DISTINCT FROM a.j THEN 1 END, c", "postgres", [*"abc"]),
        ("SELECT x FROM a JOIN (SELECT y FROM b JOIN c ON b.i = c.i, d) q ON q.y = a.y, e", "spark", [*"aebcd"]),
        ("SELECT x FROM a JOIN LATERAL (SELECT 1) q ON true, LATERAL f(q.y) r, (b), c", "postgres", [*"abc"]),
        ("SELECT x FROM a JOIN b ON a.i = b.i JOIN c USING (i), d GROUP BY x, e ORDER BY f, g", "spark", [*"abcd"]),
        ("SELECT x FROM a STRAIGHT_JOIN b ON a.i = b.i, c LIMIT 1, 2", "mysql", ["a", "b", "c"]),
        ("SELECT x FROM a CROSS APPLY f(a.y) g, b OUTER APPLY (SELECT 1) h, c FOR XML PATH, d", "tsql", [*"abc"]),
        ("SELECT x FROM a JOIN b WITH (NOLOCK) ON a.i = b.i, c OPTION (RECOMPILE, MAXDOP 1)", "tsql", [*"abc"]),
        ("UPDATE a JOIN b ON a.i = b.i, c SET a.x = c.x, a.y = b.y", "mysql", ["a", "b", "c"]),
        ("DELETE FROM a USING b JOIN c ON b.i = c.i, d WHERE a.i = d.i RETURNING x, y", "postgres", [*"abcd"]),
        ("UPDATE a SET x = 1, y = 2 FROM b JOIN c ON b.i = c.i, d RETURNING x, y", "postgres", ["a", "b", "c", "d"]),
        ("INSERT INTO o SELECT x FROM a JOIN b ON a.i = b.i ON DUPLICATE KEY UPDATE x = 1, y = 2", "mysql", [*"oab"]),
        ("FROM a JOIN b ON a.i = b.i INSERT OVERWRITE TABLE o SELECT x, y", "hive", ["a", "b", "o"]),
        ("SELECT x FROM a JOIN b ON a.i = b.i LATERAL VIEW explode(y) e AS k, v", "hive", ["a", "b"]),
        ("SELECT x FROM a JOIN b ON a.i = b.i ARRAY JOIN xs AS x, ys AS y", "clickhouse", ["a", "b", "xs"]),
        ("SELECT x FROM a JOIN b ON a.i = b.i UNION SELECT y, z", "spark", ["a", "b"]),
        ("FROM a JOIN b ON a.i = b.i |> EXTEND x AS y, z AS w", "bigquery", ["a", "b"]),
        ("SELECT x FROM a JOIN b ON a.i = b.i WINDOW w AS (ORDER BY x), v AS (w)", "postgres", ["a", "b"]),
        ("SELECT x FROM 'x.csv', b", "duckdb", ["b"]),
        ("SELECT x FROM 'x.csv' AS c, read_csv('y.csv') d, 'z.csv', e JOIN 'f.csv' ON true, g", "duckdb", ["e", "g"]),
        ("SELECT x FROM @s/in/a.csv (FILE_FORMAT => f) q, b JOIN @~/x ON true, @%t, c", "snowflake", ["B", "C"]),
        ("SELECT x FROM (REDUCE a, b USING 's' AS x FROM t) r", "hive", ["t"]),
        ("SELECT x FROM (FROM t SELECT y) r JOIN (FROM u) ON true", "duckdb", ["t", "u"]),
        ("SELECT (TRIM(FROM a)), (SUBSTRING((b) FROM 2)), (c IS NOT DISTINCT FROM d) FROM t", "postgres", ["t"]),
        ("APPLY CHANGES INTO o FROM s KEYS (a, b) SEQUENCE BY c COLUMNS * EXCEPT (d)", "databricks", ["o", "s"]),
    ],
)
def test_words_that_ask_for_a_table_are_told_from_others(sql: str, spoken: str, names: list[str]) -> None:
    assert _named(sql, spoken) == names


def _losing(monkeypatch: pytest.MonkeyPatch, *, tables: bool) -> None:
    """A resolver that loses the tables that a statement reads, or all it has."""

    def lost(statement: Statement, session: Session) -> list[tuple[Statement, Resolution]]:
        made = []
        for each, resolution in resolutions(statement, session):
            kept = [row for i, row in enumerate(resolution.entities) if not tables or i not in resolution.read]
            edges = resolution.edges if tables else []
            made.append((each, resolution._replace(entities=kept, edges=edges)))
        return made

    monkeypatch.setattr("headwater.witness.witness.resolutions", lost)


def test_a_table_that_the_resolver_loses_is_named_at_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.analysis import first_session
    from headwater.witness import witnessed

    _losing(monkeypatch, tables=True)
    sql = "SELECT 1; INSERT INTO o SELECT a FROM s.t"
    _, statement = Script(sql, dialects_of("spark")).statements()
    [(_, made)] = witnessed(statement, first_session(None, None, dialects_of("spark"), "static", "candidates"))
    [said] = made.diagnostics
    assert said.code is Code.MISSING_LINEAGE
    assert said.message == "the statement names s.t behind FROM, but its lineage has no such table"
    assert said.span is not None
    assert sql[said.span.start : said.span.end] == "s.t"


@pytest.mark.parametrize(
    ("sql", "spoken"),
    [
        ("SELECT b.x, lost.y FROM a JOIN b ON a.i = b.i, lost", "postgres"),
        ("SELECT b.x, lost.y FROM 'a.csv', b, lost", "duckdb"),
        ("SELECT b.x, lost.y FROM @s/in/a.csv q, b, lost", "snowflake"),
        ("SELECT x FROM b JOIN (MAP a USING 's' AS x FROM lost) r ON true", "spark"),
        ("SELECT b.x, r.y FROM b JOIN (FROM lost) r ON true", "duckdb"),
    ],
)
def test_a_table_behind_a_condition_a_literal_or_in_a_bracket_is_missed(
    monkeypatch: pytest.MonkeyPatch, sql: str, spoken: str
) -> None:
    def lost(statement: Statement, session: Session) -> list[tuple[Statement, Resolution]]:
        return [
            (each, made._replace(entities=[row for row in made.entities if row.spelled.lower() != "lost"]))
            for each, made in resolutions(statement, session)
        ]

    from headwater.analysis import first_session
    from headwater.witness import witnessed

    monkeypatch.setattr("headwater.witness.witness.resolutions", lost)
    [statement] = Script(sql, dialects_of(spoken)).statements()
    [(_, made)] = witnessed(statement, first_session(None, None, dialects_of(spoken), "static", "candidates"))
    assert [(d.code, d.subject.lower()) for d in made.diagnostics] == [(Code.MISSING_LINEAGE, "lost")]


def test_a_statement_whose_query_gives_nothing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _losing(monkeypatch, tables=False)
    [said] = analyze("INSERT INTO o SELECT a FROM t").diagnostics
    assert (said.code, said.message) == (Code.MISSING_LINEAGE, "no lineage was found in INSERT")


@pytest.mark.parametrize(
    "sql",
    [
        "EXPLAIN INSERT INTO o SELECT a FROM t",
        "GRANT SELECT ON t TO r",
        "CREATE FUNCTION f(x INT) RETURNS INT RETURN SELECT max(p) FROM prices WHERE i = x",
        "INSERT INTO t DEFAULT VALUES",
        "CREATE TABLE t (a INT, b INT)",
        "SELECT 1",
    ],
)
def test_what_moves_no_data_needs_no_lineage(sql: str) -> None:
    assert analyze(sql).diagnostics == []


@pytest.mark.parametrize(
    "sql", ["SELECT *", "CREATE TABLE o AS SELECT", "INSERT INTO o SELECT", "INSERT INTO o (a, b)"]
)
def test_a_query_without_a_source_is_named(sql: str) -> None:
    assert [d.code for d in analyze(sql).diagnostics] == [Code.MISSING_LINEAGE]


def test_each_statement_of_a_program_needs_lineage() -> None:
    sql = "BEGIN\n  INSERT INTO o SELECT a FROM t;\n  INSERT INTO u (b);\n  UPDATE v SET c = nobody.x;\nEND"
    said = analyze(sql, "tsql").diagnostics
    assert [(d.code, d.subject) for d in said] == [(Code.MISSING_LINEAGE, "INSERT"), (Code.UNRESOLVED_COLUMN, "x")]
    assert said[0].span is not None
    assert sql[said[0].span.start :].startswith("INSERT INTO u")


@pytest.mark.parametrize(
    ("sql", "spoken", "nothing"),
    [
        ("CREATE OR REPLACE FUNCTION f(x INT) RETURNS INT RETURN x", "spark", True),
        ("CREATE OR REPLACE TABLE FUNCTION d.f(x INT64) AS SELECT a FROM t", "bigquery", True),
        ("CREATE ROW ACCESS POLICY p ON t FILTER USING (a IN (SELECT b FROM u))", "bigquery", True),
        ("CREATE UNIQUE CLUSTERED INDEX ix ON t (a)", "tsql", True),
        ("REPLACE MACRO m AS (SELECT a FROM t;)", "teradata", True),
        ("CREATE TABLE o AS SELECT index, policy FROM t", "spark", False),
        ("CREATE TABLE o (function STRING, index INT) AS SELECT a, b FROM t", "spark", False),
        ("CREATE TABLE function AS SELECT a FROM t", "spark", False),
        ("CREATE TABLE function (a INT)", "spark", False),
        ("CREATE OR REPLACE TEMP VIEW macro AS SELECT a FROM t", "spark", False),
        ("REPLACE INTO o SELECT index, function FROM t", "mysql", False),
        ("INSERT INTO t () VALUES ()", "mysql", True),
        ("INSERT INTO t VALUES (), ()", "mysql", True),
        ("INSERT INTO t DEFAULT VALUES", "postgres", True),
        ("INSERT INTO t VALUES", "postgres", False),
        ("INSERT INTO t SELECT f()", "postgres", False),
    ],
)
def test_the_kind_of_object_says_whether_create_moves_data(sql: str, spoken: str, nothing: bool) -> None:
    assert moves_nothing(tokenise(sql, dialect(spoken))) is nothing


_IN_TRIGGER = """
CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN
  INSERT INTO totals (k) SELECT k FROM added;
  RETURN NULL;
END $$ LANGUAGE plpgsql;
CREATE TRIGGER tr AFTER INSERT ON s.t REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION f();
"""


def test_the_changed_rows_of_a_trigger_are_its_table() -> None:
    assert analyze(_IN_TRIGGER, "postgres").diagnostics == []


def test_changed_rows_of_a_table_that_is_lost_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.analysis import first_session
    from headwater.witness import witnessed

    _losing(monkeypatch, tables=True)
    sql = "CREATE TRIGGER tr AFTER INSERT ON t REFERENCING NEW TABLE AS n FOR EACH STATEMENT INSERT INTO o SELECT a FROM n"
    [statement] = Script(sql, dialects_of("db2")).statements()
    made = witnessed(statement, first_session(None, None, dialects_of("db2"), "static", "candidates"))
    assert [d.subject for _, resolution in made for d in resolution.diagnostics] == ["N"]
