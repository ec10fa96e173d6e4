"""Splitting: where statements begin and end, that offsets are those of the script, and what it costs."""

from __future__ import annotations

import sys
from itertools import pairwise
from types import FrameType

import pytest

import headwater
from headwater.sql.dialect import dialect
from headwater.sql.script import Script

SCRIPTS = {
    "psql": ("postgres", "\\set x 1\nSELECT :'x' AS v, a FROM t \\gset\n\\copy t FROM 'f'\nSELECT b FROM :\"s\".t;"),
    "psql inside a statement": ("postgres", "SELECT a,\n\\echo it's\nb FROM t;"),
    "sqlplus": ("oracle", "PROMPT don't\nSELECT &x AS v, a FROM &s..t_&d\n/\nSELECT b FROM t;"),
    "bteq": ("teradata", ".LOGON a/b,c\nSELECT a FROM t;\n.QUIT"),
    "delimiter": ("mysql", "DELIMITER $$\nSELECT a FROM t$$\nSELECT b FROM t;$$\nDELIMITER ;\nSELECT c FROM t\\G"),
    "sqlcmd": ("tsql", ":setvar x 1\nPRINT 'a'\nSELECT $(x) AS v FROM $(d).s.t\nGO 2\nPRINT 'b' SELECT b FROM t"),
    "jinja": (
        "spark",
        "{% set x = 1 %}\nSELECT {{ x }} AS v, '{{ f('q') }}' AS w FROM {{ source('a', 'b') }} WHERE c = 1;",
    ),
    "branches": ("spark", "SELECT a FROM {% if x %} t {% else %} u{{ n }} {% endif %} WHERE b = '{{ d }}';\nSELECT 1"),
    "damaged": ("spark", "SELECT ${a} AS x FROM t_${b};\nSELECT 'open FROM t;\nSELECT c FROM ${d}.t;"),
}


@pytest.mark.parametrize(("name", "sql"), SCRIPTS.values(), ids=SCRIPTS)
def test_tokens_made_anew_have_the_spelling_of_the_script(name: str, sql: str) -> None:
    for statement in Script(sql, [dialect(name)]).statements():
        if statement.tree is None:
            continue
        tokens = statement.tokens()
        assert tokens[0].start == 0
        assert tokens[-1].end + 1 <= statement.span.end - statement.span.start
        assert all(a.end < b.start for a, b in pairwise(tokens))


@pytest.mark.parametrize(("name", "sql"), SCRIPTS.values(), ids=SCRIPTS)
def test_places_are_places_in_the_script(name: str, sql: str) -> None:
    """An expression's text is what stands at its place."""
    for statement in headwater.analyze(sql, dialect=name).statements:
        resolution = statement.resolution
        span = resolution.process.span
        assert sql[span.start : span.end].strip() == sql[span.start : span.end]
        for _, _, _, place in resolution.edges:
            expression = resolution.expression(place)
            if expression.span is not None:
                assert span.start <= expression.span.start < expression.span.end <= span.end


def texts(sql: str, name: str) -> list[str]:
    return [s.sql for s in Script(sql, [dialect(name)]).statements()]


def test_a_file_is_told_at_its_name() -> None:
    sql = "SELECT 1;\n\\i a/b.sql\n"
    (remark,) = headwater.analyze(sql, dialect="postgres").diagnostics
    assert remark.span is not None
    assert sql[remark.span.start : remark.span.end] == "a/b.sql"
    assert remark.message == "a/b.sql is included here and is not analysed with this script"


def test_commands_are_no_statements() -> None:
    assert texts(".LOGON a/b,c\n.QUIT", "teradata") == []
    assert texts("SET ECHO ON\nEXIT", "oracle") == []
    assert texts("\\q", "postgres") == []


T_SQL = {
    "CREATE TABLE c (id int REFERENCES k (id) ON DELETE SET NULL ON UPDATE CASCADE) SELECT 1": 2,
    "SELECT a FROM t INNER MERGE JOIN u ON t.a = u.a SELECT 2": 2,
    "SELECT a FROM t OPTION (MERGE JOIN, MAXDOP 1) DELETE FROM t": 2,
    "BULK INSERT t FROM 'x' INSERT INTO t SELECT 1": 2,
    "ALTER DATABASE d SET RECOVERY SIMPLE SELECT 1": 2,
    "ALTER TABLE t DROP CONSTRAINT IF EXISTS c DROP TABLE t": 2,
    "INSERT INTO t DEFAULT VALUES SELECT 1": 2,
    "INSERT INTO t OUTPUT inserted.id INTO @x SELECT 1 SELECT 2": 2,
    "SELECT a AS [select], b.[update] FROM t": 1,
    "SELECT 1 WITH XMLNAMESPACES ('u' AS n) SELECT 2": 2,
    "SELECT a FROM OPENJSON(@j) WITH (a int) SELECT 2": 2,
    "UPDATE STATISTICS t SET @x = 1": 2,
    "MERGE t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET a = 1 WHEN NOT MATCHED BY SOURCE THEN DELETE; SELECT 1": 2,
    "GRANT EXECUTE ON p TO u EXECUTE p": 2,
    "RETURN SELECT 1": 2,
    "SELECT 1 COMMIT": 2,
}


@pytest.mark.parametrize(("sql", "count"), T_SQL.items(), ids=T_SQL)
def test_statements_without_semicolons(sql: str, count: int) -> None:
    assert len(texts(sql, "tsql")) == count


def test_a_trigger_takes_its_batch() -> None:
    sql = "CREATE TRIGGER tr ON t AFTER INSERT, UPDATE AS\nIF UPDATE(a)\nINSERT INTO log SELECT a FROM inserted;\nSELECT 1\nGO\nSELECT 2"
    assert len(texts(sql, "tsql")) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("tsql", "INSERT INTO o SELECT a FROM t\nUPDATE o SET a = 1\n"),
        ("tsql", "SELECT ((\n"),
        ("oracle", "PROMPT x\nSELECT a FROM t\n/\n"),
        ("mysql", "DELIMITER //\nSELECT a FROM t//\nDELIMITER ;\n"),
        ("spark", "INSERT INTO o SELECT a FROM {% if x %} t {% else %} u {% endif %};\n"),
        ("spark", "{% if x %}"),
        ("postgres", "\\echo x\n'"),
        ("oracle", "CREATE PROCEDURE p IS PROCEDURE q;\n"),
        ("mysql", "\nsource x\n\\'/*"),
        ("postgres", "\n\\i x\n$a$ /* $b$"),
        ("spark", "{{ a {% b {# c"),
        ("teradata", ".LOGON x\n"),
    ],
)
def test_cost_grows_with_length(name: str, unit: str) -> None:
    """Ten times the script is not a hundred times the work, counted in calls."""
    short, long = _calls(unit * 100, name), _calls(unit * 1000, name)
    assert long < 15 * short


def _calls(sql: str, name: str) -> int:
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        list(Script(sql, [dialect(name)]).statements())
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize(
    "name", ["postgres", "oracle", "teradata", "mysql", "tsql", "sqlite", "snowflake", "hive", "databricks"]
)
@pytest.mark.parametrize(
    "sql",
    [
        *(
            "\\",
            "\\copy",
            "@",
            "&",
            "&.",
            "/",
            ".",
            ".import",
            "DELIMITER",
            "DELIMITER x",
            "GO",
            "GO GO",
            ":",
            ":r",
            "!",
        ),
        *(
            "source",
            "BEGIN",
            "END",
            "END END",
            "CREATE PROCEDURE",
            "CREATE PACKAGE BODY",
            "DECLARE",
            "IF",
            "ELSE",
            "PRINT",
        ),
        *("{{", "{{ }}", "{%", "{% if %}", "{% endif %}", "{% else %}{% endif %}", "{{ ref() }}", "{{ source('a') }}"),
        *("${", "$(", "#{}", "%(", "%s", "\ue000", "-- COMMAND ---"),
    ],
)
def test_scraps_of_commands_do_no_harm(name: str, sql: str) -> None:
    lineage = headwater.analyze(f"{sql}\n; SELECT a FROM t;\n{sql}", dialect=name)
    assert not [d for d in lineage.diagnostics if d.code == "internal-error"]


@pytest.mark.parametrize("before", ["", "\n  ", "-- why\n"])
def test_a_statement_in_hives_words_begins_at_its_first_word(before: str) -> None:
    sql = "SHOW COLUMNS IN d.logs"
    assert [s.sql for s in Script(before + sql, [dialect("athena")]).statements()] == [sql]


def test_athenas_statements_are_cut_where_their_own_engines_quotes_end() -> None:
    sql = """SELECT ';\\' AS a; CREATE TABLE t (a int) COMMENT ';\\';'; -- it's; done
SELECT ";" FROM `t` /* ; */ ; SHOW TABLES"""
    starts = [s.sql.split()[0] for s in Script(sql, [dialect("athena")]).statements()]
    assert starts == ["SELECT", "CREATE", "SELECT", "SHOW"]
