"""A dbt project read from its templates, and the same as the real dbt compiles it: one lineage."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from headwater.project.dbt import read_dbt
from headwater.project.lineage import project_lineage
from headwater.project.objects import Project

pytestmark = pytest.mark.slow
UNCOMPILED = {"DBT_TARGET_PATH": "nowhere"}


def edges(project: Project) -> set[tuple[str, str, str, str]]:
    """Everything that flows or decides, end to end of each statement."""
    found = project_lineage(project).lineage.column_edges()
    return {(str(edge.target), str(edge.source), edge.type, f"{edge.subtype} {edge.clause}") for edge in found}


def agree(compiled: Project, ours: Project) -> None:
    """Both have the same tables, columns and relations."""
    tables = [{model.name: (model.table, model.materialized) for model in each.models} for each in (compiled, ours)]
    assert tables[1] == tables[0]
    theirs, found = edges(compiled), edges(ours)
    assert (sorted(theirs - found), sorted(found - theirs)) == ([], [])


def test_a_project_that_uses_everything(dbt_everything: Path) -> None:
    compiled = read_dbt(dbt_everything, environment={})
    ours = read_dbt(dbt_everything, environment=UNCOMPILED)
    assert not [said for said, _ in compiled.remarks]
    messages = [said.message for said, _ in ours.remarks]
    assert [message.partition(":")[0] for message in messages] == [
        "the project is not compiled",
        "one row stands for all that models would ask the database for",
    ]
    agree(compiled, _without_added(ours))
    assert len(edges(ours)) > 90


def test_the_example(dbt_shop: Path) -> None:
    compiled = read_dbt(dbt_shop, environment={})
    ours = read_dbt(dbt_shop, environment={**UNCOMPILED, "BEAN_SHOP_DATABASE": "shop.duckdb"})
    agree(compiled, _second_run(ours))


def test_an_incremental_model_has_both_queries(dbt_everything: Path) -> None:
    ours = read_dbt(dbt_everything, environment=UNCOMPILED)
    orders = next(model for model in ours.models if model.name == "model.everything.orders")
    assert "max(ordered_at)" in orders.added
    assert "max(ordered_at)" not in orders.sql


def test_what_runs_before_and_after_all_models(dbt_everything: Path) -> None:
    """A manifest has these statements as templates; `schemas` are those of all tables that a run makes."""
    compiled = read_dbt(dbt_everything, environment={})
    ours = read_dbt(dbt_everything, environment=UNCOMPILED)
    assert len(ours.operations) == 6
    assert [(each.name, each.sql, each.place) for each in compiled.operations] == [
        (each.name, each.sql, each.place) for each in ours.operations
    ]
    schemas = {
        model.table[-2] for model in ours.models if model.table and not model.name.startswith(("source.", "analysis."))
    }
    assert f"rows * {len(schemas)} from" in ours.operations[-1].sql


def test_hooks_are_statements(dbt_everything: Path) -> None:
    ours = read_dbt(dbt_everything, environment=UNCOMPILED)
    found = {str(edge.target) for edge in project_lineage(ours).lineage.column_edges()}
    assert "everything.shop.built.rows" in found


def _second_run(project: Project) -> Project:
    """The project as dbt compiles it when its tables are there."""
    models = tuple(replace(model, sql=model.added or model.sql, added="") for model in project.models)
    return replace(project, models=models)


def _without_added(project: Project) -> Project:
    """The project without what a manifest does not hold: the query of the other run."""
    models = tuple(replace(model, added="") for model in project.models)
    return replace(project, models=models)
