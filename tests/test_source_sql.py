"""Files that are all SQL, and files that are nothing of the kind."""

from __future__ import annotations

import pytest

from headwater.analysis import analyze
from headwater.source import scripts_of
from source_positions import one_script, place, statements_of


def test_sql_is_taken_as_it_is() -> None:
    script = one_script("mart/sales.sql", "SELECT a -- b\nFROM t")
    assert (script.path, script.text, script.kind, script.encoding) == (
        "mart/sales.sql",
        "SELECT a -- b\nFROM t",
        "sql",
        "utf-8",
    )
    assert (script.dialect, script.problem, script.skipped) == (None, "", 0)


@pytest.mark.parametrize(
    ("path", "dialect"), [("a.hql", "hive"), ("a.BTEQ", "teradata"), ("a.psql", "postgres"), ("a.ddl", None)]
)
def test_some_endings_tell_the_dialect(path: str, dialect: str | None) -> None:
    assert one_script(path, "SELECT 1").dialect == dialect


def test_standard_input() -> None:
    assert one_script("-", "# Databricks notebook source\n").kind == "stdin"


def test_an_older_encoding() -> None:
    script = one_script("a.sql", "SELECT straße FROM größe".encode("latin-1"))
    assert (script.text, script.encoding) == ("SELECT straße FROM größe", "latin-1")


def test_a_byte_order_mark_is_no_column() -> None:
    assert one_script("a.sql", b"\xef\xbb\xbfSELECT 1").text == "SELECT 1"


@pytest.mark.parametrize("path", ["a.sql", "a.py", "a.ipynb"])
def test_what_is_no_text_is_a_problem(path: str) -> None:
    script = one_script(path, b"\x1f\x8b\x08\x00" + bytes(range(256)) * 10)
    assert script.text == ""
    assert "holds no text" in script.problem


def test_an_empty_file() -> None:
    assert one_script("a.sql", b"").text == ""
    assert scripts_of("a.py", b"") == []


def test_programs_that_are_not_read_are_counted() -> None:
    (script,) = scripts_of("job.scala", b'val a = spark.sql("SELECT 1")\nspark.sql(q)')
    assert (statements_of(script), script.skipped) == (["${sql(…)}"] * 2, 2)
    assert place(script.text, "${") == (1, 15)
    assert scripts_of("job.R", b"print(1)") == []


def test_five_megabytes() -> None:
    line = "INSERT INTO o SELECT a, b FROM t WHERE c = 'some text';\n"
    assert len(one_script("a.sql", line * 90_000).text) > 5_000_000


def test_the_front_end_finds_the_places() -> None:
    """A relation of SQL inside a program has the program's line."""
    program = 'import x\n\nspark.sql("""\n    INSERT INTO o\n    SELECT a FROM t\n""")\n'
    lineage = analyze(one_script("job.py", program).text)
    (edge,) = lineage.column_edges(rows="none")
    assert (str(edge.source), str(edge.target)) == ("t.a", "o.a")
    assert str(lineage.position(lineage.statements[0].resolution.process.span)) == "4:5"
