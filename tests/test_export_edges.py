"""The CSV edge list: one row for each source of each relation."""

from __future__ import annotations

import csv
import io

import pytest

from export_samples import HOSTILE, hostile, text, warehouse, written
from headwater.export.feed import LEVELS, Level
from headwater.export.format import Choices


def rows(written: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written, newline="")))


def test_a_row_says_who_reaches_whom_and_how() -> None:
    found = {(r["source"], r["target"], r["type"]): r for r in rows(text("edge_list", warehouse()))}
    row = found["raw.customers.email", "staging.customers.email_hash", "fdd"]
    assert row.items() >= {
        ("subtype", "TRANSFORMATION"),
        ("clause", "select"),
        ("masking", "true"),
        ("candidate", "false"),
        ("effect", "create_view"),
        ("process", "Create View"),
        ("expression", "sha2(email, 256)"),
        ("line", "6"),
        ("source_table", "raw.customers"),
        ("source_column", "email"),
        ("edges_version", "1"),
    }
    assert found["raw.orders.status", "staging.orders.PseudoRows", "fdr"]["clause"] == "where"


def test_rows_of_tables_name_tables() -> None:
    found = {(r["source"], r["process"], r["target"]) for r in rows(text("edge_list", warehouse("table")))}
    assert ("staging.customers", "Insert", "mart.sales") in found
    assert len(found) == 6


@pytest.mark.parametrize("level", LEVELS)
def test_there_is_a_row_for_each_source(level: Level) -> None:
    feed = warehouse(level)
    expected = len(list(feed.table_relations())) if level == "table" else sum(len(r.sources) for r in feed.relations())
    assert len(rows(text("edge_list", feed))) == expected


def test_a_column_has_one_name_however_statements_spell_it() -> None:
    sql = "CREATE TABLE o AS SELECT Amount FROM Raw.Sales; INSERT INTO p SELECT AMOUNT FROM RAW.SALES"
    found = rows(text("edge_list", warehouse(sql=sql, impact=False)))
    assert {row["source"] for row in found} == {"Raw.Sales.Amount"}


def test_what_has_no_row_is_said() -> None:
    assert written("edge_list", warehouse())[1] == ["1 entities without relations, which have no row"]


def test_hostile_names_come_back_from_a_csv_reader() -> None:
    names = {row["source_column"] for row in rows(text("edge_list", hostile(), Choices(safe_cells=False)))}
    assert {name.replace("\ud800", "?") for name in HOSTILE if name not in ("nul\0z", "tab\tq")} <= names


def test_cells_that_look_like_formulas_are_text() -> None:
    names = {row["source_column"] for row in rows(text("edge_list", hostile()))}
    assert {"'=1+1", "'@SUM(A1)", "'-1", "'+1"} <= names
    assert not any(name.startswith(("=", "+", "-", "@", "\t", "\r")) for name in names)
