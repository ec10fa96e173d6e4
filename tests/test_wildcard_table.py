"""Names that stand for many tables, beyond what the cases show."""

from __future__ import annotations

import pytest

import headwater
from headwater.catalog import Catalog
from headwater.model.diagnostic import Code
from headwater.model.resolution import Wildcard
from headwater.resolve import Session
from headwater.sql.dialect import dialect


def test_a_wildcard_over_very_many_tables_is_followed_as_one() -> None:
    schema = {f"shop.events_{day}": ["name"] for day in range(20_000_000, 20_000_101)}
    lineage = headwater.analyze("SELECT name FROM `shop.events_*`", dialect="bigquery", schema=schema)
    assert [(str(edge.source), edge.type) for edge in lineage.column_edges(rows="none")] == [
        ("shop.events_*.name", "fdd")
    ]
    (diagnostic,) = lineage.diagnostics
    assert diagnostic.code is Code.MANY_TABLES
    assert "101 tables of the catalog fit events_*" in diagnostic.message


def test_a_heavy_statement_asks_for_the_tables_of_the_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.sql.script.is_heavy", lambda piece: True)
    schema = {"shop.events_1": ["name"], "shop.events_2": ["id"], "shop.other": ["name"]}
    lineage = headwater.analyze("SELECT name FROM `shop.events_*`", dialect="bigquery", schema=schema)
    found = {f"{edge.target} <- {edge.source}" for edge in lineage.column_edges(rows="none")}
    assert "shop.events_*.name <- shop.events_1.name" in found
    assert not any("events_2" in edge or "other" in edge for edge in found)


def test_a_wildcard_takes_a_table_from_the_uppermost_layer_of_the_catalog() -> None:
    catalog = Catalog({"s.e_1": ["new"]}).over(Catalog({"s.e_1": ["old"], "s.e_2": ["more"]}))
    fits = Wildcard(0, (("is", "s"), ("begins", "e_")))
    found = Session(catalog).catalog_tables(fits, dialect("bigquery"))
    assert found == {("s", "e_1"): ("new",), ("s", "e_2"): ("more",)}


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((("is", "s"), ("begins", "e_")), ["s.e_1", "s.e_2"]),
        ((("is", "s"), ("begins", "")), ["s.e_1", "s.e_2", "s.f"]),
        ((("is", "s"), ("finds", "1$")), ["s.e_1"]),
        ((("finds", "^."), ("finds", "^e_[12]")), ["s.e_1", "s.e_2", "u.e_1"]),
        ((("is", "p"), ("is", "s"), ("begins", "e_")), ["p.s.e_9"]),
        ((("is", "none"), ("begins", "e_")), []),
    ],
)
def test_only_tables_of_the_schema_that_begin_alike_are_looked_at(
    parts: tuple[tuple[str, str], ...], expected: list[str]
) -> None:
    catalog = Catalog({name: ["a"] for name in ("s.f", "s.e_2", "u.e_1", "s.e_1", "p.s.e_9", "e_3")})
    found = Session(catalog).catalog_tables(Wildcard(0, parts), dialect("bigquery"))
    assert sorted(".".join(name) for name in found) == expected
