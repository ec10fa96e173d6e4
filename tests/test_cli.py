"""The command: what it prints, in which form, and how it ends. Exit codes: 0 clean, 1 findings, 2 could not run."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from command import Run, line_with, write
from headwater import __version__

COMMAND = Path(sys.executable).with_name("headwater")


def edges(output: str) -> set[str]:
    """Column edges of a JSON document, `target <- source`."""
    return {f"{_name(e['target'])} <- {_name(e['source'])}" for e in json.loads(output)["edges"]}


def _name(ref: Mapping[str, Any]) -> str:
    return ".".join(part for part in (ref["table"], ref["column"]) if part)


def rows(output: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(output)))


SALES = """\
CREATE TABLE mart.sales AS
SELECT upper(o.name) AS label,
       o.amount
FROM raw.orders o
WHERE o.status = 'ok'
"""


# Text


def test_text_shows_target_sources_how_and_place(run: Run, folder: Path) -> None:
    write("sales.sql", SALES)
    code, out, err = run("analyze", "sales.sql")
    assert (code, err) == (0, "")
    assert "sales.sql:1:1" in line_with(out, "Create Table")
    assert "sales.sql:2:8" in line_with(out, "mart.sales.label", "upper(o.name)")
    assert "sales.sql:3:8" in line_with(out, "mart.sales.amount", "o.amount")
    assert "transformation" in line_with(out, "raw.orders.name")
    assert "identity" in line_with(out, "raw.orders.amount")
    assert "where" in line_with(out, "raw.orders.status")


def test_text_puts_sources_below_their_target(run: Run, folder: Path) -> None:
    write("sales.sql", SALES)
    lines = run("analyze", "sales.sql").out.splitlines()
    place = {part: next(i for i, line in enumerate(lines) if part in line) for part in ("sales.label", "orders.name")}
    assert place["orders.name"] == place["sales.label"] + 1


def test_text_says_that_a_column_is_constant(run: Run, folder: Path) -> None:
    write("k.sql", "INSERT INTO o SELECT 'crm' AS origin FROM t")
    assert "constant 'crm'" in line_with(run("analyze", "k.sql").out, "o.origin")


def test_text_points_at_the_first_line_of_an_expression(run: Run, folder: Path) -> None:
    write("c.sql", "SELECT a,\n  CASE\n    WHEN b > 0 THEN c\n  END AS x,\n  (d\n   + e) AS y\nFROM t")
    out = run("analyze", "c.sql").out
    assert "c.sql:2:3" in line_with(out, "  x = ")
    assert "c.sql:5:3" in line_with(out, "  y = ")


def test_text_has_no_colour_codes_when_piped(run: Run, folder: Path) -> None:
    write("sales.sql", SALES)
    assert "\x1b" not in run("analyze", "sales.sql").out


def test_text_shows_every_statement(run: Run, folder: Path) -> None:
    write("two.sql", "INSERT INTO o SELECT a FROM t;\n\nSELECT b FROM u")
    out = run("analyze", "two.sql").out
    assert "two.sql:1:1" in line_with(out, "Insert o")
    assert "two.sql:3:1" in line_with(out, "Select")


def test_a_repeated_statement_is_not_left_out_of_the_text(run: Run, folder: Path) -> None:
    """The same text is one process with two occurrences: its relations are shown, at least once, with their place."""
    write("twice.sql", "INSERT INTO o SELECT a FROM t;\nINSERT INTO o SELECT a FROM t")
    out = run("analyze", "twice.sql").out
    assert "twice.sql:1:1" in out
    assert "t.a" in out


# Formats and levels


def test_json(run: Run, folder: Path) -> None:
    write("sales.sql", SALES)
    code, out, _ = run("analyze", "sales.sql", "--format", "json")
    assert code == 0
    body = json.loads(out)
    assert (body["format"], body["level"], body["file"]) == ("headwater", "column", "sales.sql")
    assert edges(out) == {
        "mart.sales.label <- raw.orders.name",
        "mart.sales.amount <- raw.orders.amount",
        "mart.sales.PseudoRows <- raw.orders.status",
        "mart.sales.PseudoRows <- raw.orders.PseudoRows",
    }


def test_csv(run: Run, folder: Path) -> None:
    write("sales.sql", SALES)
    code, out, _ = run("analyze", "sales.sql", "--format", "csv")
    assert code == 0
    assert rows(out) == [
        {
            "source_table": "raw.orders",
            "source_column": column,
            "expression": expression,
            "target_column": target,
            "target_table": "mart.sales",
            "file": "sales.sql",
        }
        for column, expression, target in [("name", "upper(o.name)", "label"), ("amount", "o.amount", "amount")]
    ]


def test_csv_of_several_files_has_one_header(run: Run, folder: Path) -> None:
    write("a.sql", "SELECT a FROM t")
    write("b.sql", "SELECT b FROM t")
    out = run("analyze", "a.sql", "b.sql", "-f", "csv").out
    assert [(r["source_column"], r["file"]) for r in rows(out)] == [("a", "a.sql"), ("b", "b.sql")]
    assert out.count("source_table") == 1


def test_json_of_several_files_is_json(run: Run, folder: Path) -> None:
    write("a.sql", "SELECT a FROM t")
    write("b.sql", "SELECT b FROM t")
    documents = json.loads(run("analyze", "a.sql", "b.sql", "-f", "json").out)
    assert [d["file"] for d in documents] == ["a.sql", "b.sql"]


def test_the_table_level(run: Run, folder: Path) -> None:
    write("sales.sql", SALES)
    out = run("analyze", "sales.sql", "--level", "table").out
    assert "Create Table" in line_with(out, "mart.sales", "raw.orders")
    assert "sales.sql:1:1" in out
    assert "label" not in out


def test_the_table_level_as_json(run: Run, folder: Path) -> None:
    write("sales.sql", SALES)
    body = json.loads(run("analyze", "sales.sql", "-l", "table", "-f", "json").out)
    assert [(e["source"], e["target"], e["process"]["type"]) for e in body["edges"]] == [
        ("raw.orders", "mart.sales", "Create Table")
    ]


def test_the_complete_level(run: Run, folder: Path) -> None:
    write("sales.sql", SALES)
    out = run("analyze", "sales.sql", "--level", "complete").out
    assert "sales.sql:2:14" in line_with(out, "FUNCTION-1.upper", "raw.orders.name")
    assert line_with(out, "mart.sales.label", "RS-1.label")
    assert "filter" in line_with(out, "RS-1.PseudoRows", "raw.orders.status")


def test_the_complete_level_as_json(run: Run, folder: Path) -> None:
    write("sales.sql", SALES)
    (statement,) = json.loads(run("analyze", "sales.sql", "-l", "complete", "-f", "json").out)["statements"]
    columns = {c["id"]: c for c in statement["columns"]}
    entities = {e["id"]: e for e in statement["entities"]}
    assert all(isinstance(id_, str) for id_ in [*columns, *entities])
    assert all(c["entity"] in entities for c in columns.values())
    ends = {
        (columns[r["target"]]["name"], columns[s["column"]]["name"])
        for r in statement["relations"]
        for s in r["sources"]
    }
    assert {("label", "upper"), ("upper", "name"), ("amount", "amount")} <= ends


def test_csv_has_the_column_level_only(run: Run, folder: Path) -> None:
    write("sales.sql", SALES)
    code, out, err = run("analyze", "sales.sql", "-f", "csv", "-l", "table")
    assert (code, out) == (2, "")
    assert "csv" in err


# Options of the edges

SCRIPT = """\
CREATE TEMPORARY VIEW v AS SELECT a AS p, 'k' AS k FROM src;
CREATE TABLE s AS SELECT p, 5 AS five FROM v WHERE p > 0;
INSERT INTO o SELECT p FROM s;
"""


@pytest.mark.parametrize("form", ["text", "json"])
def test_collapse_temp(form: str, run: Run, folder: Path) -> None:
    write("s.sql", SCRIPT)
    out = run("analyze", "s.sql", "--collapse-temp", "-f", form).out
    assert "src" in out
    if form == "json":
        assert {"s.p <- src.a", "o.p <- s.p"} <= edges(out)
    else:
        assert line_with(out, "<- src.a")


@pytest.mark.parametrize("form", ["text", "json"])
def test_end_to_end(form: str, run: Run, folder: Path) -> None:
    write("s.sql", SCRIPT)
    out = run("analyze", "s.sql", "--end-to-end", "-f", form).out
    if form == "json":
        assert "o.p <- src.a" in edges(out)
        assert "o.p <- s.p" not in edges(out)
    else:
        assert line_with(out, "<- src.a")
        assert "<- s.p" not in out


@pytest.mark.parametrize("option", ["--end-to-end", "--collapse-temp"])
def test_csv_joins_hops_too(option: str, run: Run, folder: Path) -> None:
    write("s.sql", SCRIPT)
    found = rows(run("analyze", "s.sql", option, "-f", "csv").out)
    assert "v" not in {r["source_table"] for r in found}


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_table_level_collapses_temporary_tables(form: str, run: Run, folder: Path) -> None:
    write("s.sql", SCRIPT)
    out = run("analyze", "s.sql", "--collapse-temp", "-l", "table", "-f", form).out
    assert re.search(r'(\bv <-|<- v\b|"source": "v"|"target": "v")', out) is None


def test_literals(run: Run, folder: Path) -> None:
    write("s.sql", SCRIPT)
    assert "v.k <- literal('k')" in edges(run("analyze", "s.sql", "--literals", "-f", "json").out)
    assert "literal('k')" in run("analyze", "s.sql", "--literals").out
    assert "literal" not in run("analyze", "s.sql").out


def test_rows(run: Run, folder: Path) -> None:
    write("s.sql", "INSERT INTO o SELECT a FROM t WHERE b > 0")
    assert "o.a <- t.b" in edges(run("analyze", "s.sql", "--rows", "expanded", "-f", "json").out)
    assert edges(run("analyze", "s.sql", "--rows", "none", "-f", "json").out) == {"o.a <- t.a"}
    assert "t.b" not in run("analyze", "s.sql", "--rows", "none").out


def test_default_schema_and_ambiguity(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT x FROM a JOIN b ON a.id = b.id")
    code, out, _ = run(
        "analyze", "s.sql", "--default-schema", "db", "--ambiguous", "first", "-f", "json", "--rows", "none"
    )
    assert edges(out) == {"x <- db.a.x"}
    assert run("analyze", "s.sql").code == 1
    assert code in (0, 1)


def test_insert_by_name(run: Run, folder: Path) -> None:
    write("s.sql", "CREATE TABLE t (a int, b int); INSERT INTO t SELECT b, a FROM s")
    asked = ("analyze", "s.sql", "-f", "json", "--rows", "none")
    assert edges(run(*asked).out) == {"t.a <- s.b", "t.b <- s.a"}
    assert edges(run(*asked, "--insert-by", "name").out) == {"t.a <- s.a", "t.b <- s.b"}
    write("headwater.toml", 'insert-by = "name"')
    assert edges(run(*asked).out) == {"t.a <- s.a", "t.b <- s.b"}


# Where scripts come from


def test_standard_input(run: Run) -> None:
    code, out, _ = run("analyze", "-", stdin=b"INSERT INTO o\nSELECT a + 1 AS x FROM t")
    assert code == 0
    assert ":2:8" in line_with(out, "o.x", "a + 1")


def test_standard_input_with_a_byte_order_mark(run: Run) -> None:
    out = run("analyze", "-", "-f", "json", "--rows", "none", stdin="\ufeffSELECT größe FROM t".encode()).out
    assert edges(out) == {"größe <- t.größe"}


def test_standard_input_beside_a_file(run: Run, folder: Path) -> None:
    write("a.sql", "CREATE TABLE t (a int, b int)")
    code, out, _ = run("analyze", "a.sql", "-", stdin=b"SELECT * FROM t")
    assert code == 0
    assert "t.b" in out


def test_a_folder_is_taken_in_the_order_of_its_paths(run: Run, folder: Path) -> None:
    write("dwh/20_mart/a.sql", "CREATE TABLE mart AS SELECT * FROM stage")
    write("dwh/10_stage/b.sql", "CREATE TABLE stage AS SELECT id, name FROM raw")
    write("dwh/README.md", "SELECT nothing FROM here")
    code, out, _ = run("analyze", "dwh", "-f", "csv")
    assert code == 0
    assert [(r["file"], r["source_column"]) for r in rows(out)] == [
        ("dwh/10_stage/b.sql", "id"),
        ("dwh/10_stage/b.sql", "name"),
        ("dwh/20_mart/a.sql", "id"),
        ("dwh/20_mart/a.sql", "name"),
    ]


def test_a_folder_has_scripts_in_capitals(run: Run, folder: Path) -> None:
    write("dwh/LOAD.SQL", "SELECT a FROM t")
    assert "t.a" in run("analyze", "dwh").out


def test_a_folder_without_scripts_is_said_to_have_none(run: Run, folder: Path) -> None:
    write("empty/notes.txt", "")
    code, _, err = run("analyze", "empty")
    assert code == 2
    assert "empty" in err


def test_temporary_views_and_use_end_with_their_script(run: Run, folder: Path) -> None:
    write("a.sql", "USE db; CREATE TEMPORARY VIEW v AS SELECT x AS y FROM t")
    write("b.sql", "SELECT * FROM v")
    out = run("analyze", "a.sql", "b.sql", "-f", "csv").out
    assert [(r["source_table"], r["source_column"]) for r in rows(out)] == [("db.t", "x"), ("v", "*")]


LETTERS = "SELECT größe AS x\nFROM t"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings(encoding: str, run: Run, folder: Path) -> None:
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    write("s.sql", (mark + LETTERS).encode(encoding))
    code, out, err = run("analyze", "s.sql")
    assert code == 0
    assert ("info[encoding]" in err) == (encoding == "latin-1")
    assert "s.sql:1:8" in line_with(out, "x = größe")
    assert line_with(out, "t.größe")


# Schemas

SCHEMAS = {
    "schema.json": '{"db.t": {"a": "int", "b": "int"}}',
    "schema.csv": "schema;table;column;type\ndb;t;a;int\ndb;t;b;int\n",
    "schema.sql": "CREATE TABLE db.t (a int, b int);",
    "schema.ddl": "CREATE TABLE db.t (a int, b int);",
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_file(name: str, run: Run, folder: Path) -> None:
    write(name, SCHEMAS[name])
    write("s.sql", "SELECT * FROM db.t")
    code, out, _ = run("analyze", "s.sql", "--schema", name, "-f", "json", "--rows", "none")
    assert code == 0
    assert edges(out) == {"a <- db.t.a", "b <- db.t.b"}


def test_a_sibling_schema_is_laid_over(run: Run, folder: Path) -> None:
    write("schema.json", '{"t": ["given"], "u": ["kept"]}')
    write("job.sql", "SELECT t.*, u.* FROM t JOIN u")
    write("other.sql", "SELECT * FROM t")
    write("job_schema.json", '{"t": ["overlaid"]}')
    out = run("analyze", "job.sql", "other.sql", "-s", "schema.json", "-f", "csv").out
    assert [(r["file"], r["source_column"]) for r in rows(out)] == [
        ("job.sql", "overlaid"),
        ("job.sql", "kept"),
        ("other.sql", "given"),
    ]


# Dialects


def test_the_dialect_that_parsed_is_told(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT a FROM t;\nSELECT [b] AS x FROM [dbo].[u]")
    code, out, _ = run("analyze", "s.sql", "--dialect", "spark,tsql")
    assert code == 0
    assert "spark" in line_with(out, "s.sql:1:1")
    assert "tsql" in line_with(out, "s.sql:2:1")


def test_the_first_dialect_that_parses_wins(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT a FROM t")
    assert "spark" in line_with(run("analyze", "s.sql", "-d", "spark,hive").out, "s.sql:1:1")
    assert "hive" in line_with(run("analyze", "s.sql", "-d", "hive,spark").out, "s.sql:1:1")


@pytest.mark.parametrize("level", ["complete", "column", "table"])
def test_the_dialect_that_parsed_is_told_in_json(level: str, run: Run, folder: Path) -> None:
    write("s.sql", "SELECT a FROM t;\nSELECT [b] AS x FROM [dbo].[u]")
    body = json.loads(run("analyze", "s.sql", "-d", "spark,tsql", "-f", "json", "-l", level).out)
    assert [s["dialect"] for s in body["statements"]] == ["spark", "tsql"]


def test_each_dialect_gives_its_own_answer(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT a FROM t")
    code, out, _ = run("analyze", "s.sql", "-d", "spark,snowflake", "--each-dialect")
    assert code == 0
    spark, snowflake = out.index("spark"), out.index("snowflake")
    assert spark < out.index("t.a") < snowflake < out.rindex("t.a")


def test_each_dialect_as_json(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT a FROM t")
    documents = json.loads(run("analyze", "s.sql", "-d", "spark,snowflake", "--each-dialect", "-f", "json").out)
    assert [d["statements"][0]["dialect"] for d in documents] == ["spark", "snowflake"]
    assert [d["sources"] for d in documents] == [["t"], ["T"]]


def test_each_dialect_as_csv(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT a FROM t")
    found = rows(run("analyze", "s.sql", "-d", "spark,hive", "--each-dialect", "-f", "csv").out)
    assert len({tuple(r.items()) for r in found}) == len(found) == 2


def test_each_dialect_is_checked_before_anything_is_printed(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT a FROM t")
    code, out, _ = run("analyze", "s.sql", "-d", "spark,klingon", "--each-dialect")
    assert (code, out) == (2, "")


def test_the_dialects_are_listed(run: Run) -> None:
    code, out, _ = run("dialects")
    assert code == 0
    assert {"spark", "databricks", "hive", "bigquery", "snowflake", "postgres", "tsql", "duckdb"} <= set(out.split())


# How it ends


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT a FROM t", 0),
        ("", 0),
        ("-- nothing", 0),
        ("SELECT nope FROM (SELECT a FROM t) q", 1),
        ("SELECT a FROM t WHERE (", 1),
        ("SELECT x FROM t JOIN u ON t.i = u.i", 1),
        ("EXPLODE everything now", 1),
    ],
)
@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_exit_codes(sql: str, code: int, form: str, run: Run, folder: Path) -> None:
    write("s.sql", sql)
    assert run("analyze", "s.sql", "-f", form).code == code


def test_findings_of_any_file_count(run: Run, folder: Path) -> None:
    write("bad.sql", "SELECT (")
    write("good.sql", "SELECT a FROM t")
    assert run("analyze", "bad.sql", "good.sql").code == 1


def test_a_finding_is_told_with_its_place(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT a FROM t;\nSELECT a,\n  amuont FROM t")
    write("schema.json", '{"t": ["a", "amount"]}')
    code, out, err = run("analyze", "s.sql", "-s", "schema.json")
    assert code == 1
    assert "amuont" in line_with(err, "s.sql:3:3", "unresolved-column")
    assert "amount" in err
    assert "unresolved-column" not in out


def test_findings_do_not_spoil_the_json(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT (; SELECT a FROM t")
    code, out, err = run("analyze", "s.sql", "-f", "json")
    assert code == 1
    assert [d["code"] for d in json.loads(out)["diagnostics"]] == ["syntax-error"]
    assert "syntax-error" in err


UNUSABLE: dict[str, tuple[list[str], str, str | None]] = {
    "unknown file": (["gone.sql"], "gone.sql"),
    "unknown file after a good one": (["s.sql", "gone.sql"], "gone.sql"),
    "unknown dialect": (["s.sql", "-d", "klingon"], "known are ansi"),
    "a dialect with a typing error": (["s.sql", "-d", "snwoflake"], "did you mean snowflake?"),
    "a file with a typing error": (["sibing.sql"], "did you mean sibling.sql?"),
    "unknown code": (["s.sql", "--ignore", "unresolved-colum"], "did you mean unresolved-column?"),
    "an unknown configuration file": (["s.sql", "--config", "gone.toml"], "gone.toml"),
    "one unknown dialect of two": (["s.sql", "-d", "spark,klingon"], "klingon"),
    "unknown schema file": (["s.sql", "-s", "gone.json"], "gone.json"),
    "a schema file with a typing error": (["s.sql", "-s", "lits.json"], "did you mean list.json?"),
    "a folder with a typing error": (["stag/load.sql"], "did you mean stage/load.sql?"),
    "schema that is not JSON": (["s.sql", "-s", "bad.json"], "bad.json"),
    "schema that is a list": (["s.sql", "-s", "list.json"], "list.json"),
    "schema without headers": (["s.sql", "-s", "bad.csv"], "bad.csv"),
    "schema of an unknown kind": (["s.sql", "-s", "bad.xml"], "bad.xml"),
    "sibling schema that is not JSON": (["sibling.sql"], "sibling_schema.json"),
    "schema with a table that is a number": (["s.sql", "-s", "number.json"], "number.json"),
    "schema in DDL that does not parse": (["s.sql", "-s", "bad.sql"], "bad.sql"),
    "schema that is binary": (["s.sql", "-s", "binary.csv"], "binary.csv"),
}


@pytest.fixture
def unusable(folder: Path) -> Path:
    write("s.sql", "SELECT a FROM t")
    write("bad.json", "{bad")
    write("list.json", "[1]")
    write("number.json", '{"t": 5}')
    write("bad.csv", "foo,bar\n")
    write("bad.xml", "<t/>")
    write("bad.sql", "CREATE TABLE (")
    write("binary.csv", b"table,column\nt,\xff\xfe\x00\n")
    write("sibling.sql", "SELECT a FROM t")
    write("stage/load.sql", "SELECT a FROM t")
    write("sibling_schema.json", "{bad")
    return folder


@pytest.mark.parametrize(
    ("arguments", "named"),
    [pytest.param(*given, id=name) for name, given in UNUSABLE.items()],
)
def test_what_cannot_run_is_said_in_one_line(arguments: list[str], named: str, run: Run, unusable: Path) -> None:
    code, out, err = run("analyze", *arguments)
    assert code == 2
    assert out == ""
    assert len(err.splitlines()) == 1
    assert named in err


@pytest.mark.parametrize(
    "arguments", [["analyze"], ["bogus"], ["analyze", "s.sql", "--bogus"], ["analyze", "s.sql", "--level", "deep"]]
)
def test_wrong_usage(arguments: list[str], run: Run, unusable: Path) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert "Error" in err
    assert "Traceback" not in err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT 1").chmod(0)
    write("good.sql", "SELECT a FROM t")
    code, out, err = run("analyze", "s.sql", "good.sql")
    assert code == 1
    assert "cannot be read" in line_with(err, "s.sql", "error[unreadable-file]")
    assert "t.a" in out


def test_version_and_help(run: Run) -> None:
    assert __version__ in run("--version").out
    for arguments in (["--help"], ["analyze", "--help"]):
        code, out, _ = run(*arguments)
        assert code == 0
        assert "Usage" in out


# The installed command itself


def command(
    *arguments: str, executable: list[str] | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*(executable or [str(COMMAND)]), *arguments],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("executable", [[str(COMMAND)], [sys.executable, "-m", "headwater"]], ids=["command", "module"])
def test_the_installed_command(executable: list[str], folder: Path) -> None:
    write("sales.sql", SALES)
    done = command("analyze", "sales.sql", executable=executable)
    assert (done.returncode, done.stderr) == (0, "")
    assert "raw.orders.name" in done.stdout
    missing = command("analyze", "gone.sql", executable=executable)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "Traceback" not in missing.stderr


@pytest.mark.slow
def test_the_same_bytes_under_any_hash_seed(folder: Path) -> None:
    write(
        "s.sql",
        SCRIPT + "SELECT DISTINCT x, y, z FROM a JOIN b ON a.i = b.i AND a.j = b.j WHERE p = q GROUP BY x, y, z",
    )
    outputs = {
        command("analyze", "s.sql", "-f", "json", "-l", "complete", PYTHONHASHSEED=seed).stdout for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs != {""}


def test_letters_are_printed_in_any_locale(folder: Path) -> None:
    write("s.sql", LETTERS)
    done = command("analyze", "s.sql", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_is_the_end_and_no_error(folder: Path) -> None:
    write("long.sql", "".join(f"INSERT INTO o{i} SELECT a, b, c FROM t{i};\n" for i in range(800)))
    process = subprocess.Popen(
        [str(COMMAND), "analyze", "long.sql"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert "o0" in process.stdout.readline()
    process.stdout.close()
    with process.stderr:
        said = process.stderr.read()
    assert process.wait(timeout=20) in (0, 1)
    assert said == ""
