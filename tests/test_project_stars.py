"""Columns that a project asks of a model which selects `*` from a table that nobody knows."""

from __future__ import annotations

from headwater.project.lineage import project_lineage
from project_builder import metric, model, project


def test_a_metric_over_a_model_that_selects_everything() -> None:
    found = project_lineage(
        project(model("orders", "SELECT * FROM raw_orders"), metric("total", "SUM({orders.amount})"))
    )
    edges = {f"{e.source} -> {e.target} {e.subtype}" for e in found.lineage.column_edges(rows="none")}
    assert edges == {
        "shop_db.raw_orders.* -> shop.model.orders.* IDENTITY",
        "shop_db.raw_orders.amount -> shop.model.orders.amount IDENTITY",
        "shop.model.orders.amount -> shop.metric.total.value AGGREGATION",
    }
    whole = {f"{e.source} -> {e.target}" for e in found.lineage.column_edges(rows="none", end_to_end=True)}
    assert "shop_db.raw_orders.amount -> shop.metric.total.value" in whole
