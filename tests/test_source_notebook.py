"""Jupyter notebooks: SQL cells by magic, by metadata, by kernel, and SQL in Python cells."""

from __future__ import annotations

import json
from typing import Any

import pytest

from headwater.source import scripts_of
from source_positions import moved_words, one_script, place, statements_of


def cell(source: str | list[str], kind: str = "code", **metadata: Any) -> dict[str, Any]:
    return {"cell_type": kind, "metadata": metadata, "source": source, "outputs": []}


def notebook(*cells: dict[str, Any], **metadata: Any) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells})


def sql_in(*cells: dict[str, Any], **metadata: Any) -> list[str]:
    return statements_of(one_script("n.ipynb", notebook(*cells, **metadata)))


@pytest.mark.parametrize(
    "source",
    [
        "%%sql\nSELECT a FROM t",
        "%%sql postgresql://me:secret@host/db\nSELECT a FROM t",
        "%%sql result <<\nSELECT a FROM t",
        "%%sql --save first --with other\nSELECT a FROM t",
        "%%sql SELECT a\nFROM t",
        "%sql\nSELECT a FROM t",
        "%spark.sql\nSELECT a FROM t",
        "%%sparksql\nSELECT a FROM t",
        "%%bigquery df --project p\nSELECT a FROM t",
        "%sql SELECT a FROM t",
        "rows = %sql SELECT a FROM t",
        "import x\n%sql SELECT a FROM t\nprint(1)",
        "%%time\nspark.sql('SELECT a FROM t')",
        "# @title\n%%capture\nspark.sql('SELECT a FROM t')",
        "# @title\n\n%%capture out\n%%sql\nSELECT a FROM t",
        "%matplotlib inline\n!pip install x\nif True:\n    %load_ext sql\ndf?\nspark.sql('SELECT a FROM t')",
    ],
)
def test_sql_by_magic(source: str) -> None:
    script = one_script("n.ipynb", notebook(cell(source)))
    assert statements_of(script) == ["SELECT a FROM t"]
    assert script.problem == ""
    assert moved_words(script.text, source) == []
    assert "secret" not in script.text


@pytest.mark.parametrize(
    "metadata",
    [
        {"vscode": {"languageId": "sql"}},
        {"language": "sql"},
        {"polyglot_notebook": {"kernelName": "sql"}},
        {"application/vnd.databricks.v1+cell": {"language": "sql"}},
    ],
)
def test_sql_by_a_cells_metadata(metadata: dict[str, Any]) -> None:
    assert sql_in(cell("SELECT a FROM t", **metadata), cell("x = 1")) == ["SELECT a FROM t"]


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"name": "SQL", "language": "sql"}},
        {"language_info": {"name": "T-SQL"}},
        {"application/vnd.databricks.v1+notebook": {"language": "sql"}},
    ],
)
def test_sql_by_a_notebooks_language(metadata: dict[str, Any]) -> None:
    assert sql_in(cell("SELECT a FROM t"), cell("# title", "markdown"), **metadata) == ["SELECT a FROM t"]


def test_databricks_takes_the_whole_cell_for_sql() -> None:
    metadata = {"application/vnd.databricks.v1+notebook": {"language": "python"}}
    assert sql_in(cell("%sql SELECT a\nFROM t"), **metadata) == ["SELECT a FROM t"]


def test_lines_count_over_all_cells() -> None:
    sources = [
        "# About\nSELECT nothing",
        "q = 'SELECT a FROM t'",
        "%%sql\nSELECT b -- no\nFROM u -- end",
        "spark.sql(q)",
    ]
    kinds = ["markdown", "code", "code", "code"]
    script = one_script("n.ipynb", notebook(*map(cell, sources, kinds)))
    joined = "\n".join(sources)
    assert moved_words(script.text, joined) == []
    assert (place(script.text, "SELECT a"), place(script.text, "FROM u")) == ((3, 6), (6, 1))
    assert "FROM u;-- end" in script.text
    assert script.text.count(";") == 2


def test_a_semicolon_of_ones_own_is_enough() -> None:
    script = one_script("n.ipynb", notebook(cell("%%sql\nSELECT 1;\n"), cell("%%sql\nSELECT 2")))
    assert script.text.count(";") == 2


def test_a_source_may_be_a_list_of_lines() -> None:
    assert sql_in(cell(["%%sql\n", "SELECT a\n", "FROM t"])) == ["SELECT a FROM t"]


def test_an_older_format() -> None:
    old = {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": "%%sql\nSELECT a FROM t"}]}]}
    assert statements_of(one_script("n.ipynb", json.dumps(old))) == ["SELECT a FROM t"]


def test_bigquery_is_a_dialect() -> None:
    assert one_script("n.ipynb", notebook(cell("%%bigquery\nSELECT 1"), cell("x = 1"))).dialect == "bigquery"
    assert one_script("n.ipynb", notebook(cell("%%bigquery\nSELECT 1"), cell("%%sql\nSELECT 1"))).dialect is None


def test_other_languages_are_left() -> None:
    assert (
        sql_in(cell("%%bash\necho SELECT"), cell("spark.sql('SELECT a FROM t')"), kernelspec={"language": "scala"})
        == []
    )


def test_a_question_mark_in_sql_is_no_help() -> None:
    source = 'cur.execute("""SELECT a FROM t\nWHERE b = ?\n""")'
    assert sql_in(cell(source)) == ["SELECT a FROM t WHERE b = ?"]


def test_a_broken_cell_is_named_and_the_others_are_read() -> None:
    read, broken = scripts_of(
        "n.ipynb", notebook(cell("spark.sql('SELECT a FROM t')"), cell("print 'x'"), cell("%%sql\nSELECT 1")).encode()
    )
    assert statements_of(read) == ["SELECT a FROM t", "SELECT 1"]
    assert broken.problem.startswith("cell 2, line 1: this is not Python")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        notebook(cell("%%sql\nSELECT 1"))[:-20],
        "[1, 2]",
        '{"cells": 3}',
        '{"cells": [{"cell_type": "code", "source": 7}]}',
        '{"worksheets": 1}',
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "[" * 1_000_000,
        '{"cells": ' + "9" * 10_000 + "}",
    ],
)
def test_what_is_no_notebook_is_a_problem(content: str) -> None:
    script = one_script("n.ipynb", content)
    assert script.text == ""
    assert "this is not a notebook" in script.problem


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, {"cell_type": []}, {"cell_type": "code", "metadata": [1]}])
def test_odd_cells_are_survived(odd: Any) -> None:
    assert sql_in(odd, cell("%%sql\nSELECT a FROM t")) == ["SELECT a FROM t"]


@pytest.mark.slow
def test_a_large_notebook() -> None:
    script = one_script("n.ipynb", notebook(*[cell("%%sql\nSELECT a, b, c FROM t WHERE d = 1")] * 20_000))
    assert script.text.count("SELECT") == 20_000
