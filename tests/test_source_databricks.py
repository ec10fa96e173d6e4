"""Databricks notebooks kept as source files."""

from __future__ import annotations

from textwrap import dedent

from headwater.analysis import analyze
from headwater.source import scripts_of
from source_positions import moved_words, one_script, place, statements_of

PYTHON = dedent("""\
    # Databricks notebook source
    # MAGIC %md
    # MAGIC Not SQL: SELECT x FROM y

    # COMMAND ----------

    # DBTITLE 1,Load
    # MAGIC %sql
    # MAGIC INSERT INTO o
    # MAGIC SELECT a -- the first
    # MAGIC FROM t -- all of it

    # COMMAND ----------

    # MAGIC %run ./shared/setup

    # COMMAND ----------

    spark.sql("SELECT b FROM u")

    # COMMAND ----------

    # MAGIC %sql SELECT c FROM v;
    # MAGIC SELECT d FROM w
""")


def test_cells_of_a_python_notebook() -> None:
    script = one_script("etl/load.py", PYTHON)
    assert (script.kind, script.dialect) == ("databricks", "databricks")
    assert moved_words(script.text, PYTHON) == []
    code = [line.partition("--")[0] for line in script.text.split("\n")]
    assert " ".join(" ".join(code).split()) == (
        "INSERT INTO o SELECT a FROM t; SELECT b FROM u; SELECT c FROM v; SELECT d FROM w;"
    )
    assert place(script.text, "FROM t") == (11, 9)


def test_a_notebook_that_is_run_is_reported_by_the_front_end() -> None:
    lineage = analyze(one_script("load.py", PYTHON).text, "databricks")
    assert [str(e.source) for e in lineage.column_edges(rows="none")] == ["t.a", "u.b", "v.c", "w.d"]
    (remark,) = [d for d in lineage.diagnostics if d.code.value == "included-file"]
    assert "./shared/setup" in remark.message
    assert str(lineage.position(remark.span)) == "15:14"


def test_cells_of_an_sql_notebook() -> None:
    text = dedent("""\
        -- Databricks notebook source
        SELECT a FROM t

        -- COMMAND ----------

        -- MAGIC %python
        -- MAGIC spark.sql("SELECT b FROM u")

        -- COMMAND ----------

        -- a comment only

        -- COMMAND ----------

        -- MAGIC %sql
        -- MAGIC SELECT c FROM v
    """)
    script = one_script("x.sql", text)
    assert moved_words(script.text, text) == []
    assert [s.split("--")[0].strip() for s in statements_of(script)][:2] == ["SELECT a FROM t", "SELECT b FROM u"]
    assert statements_of(script)[2].endswith("SELECT c FROM v")


def test_cells_of_scala_and_r() -> None:
    scala = "// Databricks notebook source\n// MAGIC %sql\n// MAGIC SELECT a FROM t\n\n// COMMAND ----------\n\nspark.sql(q)\n"
    script = one_script("x.scala", scala)
    assert statements_of(script) == ["SELECT a FROM t", "${sql(…)}"]
    assert script.skipped == 1
    assert place(script.text, "SELECT") == (3, 10)
    r = scala.replace("//", "#").replace("spark.sql(q)", "SparkR::sql(q)")
    assert statements_of(one_script("x.r", r)) == ["SELECT a FROM t", "${sql(…)}"]


def test_windows_line_ends() -> None:
    text = PYTHON.replace("\n", "\r\n")
    script = one_script("x.py", text)
    assert moved_words(script.text, text) == []
    assert "SELECT d FROM w" in " ".join(script.text.split())


def test_python_that_cannot_be_read_leaves_the_sql() -> None:
    text = "# Databricks notebook source\n# MAGIC %sql\n# MAGIC SELECT a FROM t\n# COMMAND ----------\nprint 'x'\n"
    read, broken = scripts_of("x.py", text.encode())
    assert statements_of(read) == ["SELECT a FROM t"]
    assert (broken.text, broken.path) == ("", "x.py")
    assert "line 5: this is not Python" in broken.problem


def test_many_cells() -> None:
    text = "# Databricks notebook source\n" + "# MAGIC %sql\n# MAGIC SELECT a FROM t\n# COMMAND ----------\n" * 20_000
    assert one_script("x.py", text).text.count("SELECT") == 20_000
