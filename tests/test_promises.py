"""Promises of the documents that the product was specified from that no case or other test shows; docs/compatibility.md names them."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path

import pytest

import headwater
from command import Run, write

ROOT = Path(__file__).parent.parent


def records(sql: str, **options: object) -> list[tuple[str, str, str, str, str]]:
    """The rows of the CSV, without the file: source table and column, expression, target column and table."""
    text = headwater.analyze(sql, **options).to("csv")  # type: ignore[arg-type]
    return [tuple(row[:5]) for row in list(csv.reader(io.StringIO(text)))[1:]]  # type: ignore[misc]


# The Spark and Hive notes


def test_a_record_cannot_be_changed() -> None:
    (edge,) = headwater.analyze("INSERT INTO o SELECT a FROM t").column_edges(rows="none")
    with pytest.raises(AttributeError):
        edge.type = "fdr"  # type: ignore[misc]


def test_names_of_records_are_lower_case_and_dotted() -> None:
    assert records("INSERT INTO Db.Out SELECT Id FROM Db.T") == [("db.t", "id", "Id", "id", "db.out")]


def test_a_query_that_is_not_written_has_no_target_table() -> None:
    assert records("SELECT a FROM t") == [("t", "a", "a", "a", "")]


def test_a_constant_has_neither_table_nor_column() -> None:
    assert records("INSERT INTO o SELECT 1 AS one") == [("", "", "1", "one", "o")]


def test_a_constant_beside_a_column_gives_no_record() -> None:
    assert records("INSERT INTO o SELECT coalesce(a, 0) AS a FROM t") == [("t", "a", "coalesce(a, 0)", "a", "o")]


def test_identical_records_appear_once() -> None:
    assert records("INSERT INTO o SELECT a FROM t UNION ALL SELECT a FROM t") == [("t", "a", "a", "a", "o")]


def test_an_expanded_star_is_the_expression() -> None:
    found = records("INSERT INTO o SELECT * FROM t", schema={"t": ["a", "b"]})
    assert found == [("t", "a", "*", "a", "o"), ("t", "b", "*", "b", "o")]


def test_a_table_without_columns_makes_up_none() -> None:
    assert records("SELECT * FROM known, unknown", schema={"known": ["a"]}) == [
        ("known", "a", "*", "a", ""),
        ("unknown", "*", "*", "*", ""),
    ]


def test_a_prefix_of_a_table_that_takes_no_part_decides_nothing() -> None:
    owners = {row[0] for row in records("SELECT c_name FROM store_sales, item", ambiguous="prefix")}
    assert owners <= {"store_sales", "item"}


def test_a_schema_beside_a_script_is_below_all_others(run: Run, folder: Path) -> None:
    write("a.sql", "SELECT t.*, u.*, v.* FROM t, u, v")
    write("schema.json", '{"t": ["beside"], "u": ["beside"], "v": ["beside"]}')
    write("given.csv", "table,column,type\nt,of_csv,int\n")
    given = '{"t": ["inline"], "u": ["inline"]}'
    out = run("analyze", "a.sql", "-s", given, "-s", "given.csv", "-f", "csv").out
    assert [row[1] for row in csv.reader(out.splitlines()[1:])] == ["of_csv", "inline", "beside"]


# Visivo's design


def test_only_the_ten_tables_of_a_hundred_that_are_used_are_inspected(run: Run, folder: Path) -> None:
    with sqlite3.connect(folder / "shop.db") as database:
        for number in range(100):
            database.execute(f"CREATE TABLE t{number} (id INTEGER, a TEXT, b TEXT)")
    write("a.sql", "".join(f"SELECT * FROM t{number};\n" for number in range(10)))
    assert run("catalog", "pull", "sqlite:///shop.db", "--for", "a.sql", "-o", "used.json").code == 0
    assert len([name for name in json.loads(Path("used.json").read_text()) if name.startswith("main.t")]) == 10
