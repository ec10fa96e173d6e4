"""Manifests as each version of dbt writes them, from 1.0 (v4) on, and as dbt Fusion does (v20): one project, one lineage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headwater.model.diagnostic import Code
from headwater.project.dbt import read_dbt
from headwater.project.lineage import project_lineage
from headwater.project.objects import Project
from headwater.project.resolver import Resolver

VERSIONS = {
    4: "1.0.9",
    5: "1.1.5",
    6: "1.2.6",
    7: "1.3.7",
    8: "1.4.9",
    9: "1.5.11",
    10: "1.6.18",
    11: "1.7.19",
    12: "1.11.2",
    20: "2.0.0",
}


def _common(version: int, kind: str, name: str) -> dict[str, Any]:
    """What every node has."""
    node: dict[str, Any] = {
        "unique_id": f"{kind}.shop.{name}",
        "name": name,
        "resource_type": kind,
        "package_name": "shop",
        "path": f"{name}.sql",
        "original_file_path": f"{kind}s/{name}.sql",
        "fqn": ["shop", name],
        "database": "dev",
        "schema": "main",
        "alias": name,
        "relation_name": f'"dev"."main"."{name}"',
        "description": "",
        "meta": {},
        "tags": [],
        "columns": {
            "id": {"name": "id", "description": "", "meta": {}, "data_type": None, "quote": None, "tags": ["key"]}
        },
        "patch_path": "shop://models/all.yml",
        "docs": {"show": True},
        "deferred": False,
        "created_at": 1700000000.5,
    }
    if version <= 7:
        node["root_path"] = "/home/somebody/shop"
    if version >= 9:
        node |= {"access": "protected", "version": None, "latest_version": None, "constraints": []}
    return node


def _query(version: int, kind: str, name: str, template: str, sql: str, needs: list[str]) -> dict[str, Any]:
    """A node that is compiled."""
    names = [need.rpartition(".")[2] for need in needs if not need.startswith("source.")]
    refs: list[Any] = [[each] for each in names]
    if version >= 9:
        refs = [{"name": each, "package": None, "version": None} for each in names]
    texts = {"raw_sql": template, "compiled_sql": sql}
    if version >= 7:
        texts = {"language": "sql", "raw_code": "--placeholder--" if version == 20 else template, "compiled_code": sql}
    hook = {"sql": "insert into dev.main.runs select id from dev.main.raw_orders", "transaction": True, "index": None}
    hooks: dict[str, Any] = (
        {"pre-hook": [], "post-hook": [hook]} if version < 20 else {"pre_hook": None, "post_hook": hook["sql"]}
    )
    config = {
        "enabled": True,
        "materialized": "table",
        "alias": None,
        "schema": None,
        "tags": [],
        "meta": {},
        "quoting": {},
    }
    if kind == "snapshot":
        config |= {"materialized": "snapshot", "unique_key": "id", "updated_at": "day", "strategy": "timestamp"}
    depends: dict[str, Any] = {"macros": [], "nodes": needs}
    if version == 20:
        depends["nodes_with_ref_location"] = []
    return {
        **_common(version, kind, name),
        **texts,
        "compiled": True,
        "extra_ctes": [],
        "extra_ctes_injected": True,
        "checksum": {"name": "sha256", "checksum": "0"},
        "config": config | (hooks if name == "orders" else {}),
        "refs": refs,
        "sources": [["raw", "orders"]] if needs == ["source.shop.raw.orders"] else [],
        "metrics": [],
        "depends_on": depends,
    }


def _metrics(version: int) -> list[dict[str, Any]]:
    """Revenue of what is paid, how many orders there are, and one by the other."""
    common = {
        "resource_type": "metric",
        "package_name": "shop",
        "original_file_path": "models/all.yml",
        "label": "",
        "meta": {},
        "tags": [],
    }
    over: dict[str, Any] = {
        "depends_on": {"macros": [], "nodes": ["model.shop.orders"]},
        "refs": [["orders"]],
        "model": "ref('orders')",
    }
    method, expression = ("calculation_method", "expression") if version >= 7 else ("type", "sql")
    old = {**common, "time_grains": ["day"], "dimensions": ["kind"], "timestamp": "day", "filters": []}
    paid = [{"field": "kind", "operator": "=", "value": "'paid'"}]
    derived = "derived" if version >= 7 else "expression"
    return [
        {**old, **over, "name": "revenue", method: "sum", expression: "amount", "filters": paid},
        {**old, **over, "name": "bought", method: "count_distinct", expression: "id"},
        {
            **old,
            "name": "mean",
            "model": None,
            method: derived,
            expression: "{{metric('revenue')}} / {{ metric('bought') }}",
            "metrics": [["revenue"], ["bought"]],
            "depends_on": {"macros": [], "nodes": ["metric.shop.revenue", "metric.shop.bought"]},
        },
    ]


def _semantics(version: int) -> dict[str, Any]:
    """The same for dbt 1.6 and later."""
    measures = [
        {"name": "total", "agg": "sum", "expr": "amount"},
        {"name": "bought_orders", "agg": "count_distinct", "expr": "id"},
    ]
    model = {
        "name": "orders_facts",
        "unique_id": "semantic_model.shop.orders_facts",
        "node_relation": {
            "alias": "orders",
            "schema_name": "main",
            "database": "dev",
            "relation_name": '"dev"."main"."orders"',
        },
        "entities": [{"name": "order", "type": "primary", "expr": "id"}],
        "dimensions": [{"name": "kind", "type": "categorical", "expr": None}],
        "measures": measures,
    }

    def metric(name: str, kind: str, **parameters: Any) -> dict[str, Any]:
        return {
            "name": name,
            "unique_id": f"metric.shop.{name}",
            "type": kind,
            "type_params": parameters,
            "filter": None,
        }

    paid = {"where_filters": [{"where_sql_template": "{{ Dimension('order__kind') }} = 'paid'"}]}
    metrics = [
        {**metric("revenue", "simple", measure={"name": "total", "filter": None}), "filter": paid},
        metric("bought", "simple", measure={"name": "bought_orders"}),
        metric("mean", "derived", expr="revenue / bought", metrics=[{"name": "revenue"}, {"name": "bought"}]),
    ]
    return {"semantic_models": {model["unique_id"]: model}, "metrics": {each["unique_id"]: each for each in metrics}}


def manifest(version: int) -> dict[str, Any]:
    """The manifest of a small project: a source, a seed, two models, a snapshot, an exposure, metrics, from dbt 1.3 on a program."""
    source = {
        **_common(version, "source", "orders"),
        "unique_id": "source.shop.raw.orders",
        "source_name": "raw",
        "identifier": "raw_orders",
        "relation_name": '"dev"."main"."raw_orders"',
        "loader": "",
        "quoting": {},
        "config": {"enabled": True},
    }
    seed = {
        **_common(version, "seed", "kinds"),
        "config": {"enabled": True, "materialized": "seed"},
        "original_file_path": "seeds/kinds.csv",
    }
    first = 'select id, day, kind, cents / 100 as amount from "dev"."main"."raw_orders"'
    second = 'select o.id, o.day, k.kind, o.amount from "dev"."main"."stg" as o join "dev"."main"."kinds" as k on o.kind = k.kind'
    nodes = [
        _query(version, "model", "stg", "select … {{ source('raw', 'orders') }}", first, ["source.shop.raw.orders"]),
        _query(version, "model", "orders", "select … {{ ref('stg') }}", second, ["model.shop.stg", "seed.shop.kinds"]),
        _query(version, "snapshot", "kept", "select …", 'select id, day from "dev"."main"."stg"', ["model.shop.stg"]),
        seed,
    ]
    if version >= 7:
        program = _query(version, "model", "scores", "", "", ["model.shop.orders"])
        body = "def model(dbt, session):\n    return dbt.ref('orders').select('id', 'amount')\n"
        nodes.append({**program, "language": "python", "compiled_code": body, "original_file_path": "models/scores.py"})
    exposure = {
        "name": "page",
        "unique_id": "exposure.shop.page",
        "type": "dashboard",
        "depends_on": {"nodes": ["model.shop.orders"]},
        "owner": {},
    }
    metadata = {
        "dbt_schema_version": f"https://schemas.getdbt.com/dbt/manifest/v{version}.json",
        "dbt_version": VERSIONS[version],
        "generated_at": "2025-01-01T00:00:00Z",
        "invocation_id": "0",
        "env": {},
        "project_id": "0",
        "adapter_type": "duckdb",
        **({"project_name": "shop"} if version >= 10 else {}),
    }
    semantics = (
        _semantics(version)
        if version >= 10
        else {"metrics": {f"metric.shop.{m['name']}": m for m in _metrics(version)}}
    )
    return {
        "metadata": metadata,
        "nodes": {node["unique_id"]: node for node in nodes},
        "sources": {source["unique_id"]: source},
        "macros": {},
        "docs": {},
        "exposures": {exposure["unique_id"]: exposure},
        "selectors": {},
        "disabled": {},
        "parent_map": {},
        "child_map": {},
        **({"functions": {}} if version == 20 else {}),
        **semantics,
    }


def written(folder: Path, version: int) -> Project:
    (folder / "manifest.json").write_text(json.dumps(manifest(version)), encoding="utf-8")
    return read_dbt(folder, environment={})


EDGES = {
    "stg.id <- raw_orders.id",
    "stg.day <- raw_orders.day",
    "stg.kind <- raw_orders.kind",
    "stg.amount <- raw_orders.cents",
    "orders.id <- stg.id",
    "orders.day <- stg.day",
    "orders.kind <- kinds.kind",
    "orders.amount <- stg.amount",
    "kept.id <- stg.id",
    "kept.day <- stg.day",
    "runs.id <- raw_orders.id",
}
PROGRAM = {"scores.id <- orders.id", "scores.amount <- orders.amount"}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_manifest_of_any_version_has_the_same_lineage(tmp_path: Path, version: int) -> None:
    project = written(tmp_path, version)
    found = project_lineage(project)
    assert [str(each) for each, _ in found.diagnostics()] == []
    tables = ("stg", "orders", "kept", "runs", "scores")
    edges = {
        f"{edge.target} <- {edge.source}".replace("dev.main.", "")
        for edge in found.lineage.column_edges(rows="none")
        if str(edge.target).split(".")[-2] in tables and "dbt_" not in str(edge.target)
    }
    assert edges == EDGES | (PROGRAM if version >= 7 else set())
    assert project.name == "shop"


@pytest.mark.parametrize("version", VERSIONS)
def test_metrics_of_any_version(tmp_path: Path, version: int) -> None:
    resolver = Resolver(written(tmp_path, version))
    columns = {
        name: {column.rpartition("main.")[2] for column in resolver.resolve(name).columns}
        for name in ("revenue", "bought", "mean")
    }
    assert columns == {
        "revenue": {"raw_orders.cents"},
        "bought": {"raw_orders.id"},
        "mean": {"raw_orders.cents", "raw_orders.id"},
    }
    assert "dev.main.kinds.kind" in resolver.resolve("revenue").influences


def test_a_metric_of_an_unknown_method_is_said(tmp_path: Path) -> None:
    content = manifest(8)
    content["metrics"]["metric.shop.bought"]["calculation_method"] = "guess"
    (tmp_path / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    project = read_dbt(tmp_path, environment={})
    assert [(each.code, each.subject) for each, _ in project.remarks] == [(Code.UNSUPPORTED_CONSTRUCT, "bought")]


def test_columns_may_be_called_like_what_a_manifest_has(tmp_path: Path) -> None:
    content = manifest(12)
    node = next(each for each in content["nodes"].values() if each["name"] == "orders")
    for name in ("resource_type", "raw_code", "unique_id"):
        node["columns"][name] = {"name": name, "description": "", "meta": {}, "tags": ["odd"]}
    (tmp_path / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    project = read_dbt(tmp_path, environment={})
    assert project.remarks == ()
    tags = next(model.tags for model in project.models if model.name == "model.shop.orders")
    assert {"resource_type", "raw_code", "unique_id"} <= tags.keys()
