"""Names that stand for many tables, beyond what the cases show."""

from __future__ import annotations

import headwater
from headwater.model.diagnostic import Code


def test_a_wildcard_over_very_many_tables_is_followed_as_one() -> None:
    schema = {f"shop.events_{day}": ["name"] for day in range(20_000_000, 20_000_101)}
    lineage = headwater.analyze("SELECT name FROM `shop.events_*`", dialect="bigquery", schema=schema)
    assert [(str(edge.source), edge.type) for edge in lineage.column_edges(rows="none")] == [
        ("shop.events_*.name", "fdd")
    ]
    (diagnostic,) = lineage.diagnostics
    assert diagnostic.code is Code.MANY_TABLES
    assert "101 tables of the catalog fit events_*" in diagnostic.message
