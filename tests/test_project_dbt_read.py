"""dbt projects: what real dbt makes of the example, and manifests of every odd shape, written by hand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import headwater
from headwater.model.diagnostic import Code, Diagnostic
from headwater.project.dbt import read_dbt
from headwater.project.lineage import project_lineage
from headwater.project.objects import Field, Model, Place, Project
from headwater.project.resolver import Resolver
from headwater.project.yaml_document import read_document
from headwater.project.yaml_plain import plain

NO_VARIABLES: dict[str, str] = {}


def written(folder: Path, **sections: Any) -> Project:
    """The project of a manifest with these sections, and nothing else around it."""
    metadata = {
        "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
        "project_name": "shop",
        "adapter_type": "postgres",
        **sections.pop("metadata", {}),
    }
    sections = {name: _by_id(value) for name, value in sections.items()}
    (folder / "manifest.json").write_text(json.dumps({"metadata": metadata, "nodes": {}, **sections}), encoding="utf-8")
    return read_dbt(folder, environment=NO_VARIABLES)


def _by_id(nodes: list[dict[str, Any]]) -> dict[str, Any]:
    return {f"{at}.{node.get('unique_id')}": node for at, node in enumerate(nodes)}


def node(name: str, sql: str | None = "select 1 as a", **more: Any) -> dict[str, Any]:
    """A model of a manifest."""
    return {
        "unique_id": f"model.shop.{name}",
        "name": name,
        "resource_type": "model",
        "package_name": "shop",
        "language": "sql",
        "original_file_path": f"models/{name}.sql",
        "relation_name": f'"db"."public"."{name}"',
        "compiled_code": sql,
        "config": {"materialized": "view", "enabled": True},
        "columns": {},
        **more,
    }


ORDERS = {
    "name": "orders",
    "node_relation": {"relation_name": '"db"."public"."orders"'},
    "defaults": {"agg_time_dimension": "ordered_at"},
    "entities": [{"name": "order", "type": "primary", "expr": "order_id"}, {"name": "customer", "type": "foreign"}],
    "dimensions": [{"name": "status", "type": "categorical"}, {"name": "ordered_at", "type": "time", "expr": "at"}],
    "measures": [
        {"name": "total", "agg": "sum", "expr": "amount"},
        {"name": "orders_made", "agg": "count", "expr": "1"},
    ],
}
CUSTOMERS = {
    "name": "customers",
    "node_relation": {"relation_name": '"db"."public"."customers"'},
    "entities": [{"name": "customer", "type": "primary", "expr": "id"}],
    "dimensions": [{"name": "status", "type": "categorical", "expr": "state"}],
    "measures": [],
}


def metric(name: str, type: str, **parameters: Any) -> dict[str, Any]:
    return {"name": name, "type": type, "type_params": parameters}


def models(project: Project) -> dict[str, Model]:
    return {model.name: model for model in project.models}


def fields(project: Project) -> dict[str, Field]:
    return {field.full_name: field for field in project.fields}


def codes(project: Project) -> list[Code]:
    return [diagnostic.code for diagnostic, _ in project.remarks]


def of_metric(folder: Path, *metrics: dict[str, Any]) -> Field:
    """The last of some metrics over orders and customers."""
    project = written(folder, semantic_models=[ORDERS, CUSTOMERS], metrics=list(metrics))
    assert project.remarks == ()
    return fields(project)[metrics[-1]["name"]]


# Tables and names.


def test_a_model_is_its_relation(tmp_path: Path) -> None:
    project = written(tmp_path, nodes=[node("orders", "select a from x", description="All of them.")])
    model = models(project)["model.shop.orders"]
    assert (model.sql, model.table, model.materialized) == ("select a from x", ("db", "public", "orders"), "view")
    assert (model.place, model.description) == (Place("models/orders.sql"), "All of them.")
    assert project.name == "shop"
    assert project.tool == "dbt"
    assert project.sources[0].schema == ("db", "public")


@pytest.mark.parametrize(
    ("adapter", "relation", "table"),
    [
        ("postgres", '"Db"."Public"."Orders"', ("Db", "Public", "Orders")),
        ("snowflake", "analytics.public.orders", ("ANALYTICS", "PUBLIC", "ORDERS")),
        ("snowflake", 'analytics.public."orders"', ("ANALYTICS", "PUBLIC", "orders")),
        ("bigquery", "`my-project`.`sales`.`orders`", ("my-project", "sales", "orders")),
        ("databricks", "`main`.`Sales`.`Orders`", ("main", "sales", "orders")),
        ("sqlserver", "[db].[dbo].[orders]", ("db", "dbo", "orders")),
        ("postgres", '"a""b"."c.d"', ('a"b', "c.d")),
    ],
)
def test_names_are_folded_as_they_are_quoted(
    tmp_path: Path, adapter: str, relation: str, table: tuple[str, ...]
) -> None:
    project = written(tmp_path, metadata={"adapter_type": adapter}, nodes=[node("m", relation_name=relation)])
    assert project.models[0].table == table


def test_an_adapter_that_nobody_knows_is_said(tmp_path: Path) -> None:
    project = written(tmp_path, metadata={"adapter_type": "abacus"}, nodes=[node("m")])
    assert project.sources[0].dialect == "ansi"
    assert codes(project) == [Code.INVALID_PROJECT]


@pytest.mark.parametrize(
    ("materialized", "what"),
    [
        ("view", "view"),
        ("materialized_view", "view"),
        ("table", "table"),
        ("incremental", "table"),
        ("dynamic_table", "table"),
    ],
)
def test_materializations(tmp_path: Path, materialized: str, what: str) -> None:
    project = written(tmp_path, nodes=[node("m", config={"materialized": materialized})])
    assert project.models[0].materialized == what


def test_an_ephemeral_model_is_no_table(tmp_path: Path) -> None:
    project = written(tmp_path, nodes=[node("m", relation_name=None, config={"materialized": "ephemeral"})])
    assert (project.models[0].table, project.models[0].materialized) == (None, "nothing")


def test_versions_and_packages_are_told_apart(tmp_path: Path) -> None:
    old = node("orders", unique_id="model.shop.orders.v1", version=1, relation_name='"db"."public"."orders_v1"')
    new = node("orders", unique_id="model.shop.orders.v2", version=2, relation_name='"db"."public"."orders_v2"')
    other = node("orders", unique_id="model.tools.orders", package_name="tools", relation_name='"db"."tools"."orders"')
    found = models(written(tmp_path, nodes=[old, new, other]))
    assert {name: model.table for name, model in found.items()} == {
        "model.shop.orders.v1": ("db", "public", "orders_v1"),
        "model.shop.orders.v2": ("db", "public", "orders_v2"),
        "model.tools.orders": ("db", "tools", "orders"),
    }


def test_the_files_of_packages_lie_in_their_folder(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text("name: shop\n", encoding="utf-8")
    project = written(tmp_path, nodes=[node("m", package_name="tools"), node("n")])
    assert [model.place.path for model in project.models] == [
        f"{tmp_path}/dbt_packages/tools/models/m.sql",
        f"{tmp_path}/models/n.sql",
    ]


def test_disabled_nodes_and_tests_are_left_out(tmp_path: Path) -> None:
    off = node("off", config={"enabled": False})
    check = node("check", unique_id="test.shop.check", resource_type="test")
    project = written(tmp_path, nodes=[off, check, node("on")])
    assert [model.name for model in project.models] == ["model.shop.on"]
    assert project.remarks == ()


def test_a_python_model_is_a_table_that_nobody_looks_into(tmp_path: Path) -> None:
    columns = {"a": {"name": "a", "data_type": "int"}}
    python = node("m", "def model(dbt, session): ...", language="python", columns=columns)
    project = written(tmp_path, nodes=[python])
    model = project.models[0]
    assert (model.sql, model.materialized, model.columns) == ("", "nothing", {"a": "int"})
    assert codes(project) == [Code.UNSUPPORTED_CONSTRUCT]


def test_a_model_that_was_not_compiled_says_what_to_run(tmp_path: Path) -> None:
    project = written(tmp_path, nodes=[node("m", None), node("n", "select 1 as b")])
    (remark, place), *others = project.remarks
    assert others == []
    assert (remark.code, remark.subject, place.path) == (Code.UNREAD_MODEL, "model.shop.m", "models/m.sql")
    assert "dbt compile" in remark.hint
    assert [model.materialized for model in project.models] == ["nothing", "view"]


def test_an_analysis_is_a_query(tmp_path: Path) -> None:
    analysis = node("best", unique_id="analysis.shop.best", resource_type="analysis", relation_name=None)
    model = written(tmp_path, nodes=[analysis]).models[0]
    assert (model.name, model.table, model.sql) == ("analysis.shop.best", None, "select 1 as a")


# What people wrote about them.


def test_tags_and_meta(tmp_path: Path) -> None:
    columns = {
        "email": {
            "name": "email",
            "tags": ["pii"],
            "meta": {"masked": True, "level": "strict", "shown": False, "at": {"deep": 1}},
            "config": {"tags": ["pii", "gdpr"], "meta": {"owners": ["a", "b"]}},
        },
        "id": {"name": "id", "tags": []},
    }
    model = written(tmp_path, nodes=[node("m", tags=["daily"], meta={"team": "crm"}, columns=columns)]).models[0]
    assert model.tags == {
        "": ("daily", "team=crm"),
        "email": ("pii", "gdpr", "masked", "level=strict", "owners=a", "owners=b"),
    }


def source(columns: dict[str, str | None]) -> dict[str, Any]:
    return {
        "unique_id": "source.shop.raw.orders",
        "source_name": "raw",
        "name": "orders",
        "resource_type": "source",
        "package_name": "shop",
        "original_file_path": "models/sources.yml",
        "relation_name": '"db"."raw"."Orders"',
        "columns": {name: {"name": name, "data_type": type} for name, type in columns.items()},
    }


def test_a_source_has_the_columns_that_are_declared_with_types(tmp_path: Path) -> None:
    project = written(tmp_path, sources=[source({"id": "int", "at": "date"})])
    model = models(project)["source.shop.raw.orders"]
    assert (model.table, model.materialized, model.sql) == (("db", "raw", "Orders"), "nothing", "")
    assert project.catalog == {'"db"."raw"."Orders"': {"id": "int", "at": "date"}}


def test_a_source_of_which_some_columns_are_described_is_not_said_to_have_no_others(tmp_path: Path) -> None:
    project = written(tmp_path, sources=[source({"id": None})])
    assert (project.models[0].columns, project.catalog) == (None, {})


def test_the_columns_of_the_database_win(tmp_path: Path) -> None:
    columns = {
        "orderId": {"name": "orderId", "type": "text", "index": 2},
        "id": {"name": "id", "type": "int8", "index": 1},
    }
    catalog = {"nodes": {}, "sources": {"source.shop.raw.orders": {"columns": columns}}}
    (tmp_path / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    project = written(tmp_path, sources=[source({"id": "int"})])
    assert list(project.catalog['"db"."raw"."Orders"'].items()) == [("id", "int8"), ('"orderId"', "text")]


def test_a_seed_has_the_columns_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text("name: shop\n", encoding="utf-8")
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "countries.csv").write_bytes(b'\xef\xbb\xbfcode;"full name"\nde;Germany\n')
    seed = node("countries", None, unique_id="seed.shop.countries", resource_type="seed")
    seed |= {
        "original_file_path": "seeds/countries.csv",
        "config": {"delimiter": ";", "column_types": {"code": "char(2)"}},
    }
    project = written(tmp_path, nodes=[seed])
    assert project.models[0].columns == {"code": "char(2)", "full name": ""}
    assert project.models[0].materialized == "nothing"
    assert project.remarks == ()


def test_a_snapshot_has_the_columns_that_dbt_adds(tmp_path: Path) -> None:
    config = {
        "strategy": "timestamp",
        "updated_at": "changed",
        "unique_key": ["id", "region"],
        "hard_deletes": "new_record",
        "snapshot_meta_column_names": {"dbt_valid_to": "valid_until", "dbt_valid_from": None},
    }
    snapshot = node("history", "select id, region, changed from t -- all", resource_type="snapshot", config=config)
    model = written(tmp_path, nodes=[snapshot]).models[0]
    lineage = headwater.analyze(f"create table h as {model.sql}", dialect="postgres")
    edges = {(str(edge.target), str(edge.source)) for edge in lineage.column_edges() if edge.type == "fdd"}
    assert {target for target, _ in edges} == {
        *("h.id", "h.region", "h.changed", "h.dbt_scd_id", "h.dbt_updated_at", "h.dbt_valid_from", "h.valid_until"),
    }
    assert {source for target, source in edges if target == "h.dbt_scd_id"} == {"t.id", "t.region", "t.changed"}
    assert {source for target, source in edges if target == "h.dbt_valid_from"} == {"t.changed"}
    assert "dbt_is_deleted" in model.sql


def test_an_exposure_shows_what_it_depends_on(tmp_path: Path) -> None:
    exposure = {
        "name": "report",
        "unique_id": "exposure.shop.report",
        "owner": {"email": "somebody@example.com"},
        "depends_on": {"nodes": ["model.shop.orders", "source.shop.raw.orders", "metric.shop.revenue"]},
        "tags": ["daily"],
        "original_file_path": "models/e.yml",
    }
    (found,) = written(tmp_path, exposures=[exposure]).presentations
    assert (found.kind, found.word, found.name, found.tags) == ("exposure", "exposure", "report", ("daily",))
    assert [str(shown) for shown in found.shows] == ["model.shop.orders", "source.shop.raw.orders", "revenue"]
    assert "somebody" not in repr(found)


# The semantic layer.


def test_a_semantic_model_is_a_view_over_its_table(tmp_path: Path) -> None:
    project = written(tmp_path, nodes=[node("orders")], semantic_models=[ORDERS])
    assert models(project)["orders"].sql == 'select * from "db"."public"."orders"'
    assert {name: (field.kind, str(field.expression)) for name, field in fields(project).items()} == {
        "orders.order": ("dimension", "order_id"),
        "orders.customer": ("dimension", "customer"),
        "orders.status": ("dimension", "status"),
        "orders.ordered_at": ("dimension", "at"),
        "orders.total": ("metric", "SUM(amount)"),
        "orders.orders_made": ("metric", "COUNT(1)"),
    }


def test_a_semantic_model_with_the_name_of_a_metric(tmp_path: Path) -> None:
    project = written(tmp_path, semantic_models=[ORDERS], metrics=[metric("orders", "simple", measure="total")])
    assert [model.name for model in project.models] == ["orders"]
    assert str(fields(project)["orders"].expression) == "${orders.total}"


def test_an_entity_that_is_more_than_a_column_joins_as_an_entity(tmp_path: Path) -> None:
    odd = {**ORDERS, "entities": [{"name": "customer", "type": "foreign", "expr": "coalesce(a, b)"}]}
    (relation,) = written(tmp_path, semantic_models=[odd, CUSTOMERS]).relations
    assert str(relation.condition) == "${orders.customer} = ${customers.id}"


@pytest.mark.parametrize(
    ("measure", "sql"),
    [
        ({"agg": "sum"}, "SUM(x + 1)"),
        ({"agg": "MIN"}, "MIN(x + 1)"),
        ({"agg": "max"}, "MAX(x + 1)"),
        ({"agg": "average"}, "AVG(x + 1)"),
        ({"agg": "count_distinct"}, "COUNT(DISTINCT x + 1)"),
        ({"agg": "sum_boolean"}, "SUM(CASE WHEN x + 1 THEN 1 ELSE 0 END)"),
        ({"agg": "median"}, "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x + 1)"),
        (
            {"agg": "percentile", "agg_params": {"percentile": 0.9}},
            "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x + 1)",
        ),
        (
            {"agg": "percentile", "agg_params": {"percentile": 0.1, "use_discrete_percentile": True}},
            "PERCENTILE_DISC(0.1) WITHIN GROUP (ORDER BY x + 1)",
        ),
    ],
)
def test_measures_are_aggregates(tmp_path: Path, measure: dict[str, Any], sql: str) -> None:
    model = {**ORDERS, "measures": [{"name": "m", "expr": "x + 1", **measure}]}
    assert str(fields(written(tmp_path, semantic_models=[model]))["orders.m"].expression) == sql


def test_an_aggregation_that_nobody_knows_is_said(tmp_path: Path) -> None:
    project = written(tmp_path, semantic_models=[{**ORDERS, "measures": [{"name": "m", "agg": "guess"}]}])
    assert codes(project) == [Code.UNSUPPORTED_CONSTRUCT]


def test_a_measure_that_cannot_be_added_up_takes_the_last_row_of_each_group(tmp_path: Path) -> None:
    chosen = {"name": "ordered_at", "window_choice": "max", "window_groupings": ["order"]}
    model = {**ORDERS, "measures": [{"name": "m", "agg": "sum", "expr": "x", "non_additive_dimension": chosen}]}
    field = fields(written(tmp_path, semantic_models=[model]))["orders.m"]
    assert [str(condition) for condition in field.filters] == [
        '(order_id, at) IN (SELECT order_id, MAX(at) FROM "db"."public"."orders" GROUP BY order_id)'
    ]


def test_entities_of_one_name_join_models(tmp_path: Path) -> None:
    visits = {**ORDERS, "name": "visits", "entities": [{"name": "customer", "type": "foreign", "expr": "who"}]}
    details = {**CUSTOMERS, "name": "details", "entities": [{"name": "customer", "type": "unique", "expr": "cid"}]}
    relations = written(tmp_path, semantic_models=[ORDERS, CUSTOMERS, visits, details]).relations
    assert {str(relation.condition) for relation in relations} == {
        "${orders.customer} = ${customers.id}",
        "${visits.who} = ${customers.id}",
        "${details.cid} = ${customers.id}",
        "${orders.customer} = ${details.cid}",
        "${visits.who} = ${details.cid}",
    }
    assert {relation.join for relation in relations} == {"left"}
    assert len({relation.name for relation in relations}) == len(relations) == 5


# Metrics.

TOTAL = "${orders.total}"
REVENUE = metric("revenue", "simple", measure={"name": "total"})
MADE = metric("made", "simple", measure="orders_made")


def test_a_simple_metric(tmp_path: Path) -> None:
    field = of_metric(tmp_path, {**REVENUE, "label": "Revenue", "tags": ["money"]})
    assert (field.kind, field.model, str(field.expression)) == ("metric", "", TOTAL)
    assert (field.description, field.tags) == ("Revenue", ("money",))


def test_what_fills_gaps_is_a_part_of_the_metric(tmp_path: Path) -> None:
    field = of_metric(tmp_path, metric("m", "simple", measure={"name": "total", "fill_nulls_with": 0}))
    assert str(field.expression) == f"COALESCE({TOTAL}, 0)"


def test_a_metric_with_an_aggregation_of_its_own(tmp_path: Path) -> None:
    """As dbt 1.12 writes them down: there are no measures any more."""
    own = {"semantic_model": "orders", "agg": "sum", "agg_time_dimension": "ordered_at"}
    given = metric("spent", "simple", expr="amount * 2", metric_aggregation_params=own, measure=None, fill_nulls_with=0)
    given["filter"] = "{{ TimeDimension('metric_time', 'day') }} > '2025-01-01'"
    project = written(tmp_path, semantic_models=[{**ORDERS, "measures": []}], metrics=[given])
    assert project.remarks == ()
    found = fields(project)
    assert str(found["orders.spent"].expression) == "SUM(amount * 2)"
    assert str(found["spent"].expression) == "COALESCE(${orders.spent}, 0)"
    assert [str(each) for each in found["spent"].filters] == ["${orders.ordered_at} > '2025-01-01'"]


def test_a_semantic_model_that_is_written_into_its_model(tmp_path: Path) -> None:
    """The latest way to write them: columns are dimensions, and metrics stand beside them."""
    yaml = "models:\n  - name: sales\n    semantic_model: {enabled: true, name: orders}\n    columns:\n"
    yaml += "      - name: status\n        dimension: {type: categorical}\n    metrics:\n      - name: spent\n        agg: sum\n"
    (tmp_path / "dbt_project.yml").write_text("name: shop\n", encoding="utf-8")
    (tmp_path / "m.yml").write_text(yaml, encoding="utf-8")
    stands = {"original_file_path": "m.yml", "package_name": "shop"}
    relation = {"relation_name": "sales", "alias": "sales"}
    model = {**ORDERS, **stands, "node_relation": relation, "measures": []}
    own = {"semantic_model": "orders", "agg": "sum"}
    given = {**metric("spent", "simple", metric_aggregation_params=own), **stands}
    project = written(tmp_path, semantic_models=[model], metrics=[given])
    lines = {name: field.place.line for name, field in fields(project).items()}
    assert (lines["orders.status"], lines["spent"], lines["orders.spent"]) == (5, 8, 8)
    assert models(project)["orders"].place.line == 2
    assert str(fields(project)["orders.spent"].expression) == "SUM(spent)"


ONLY_X = {"where_filters": [{"where_sql_template": "{{ Dimension('order__status') }} = 'x'"}]}


def test_a_ratio_one_of_whose_inputs_has_a_filter(tmp_path: Path) -> None:
    ratio = metric("r", "ratio", numerator={"name": "revenue"}, denominator={"name": "made", "filter": ONLY_X})
    ratio["filter"] = "{{ Dimension('order__status') }} = 'y'"
    project = written(tmp_path, semantic_models=[ORDERS], metrics=[REVENUE, MADE, ratio])
    found = {name: (str(each.expression), list(map(str, each.filters))) for name, each in fields(project).items()}
    assert found["r"] == ("${revenue} / NULLIF(${r__denominator}, 0)", ["${orders.status} = 'y'"])
    assert found["r__denominator"] == ("${made}", ["${orders.status} = 'x'"])
    assert "r__numerator" not in found


def test_the_filter_of_an_input_counts_in_the_query_for_that_input_only(tmp_path: Path) -> None:
    ratio = metric("r", "ratio", numerator="revenue", denominator={"name": "revenue", "filter": ONLY_X})
    query = Resolver(written(tmp_path, semantic_models=[ORDERS], metrics=[REVENUE, ratio])).resolve("r").query
    above, below = query.split(" / ")
    assert ("FILTER" in above, below.count("FILTER")) == (False, 1)


def test_a_derived_metric_of_one_metric_with_and_without_a_filter(tmp_path: Path) -> None:
    inputs = [{"name": "revenue", "filter": ONLY_X, "alias": "some"}, {"name": "revenue", "alias": "whole"}]
    derived = metric("d", "derived", expr="some / whole", metrics=inputs)
    project = written(tmp_path, semantic_models=[ORDERS], metrics=[REVENUE, derived])
    assert str(fields(project)["d"].expression) == "${d__some} / ${revenue}"
    assert [str(each) for each in fields(project)["d__some"].filters] == ["${orders.status} = 'x'"]
    assert fields(project)["d"].filters == ()
    found = Resolver(project).resolve("d")
    assert {each.rpartition(".")[2] for each in found.influences} == {"status"}


def test_a_derived_metric_names_others_by_alias(tmp_path: Path) -> None:
    inputs = [{"name": "revenue"}, {"name": "revenue", "alias": "before", "offset_window": "1 month"}, {"name": "made"}]
    text = "(revenue - before) / nullif(before, 0) /* made */ + made || 'revenue' || revenue_x"
    field = of_metric(tmp_path, REVENUE, MADE, metric("d", "derived", expr=text, metrics=inputs))
    assert str(field.expression) == (
        "(${revenue} - ${revenue}) / nullif(${revenue}, 0) /* made */ + ${made} || 'revenue' || revenue_x"
    )


@pytest.mark.parametrize(
    "parameters",
    [
        {"measure": {"name": "total"}, "window": {"count": 7, "granularity": "day"}},
        {"measure": "total", "cumulative_type_params": {"grain_to_date": "year", "metric": None}},
    ],
)
def test_a_cumulative_metric_counts_the_rows_up_to_a_time(tmp_path: Path, parameters: dict[str, Any]) -> None:
    field = of_metric(tmp_path, metric("c", "cumulative", **parameters))
    assert str(field.expression) == TOTAL
    assert [str(each) for each in field.filters] == ["${orders.ordered_at} <= CURRENT_TIMESTAMP"]


def test_a_cumulative_metric_over_a_metric(tmp_path: Path) -> None:
    field = of_metric(
        tmp_path, REVENUE, metric("c", "cumulative", cumulative_type_params={"metric": {"name": "revenue"}})
    )
    assert str(field.expression) == "${revenue}"
    assert [str(each) for each in field.filters] == ["${orders.ordered_at} <= CURRENT_TIMESTAMP"]


VISITS = {
    "name": "visits",
    "node_relation": {"relation_name": "visits"},
    "defaults": {"agg_time_dimension": "visited_at"},
    "entities": [{"name": "customer", "type": "foreign", "expr": "who"}],
    "dimensions": [{"name": "visited_at", "type": "time"}, {"name": "page", "type": "categorical"}],
    "measures": [{"name": "seen", "agg": "count", "expr": "1"}],
}


@pytest.mark.parametrize("calculation", ["conversion_rate", "conversions"])
@pytest.mark.parametrize("inputs", ["measure", "metric"])
def test_a_conversion(tmp_path: Path, calculation: str, inputs: str) -> None:
    same = {"base_property": "page", "conversion_property": "order__status"}
    parameters = {"entity": "customer", "calculation": calculation, "constant_properties": [same]}
    names = ("seen", "total") if inputs == "measure" else ("looks", "revenue")
    parameters |= {f"base_{inputs}": {"name": names[0]}, f"conversion_{inputs}": {"name": names[1]}}
    metrics = [
        REVENUE,
        metric("looks", "simple", measure="seen"),
        metric("c", "conversion", conversion_type_params=parameters),
    ]
    project = written(tmp_path, semantic_models=[ORDERS, VISITS], metrics=metrics)
    field = fields(project)["c"]
    base, bought = ("${visits.seen}", TOTAL) if inputs == "measure" else ("${looks}", "${revenue}")
    expected = f"{bought} / NULLIF({base}, 0)" if calculation == "conversion_rate" else bought
    assert str(field.expression) == expected
    assert [str(condition) for condition in field.filters] == [
        "${orders.customer} = ${visits.customer}",
        "${orders.status} = ${visits.page}",
        "${orders.ordered_at} >= ${visits.visited_at}",
    ]


@pytest.mark.parametrize(
    ("template", "condition"),
    [
        ("{{ Dimension('order__status') }} = 'a'", "${orders.status} = 'a'"),
        ("{{Dimension('customer__status')}} = 'a'", "${customers.status} = 'a'"),
        ("{{ Dimension('order__customer__status') }} is null", "${customers.status} is null"),
        ("{{ Dimension('status', entity_path=['order']) }} is null", "${orders.status} is null"),
        ("{{ TimeDimension('order__ordered_at', 'week') }} > 1", "${orders.ordered_at} > 1"),
        ("{{ Dimension('order__ordered_at__month') }} > 1", "${orders.ordered_at} > 1"),
        ("{{ Dimension('order__ordered_at').grain('month') }} > 1", "${orders.ordered_at} > 1"),
        ("{{ TimeDimension('metric_time') }} > 1", "${orders.ordered_at} > 1"),
        ("{{ Dimension('metric_time__day') }} > 1", "${orders.ordered_at} > 1"),
        ("{{ Entity('customer') }} = 7", "${orders.customer} = 7"),
        ("{{ Metric('made', group_by=['customer']) }} > 3", "${made} > 3"),
        ("{{ Dimension('order__nothing') }} = 1", "${order.nothing} = 1"),
        ("not {{ Dimension('order__status')\n}}", "not ${orders.status}"),
        ("{{ 1 + }} = 1", "1 + = 1"),
        ("amount > 0", "amount > 0"),
    ],
)
def test_filters_name_dimensions(tmp_path: Path, template: str, condition: str) -> None:
    field = of_metric(tmp_path, MADE, {**REVENUE, "filter": {"where_filters": [{"where_sql_template": template}]}})
    assert [str(each) for each in field.filters] == [condition]


def test_the_time_of_a_metric_over_two_models_is_that_of_each(tmp_path: Path) -> None:
    looks = metric("looks", "simple", measure="seen")
    ratio = metric("r", "ratio", numerator="revenue", denominator="looks")
    ratio["filter"] = ["{{ TimeDimension('metric_time', 'day') }} > '2025-01-01'"]
    project = written(tmp_path, semantic_models=[ORDERS, VISITS], metrics=[REVENUE, looks, ratio])
    assert {str(each) for each in fields(project)["r"].filters} == {
        "${orders.ordered_at} > '2025-01-01'",
        "${visits.visited_at} > '2025-01-01'",
    }


def test_metrics_that_go_round_in_circles_are_read(tmp_path: Path) -> None:
    one = metric("one", "derived", expr="two", metrics=["two"]) | {"filter": "{{ TimeDimension('metric_time') }} > 1"}
    two = metric("two", "derived", expr="one", metrics=["one"])
    assert str(fields(written(tmp_path, metrics=[one, two]))["one"].expression) == "${two}"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (metric("m", "simple", measure={"name": "gone"}), Code.UNKNOWN_REFERENCE),
        (metric("m", "simple"), Code.UNKNOWN_REFERENCE),
        (metric("m", "ratio", numerator="revenue"), Code.UNKNOWN_REFERENCE),
        (metric("m", "derived"), Code.UNKNOWN_REFERENCE),
        (metric("m", "prophecy"), Code.UNSUPPORTED_CONSTRUCT),
        ({"name": "m", "type": "simple", "type_params": "x"}, Code.UNKNOWN_REFERENCE),
    ],
)
def test_a_metric_that_cannot_be_worked_out_is_said(tmp_path: Path, given: dict[str, Any], code: Code) -> None:
    project = written(tmp_path, semantic_models=[ORDERS], metrics=[REVENUE, given])
    assert set(codes(project)) == {code}
    assert {diagnostic.subject for diagnostic, _ in project.remarks} == {"m"}
    assert "NULL" in str(fields(project)["m"].expression)


def test_a_saved_query(tmp_path: Path) -> None:
    asked = {
        "metrics": ["revenue"],
        "group_by": ["TimeDimension('metric_time', 'day')", "Dimension('customer__status')", "order__status"],
        "where": {"where_filters": [{"where_sql_template": "{{ Dimension('order__status') }} = 'a'"}]},
        "order_by": ["-revenue", "Metric('revenue').descending(True)"],
    }
    query = {"name": "q", "query_params": asked, "exports": [], "tags": ["x"]}
    project = written(tmp_path, semantic_models=[ORDERS, CUSTOMERS], metrics=[REVENUE], saved_queries=[query])
    (found,) = project.presentations
    assert (found.kind, found.word, found.name, found.tags) == ("exposure", "saved_query", "q", ("x",))
    assert [(name, str(expression)) for name, expression in found.properties] == [
        ("revenue", "${revenue}"),
        ("metric_time", "${orders.ordered_at}"),
        ("customer__status", "${customers.status}"),
        ("order__status", "${orders.status}"),
    ]
    assert [str(condition) for condition in found.filters] == ["${orders.status} = 'a'"]
    assert [str(expression) for expression in found.sorts] == ["${revenue}", "${revenue}"]


def test_the_semantic_manifest_has_what_the_manifest_lacks(tmp_path: Path) -> None:
    lists = {"semantic_models": [ORDERS], "metrics": [REVENUE, MADE], "saved_queries": []}
    (tmp_path / "semantic_manifest.json").write_text(json.dumps(lists), encoding="utf-8")
    project = written(tmp_path, metrics=[REVENUE])
    assert [field.full_name for field in project.fields if not field.model] == ["revenue", "made"]
    assert str(fields(project)["made"].expression) == "${orders.orders_made}"
    assert project.files[:2] == (f"{tmp_path}/manifest.json", f"{tmp_path}/semantic_manifest.json")


# Files that are not as they should be.


def test_an_old_manifest_is_read_and_said(tmp_path: Path) -> None:
    old = {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v3.json"}
    model = node("m", None, compiled_sql="select 2 as b")
    project = written(tmp_path, metadata=old, nodes=[model])
    assert project.models[0].sql == "select 2 as b"
    assert codes(project) == [Code.INVALID_PROJECT]
    assert "1.0" in project.remarks[0][0].hint


@pytest.mark.parametrize("version", [10, 11, 12, 13])
def test_manifests_of_dbt_from_1_6_on_are_read(tmp_path: Path, version: int) -> None:
    metadata = {"dbt_schema_version": f"https://schemas.getdbt.com/dbt/manifest/v{version}.json"}
    project = written(tmp_path, metadata=metadata, nodes=[node("m")], semantic_models=[ORDERS], metrics=[REVENUE])
    assert project.remarks == ()
    assert str(fields(project)["revenue"].expression) == TOTAL


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b'{"metadata": {"project_name": "shop"}, "nodes": {"a"', Code.UNREADABLE_FILE),
        (b"", Code.UNREADABLE_FILE),
        (b"\xff\xfe\xfa not json", Code.UNREADABLE_FILE),
        (b"[" * 100_000, Code.UNREADABLE_FILE),
        (b"[]", Code.INVALID_PROJECT),
        (b'{"metadata": {"dbt_schema_version": "x/catalog/v1.json"}, "nodes": {}}', Code.INVALID_PROJECT),
        (b'{"nodes": 7, "parent_map": 8, "metadata": 9}', None),
    ],
)
def test_a_damaged_manifest_is_a_remark(tmp_path: Path, content: bytes, code: Code | None) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    project = read_dbt(tmp_path, environment=NO_VARIABLES)
    assert project.models == ()
    assert code is None or codes(project) == [code]
    assert all("dbt compile" in diagnostic.hint for diagnostic, _ in project.remarks if diagnostic.code is code)


@pytest.mark.parametrize("value", [None, 7, "x", [], [None], {}, {"a": None}, [[]], True])
def test_values_of_a_wrong_shape_are_absent(tmp_path: Path, value: Any) -> None:
    odd = dict.fromkeys(node("m"), value) | {"unique_id": "model.shop.m", "resource_type": "model"}
    project = written(
        tmp_path,
        nodes=[
            odd,
            {**odd, "unique_id": "s", "resource_type": "snapshot"},
            {**odd, "unique_id": "seed.shop.m", "resource_type": "seed"},
        ],
        sources=[{**odd, "unique_id": "source.shop.m"}, odd | {"unique_id": value}],
        exposures=[{"name": value, "depends_on": value, "tags": value}],
        semantic_models=[
            {**ORDERS, "entities": value, "defaults": value},
            {"name": value, "measures": [{"name": "x", "agg": value}]},
        ],
        metrics=[
            {"name": "m", "type": "simple", "type_params": value, "filter": value},
            {"name": value, "type": value},
        ],
        saved_queries=[{"name": "q", "query_params": {"metrics": value, "group_by": value, "where": value}}],
    )
    assert [model.name for model in project.models][:4] == ["model.shop.m", "s", "seed.shop.m", "source.shop.m"]
    assert all(each.name for each in (*project.models, *project.fields, *project.presentations))


def test_a_folder_without_a_project_says_so(tmp_path: Path) -> None:
    project = read_dbt(tmp_path, environment=NO_VARIABLES)
    assert codes(project) == [Code.INVALID_PROJECT]
    assert "dbt_project.yml" in project.remarks[0][0].message


def test_damaged_yaml_is_a_remark_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text("name: shop\n", encoding="utf-8")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "sources.yml").write_text("sources:\n  - name: 'raw\n", encoding="utf-8")
    project = written(tmp_path, sources=[source({"id": "int"})])
    assert codes(project) == [Code.INVALID_PROJECT]
    assert project.models[0].place == Place(f"{tmp_path}/models/sources.yml")


MERGES = "a0: &a0 {k: v}\n" + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}\n" for n in range(1, 12))
ALIASES = "a0: &a0 [v]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
CHAIN = "a0: &a0 [v]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 5_000))


@pytest.mark.parametrize(
    ("yaml", "problem"),
    [
        ("a: " + "[" * 100_000, "nested more than 200 deep"),
        ("a: " + "{b: " * 300 + "1" + "}" * 300, "nested more than 200 deep"),
        (ALIASES, "more than 1,000,000 values"),
        (CHAIN, "nested more than 200 deep"),
        ("a: &a [*a]", "the alias *a stands for nothing"),
        ("a: 1\na: 2", "the key a stands twice"),
        ("a: !secret b", "tag"),
        ("a: !!python/object:os.system x", "tag"),
        ("- a\n- b\n", "no mapping"),
        ("a: 'b", "ends inside of a text in quotes"),
    ],
)
def test_yaml_that_nobody_writes_is_refused(tmp_path: Path, yaml: str, problem: str) -> None:
    project = uncompiled(tmp_path, {"models/x.yml": yaml, "models/m.sql": "select 1 as a"})
    assert codes(project) == [Code.TEMPLATE, Code.INVALID_PROJECT]
    assert problem in project.remarks[1][0].message
    assert [model.name for model in project.models] == ["model.shop.m"]


def test_merges_of_merges_are_one_mapping(tmp_path: Path) -> None:
    """A billion ways to the same key, which is there once."""
    project = uncompiled(tmp_path, {"models/x.yml": MERGES, "models/m.sql": "select 1 as a"})
    assert codes(project) == [Code.TEMPLATE]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("5", 5),
        ("'5'", "5"),
        ("!!str 5", "5"),
        ("1.5", 1.5),
        ("true", True),
        ("'true'", "true"),
        ("~", None),
        ("2024-13-45", "2024-13-45"),
        ("[1, a, {b: no}]", [1, "a", {"b": False}]),
        ("{<<: {a: 1, b: 2}, b: 3}", {"a": 1, "b": 3}),
    ],
)
def test_what_values_in_yaml_mean(written: str, meant: object) -> None:
    found = plain(read_document(f"x: {written}", "x.yml")[0])
    assert found == {"x": meant}
    assert isinstance(found, dict)
    assert type(found["x"]) is type(meant)


@pytest.mark.parametrize(
    ("settings", "variables", "target"),
    [
        ("name: shop\n", {}, "target"),
        ("name: shop\ntarget-path: out\n", {}, "out"),
        ("name: shop\ntarget-path: out\n", {"DBT_TARGET_PATH": "elsewhere"}, "elsewhere"),
    ],
)
def test_where_compiled_files_lie(tmp_path: Path, settings: str, variables: dict[str, str], target: str) -> None:
    (tmp_path / "dbt_project.yml").write_text(settings, encoding="utf-8")
    (tmp_path / target).mkdir()
    written(tmp_path / target, nodes=[node("m")])
    for path in (tmp_path, tmp_path / "dbt_project.yml"):
        project = read_dbt(path, environment=variables)
        assert [model.place.path for model in project.models] == [f"{tmp_path}/models/m.sql"]
        assert project.files[0] == f"{tmp_path}/{target}/manifest.json"
    alone = read_dbt(tmp_path / target / "manifest.json", environment=NO_VARIABLES)
    assert [model.place.path for model in alone.models] == [f"{tmp_path}/models/m.sql"]


def test_nothing_of_the_environment_is_kept(tmp_path: Path) -> None:
    secret = {"env": {"DBT_ENV_CUSTOM_ENV_TOKEN": "hunter2"}, "user_id": "hunter2"}
    project = written(tmp_path, metadata=secret, nodes=[node("m", vars={"k": "hunter2"}, root_path="/home/hunter2")])
    assert "hunter2" not in repr(project)


def test_what_nobody_asks_for_is_not_kept(tmp_path: Path) -> None:
    """The text of templates, macros and tests is most of a large manifest."""
    from headwater.project.dbt.files import read_json
    from headwater.project.dbt.remarks import Remarks

    long = "x" * 1000
    test = node("t", long, unique_id="test.shop.t", resource_type="test")
    macro = {"unique_id": "macro.shop.m", "resource_type": "macro", "macro_sql": long}
    written(
        tmp_path, nodes=[node("m", raw_code=long, columns={"raw_code": {"name": "raw_code"}}), test], macros=[macro]
    )
    kept = read_json(tmp_path / "manifest.json", "manifest.json", Remarks())
    assert long not in json.dumps(kept)
    assert '"raw_code": {"name"' in json.dumps(kept)


# Projects that are not compiled.


def uncompiled(folder: Path, files: dict[str, str], **options: Any) -> Project:
    """A project of these files."""
    for name, content in {"dbt_project.yml": "name: shop\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return read_dbt(folder, **{"dialect": "postgres", "environment": NO_VARIABLES, **options})


def rendered(folder: Path, template: str, macro: str = "", settings: str = "", **options: Any) -> str:
    """What becomes of one model, with a macro."""
    files = {"dbt_project.yml": f"name: shop\n{settings}", "models/m.sql": template, "macros/a.sql": macro}
    project = uncompiled(folder, files, **options)
    assert set(codes(project)) == {Code.TEMPLATE}, project.remarks
    return models(project)["model.shop.m"].sql


@pytest.mark.parametrize(
    ("template", "macro", "sql"),
    [
        ("select a from {{ ref('x') }}", "", 'select a from "shop"."x"'),
        ("select a from {{ ref('x', v=2) }}", "", 'select a from "shop"."x_v2"'),
        ("select a from {{ source('raw', 't') }}", "", 'select a from "raw"."t"'),
        ("{{ cents('a') }}", "{% macro cents(c) %}{{ c }} / 100{% endmacro %}", "a / 100"),
        ("{{ shop.cents('a') }}", "{%- macro cents(c) -%}{{ c }} / 100{%- endmacro -%}", "a / 100"),
        ("{{ f('a') }}", "{% macro f(c) %}{{ g(c) }}!{% endmacro %} {% macro g(c) %}<{{ c }}>{% endmacro %}", "<a>!"),
        ("{{ _f() }}", "{% test t() %}{% endtest %}{% macro _f() %}1{% endmacro %}", "1"),
        (
            "{% for c in columns() %}{{ c }}{% if not loop.last %}, {% endif %}{% endfor %}",
            "{% macro columns() %}{{ return(['a', 'b']) }}{% endmacro %}",
            "a, b",
        ),
        (
            "{{ now() }}",
            "{% macro now() %}{{ adapter.dispatch('now', 'shop')() }}{% endmacro %}"
            "{% macro default__now() %}current_timestamp{% endmacro %}",
            "current_timestamp",
        ),
        (
            "{{ now() }}",
            "{% macro now() %}{{ adapter.dispatch('now', 'no_package')() }}{% endmacro %}"
            "{% macro default__now() %}current_timestamp{% endmacro %}",
            "current_timestamp",
        ),
        ("select a from {{ source('lake', 't', database='d') }}", "", 'select a from "d"."lake"."t"'),
        ("{{ t() }}", "{% macro t() %}{{ this }}{% endmacro %}", '"shop"."m"'),
    ],
)
def test_templates_are_rendered_with_macros(tmp_path: Path, template: str, macro: str, sql: str) -> None:
    assert rendered(tmp_path, template, macro) == sql


def test_variables_of_the_project_and_of_the_caller(tmp_path: Path) -> None:
    settings = "vars:\n  a: 1\n  b: 2\n  shop:\n    b: 3\n    c: 4\n"
    template = "{{ var('a') }} {{ var('b') }} {{ var('c') }} {{ var('d', 5) }}"
    assert rendered(tmp_path, template, settings=settings, variables={"c": 6}) == "1 3 6 5"


def test_a_variable_that_is_a_template_is_rendered_where_it_is_used(tmp_path: Path) -> None:
    settings = """vars:
  since: "{{ run_started_at.strftime('%Y') }}"
  depth: "{{ 9 if target.type == 'postgres' else 4 }}"
  table: "{{ var('depth') }}_{{ this.identifier }}"
  itself: "{{ var('itself') }}"
"""
    template = "{{ var('since') }} {{ var('depth') }} {{ var('table') }}"
    assert rendered(tmp_path, template, settings=settings) == "2000 9 9_m"
    assert rendered(tmp_path, "{{ var('itself') }}", settings=settings) == "{{ var('itself') }}"


def test_a_required_variable_that_nobody_sets_stands_for_itself(tmp_path: Path) -> None:
    files = {"models/m.sql": "{% if execute %}select a from {{ var('predictions') }}{% endif %}"}
    project = uncompiled(tmp_path, files)
    assert models(project)["model.shop.m"].sql.strip() == "select a from predictions"
    (problem,) = [d for d, _ in project.remarks if "neither a value nor a default" in d.message]
    assert problem.message.endswith(": predictions")
    assert problem.hint == "set them with --vars, or in dbt_project.yml"


def test_columns_that_are_named_after_values_are_found_by_the_rest_of_their_names(tmp_path: Path) -> None:
    loop = "{% for v in run_query('select').columns[0].values() %}, sum(case when kind = '{{ v }}' then a end) as n_{{ v }}{% endfor %}"
    files = {
        "seeds/raw.csv": "id,kind,a\n1,x,2\n",
        "models/wide.sql": f"select id{loop} from {{{{ ref('raw') }}}} group by id",
        "models/uses.sql": "select id, n_cash + w.n_card as n, cash from {{ ref('wide') }} w",
    }
    made = project_lineage(uncompiled(tmp_path, files))
    found = [d.message for d, _ in made.diagnostics() if d.code is Code.UNRESOLVED_COLUMN]
    assert found == ["no table in FROM has a column cash"]
    edges = {(str(e.source), str(e.target)) for e in made.lineage.column_edges()}
    assert ("shop.wide.n_run_query_value", "shop.uses.n") in edges
    assert ("shop.raw.a", "shop.wide.n_run_query_value") in edges


def test_broken_sql_of_a_template_that_asks_the_database_says_what_would_help(tmp_path: Path) -> None:
    asks = (
        "{% macro f() %}select '{{ run_query('select').columns[0].values()[0] }}' as a from t where and b{% endmacro %}"
    )
    plain = "{% macro f() %}select 1 as a from t where and b{% endmacro %}"
    hints = []
    for macro in (asks, plain):
        project = uncompiled(tmp_path, {"models/m.sql": "{{ f() }}", "macros/f.sql": macro})
        hints += [d.hint for d, _ in project_lineage(project).diagnostics() if d.code is Code.SYNTAX_ERROR]
    usual = Diagnostic(Code.SYNTAX_ERROR, "").hint
    assert hints == ["the template asks the database, which is not there: run `dbt compile`", usual]


def test_a_value_of_the_database_may_be_taken_for_a_number(tmp_path: Path) -> None:
    value = "{% set n = run_query('select 1').columns[0].values()[0] %}"
    template = value + "{{ n <= 0 }} {{ n < 2 }} {{ n >= 1 }} {{ n > 1 }} {{ n | int }} {{ n }}"
    assert rendered(tmp_path, template) == "False True True False 1 run_query_value"


def test_a_value_of_the_database_in_sql_is_no_column(tmp_path: Path) -> None:
    value = "{{ run_query('select 1').columns[0].values()[0] }}"
    files = {"seeds/raw.csv": "id\n1\n", "models/m.sql": f"select id from {{{{ ref('raw') }}}} where id < {value}"}
    made = project_lineage(uncompiled(tmp_path, files))
    assert [d.code for d, _ in made.diagnostics() if d.code is not Code.TEMPLATE] == []


@pytest.mark.parametrize(
    ("enabled", "sql"),
    [
        ("\"{{ var('api', 'old') == 'new' }}\"", 'select a from "raw"."t"'),
        ("\"{{ var('given') == 'new' }}\"", "select null as a"),
        ("false", "select null as a"),
    ],
)
def test_a_source_that_only_a_variable_would_enable_is_there_for_models(tmp_path: Path, enabled: str, sql: str) -> None:
    """As models are that only a variable would enable: else these would find no columns."""
    files = {
        "dbt_project.yml": "name: shop\nvars:\n  given: old\n",
        "models/s.yml": f"sources:\n  - name: raw\n    config:\n      enabled: {enabled}\n    tables: [{{name: t}}]\n",
        "models/m.sql": "{% if adapter.get_relation(none, 'raw', 't') %}select a from {{ source('raw', 't') }}"
        "{% else %}select null as a{% endif %}",
    }
    assert models(uncompiled(tmp_path, files))["model.shop.m"].sql == sql


def test_sources_that_differ_in_case_are_two(tmp_path: Path) -> None:
    listed = "version: 2\nsources:\n  - name: raw\n    tables:\n      - name: {}\n"
    files = {"models/a.yml": listed.format("events"), "models/b.yml": listed.format("Events")}
    names = project_lineage(uncompiled(tmp_path, files)).diagnostics()
    assert [d.code for d, _ in names if d.code is Code.DUPLICATE_NAME] == []
    files["models/b.yml"] = files["models/a.yml"]
    names = project_lineage(uncompiled(tmp_path, files)).diagnostics()
    assert [d.code for d, _ in names if d.code is Code.DUPLICATE_NAME] == [Code.DUPLICATE_NAME]


@pytest.mark.slow
def test_a_model_that_cannot_be_rendered_does_not_stop_the_rest(tmp_path: Path) -> None:
    files = {
        "models/bad.sql": "select 1 as a,\n{{ 1 / 0 }}",
        "models/asks.sql": "{% set r = run_query('select 1') %}select 1 as a",
        "models/endless.sql": "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
        "models/good.sql": "select 1 as a",
    }
    project = uncompiled(tmp_path, files)
    assert models(project)["model.shop.good"].materialized == "view"
    problems = {diagnostic.subject: diagnostic for diagnostic, _ in project.remarks if diagnostic.subject}
    assert problems.keys() == {"model.shop.bad", "model.shop.endless"}
    assert "line 2: " in problems["model.shop.bad"].message
    assert [d.message for d, _ in project.remarks if d.message.endswith("ask the database for: asks")]
    assert {problem.hint for problem in problems.values()} == {"run `dbt compile`"}
    assert models(project)["model.shop.bad"].materialized == "nothing"


def test_a_macro_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    files = {"macros/bad.sql": "\n{% macro f() %}{% if %}{% endmacro %}", "models/m.sql": "select {{ f('b') }} as a"}
    project = uncompiled(tmp_path, files)
    said = [d.message.partition(": ") for d, _ in project.remarks][-1]
    assert (said[0], said[2][:24]) == ("macro shop.f is not available", "macros/bad.sql line 2: t")
    assert models(project)["model.shop.m"].sql == "select f(b) as a"


def test_who_says_how_a_model_is_materialized(tmp_path: Path) -> None:
    """Its own file, else YAML, else the nearest folder."""
    files = {
        "dbt_project.yml": "name: shop\nmodels:\n  +materialized: table\n  shop:\n    near:\n      +materialized: view\n"
        "      +tags: folder\n    unused:\n      +enabled: false\n",
        "models/far.sql": "select 1 as a",
        "models/near/one.sql": "{{ config(tags=['own']) }}select 1 as a",
        "models/near/two.sql": "select 1 as a",
        "models/near/three.sql": "{{ config(materialized='incremental', schema='x') }}select 1 as a",
        "models/unused/four.sql": "select 1 as a",
        "models/m.yml": "models:\n  - name: two\n    config: {materialized: table, tags: [yaml]}\n",
    }
    found = models(uncompiled(tmp_path, files))
    assert {name.rpartition(".")[2]: (model.materialized, model.tags.get("")) for name, model in found.items()} == {
        "far": ("table", None),
        "one": ("view", ("folder", "own")),
        "two": ("table", ("folder", "yaml")),
        "three": ("table", ("folder",)),
    }
    assert found["model.shop.three"].table == ("shop_x", "three")


def test_versions_snapshots_and_python_without_dbt(tmp_path: Path) -> None:
    files = {
        "models/m.yml": "models:\n  - name: o\n    latest_version: 1\n    versions: [{v: 1}, {v: 2, defined_in: o_new}]\n",
        "models/o_v1.sql": "select 1 as a",
        "models/o_new.sql": "select 2 as a",
        "models/uses.sql": "select a from {{ ref('o') }} union select a from {{ ref('o', version=2) }}",
        "models/p.py": "def model(dbt, session): ...",
        "snapshots/s.sql": "{% snapshot s %}{{ config(strategy='check', unique_key='a', check_cols=['a']) }}"
        "select a from {{ ref('o') }}{% endsnapshot %}",
    }
    project = uncompiled(tmp_path, files)
    found = models(project)
    assert found["model.shop.uses"].sql == 'select a from "shop"."o_v1" union select a from "shop"."o_v2"'
    assert found["model.shop.o.v1"].table == ("shop", "o_v1")
    assert (found["model.shop.o.v2"].table, found["model.shop.o.v2"].sql) == (("shop", "o_v2"), "select 2 as a")
    assert '(select a from "shop"."o_v1"\n)' in found["snapshot.shop.s"].sql
    assert "md5(concat(a, current_timestamp)) as dbt_scd_id" in found["snapshot.shop.s"].sql
    assert codes(project) == [Code.TEMPLATE, Code.UNSUPPORTED_CONSTRUCT]


def test_the_latest_version_may_stand_in_the_file_of_the_models_name(tmp_path: Path) -> None:
    files = {
        "models/m.yml": "models:\n  - name: o\n    latest_version: 1\n    versions: [{v: 1, config: {alias: o}}, {v: 2}]\n",
        "models/o.sql": "select 1 as a",
        "models/o_v2.sql": "select 2 as a",
        "models/uses.sql": "select a from {{ ref('o') }} union select a from {{ ref('o', v=2) }}",
    }
    found = models(uncompiled(tmp_path, files))
    assert sorted(found) == ["model.shop.o.v1", "model.shop.o.v2", "model.shop.uses"]
    assert found["model.shop.o.v1"].table == ("shop", "o")
    assert found["model.shop.uses"].sql == 'select a from "shop"."o" union select a from "shop"."o_v2"'


def test_versions_have_the_models_columns_or_say_otherwise(tmp_path: Path) -> None:
    yaml = """
models:
  - name: o
    columns: [{name: a, tags: [key]}, {name: b, tags: [pii]}]
    versions:
      - {v: 1}
      - {v: 2, columns: [{include: all, exclude: [b]}, {name: c, tags: [new]}]}
      - {v: 3, columns: [{include: [b]}, {name: a, tags: [changed]}]}
"""
    files = {"models/m.yml": yaml, **{f"models/o_v{v}.sql": "select 1 as a, 2 as b, 3 as c" for v in (1, 2, 3)}}
    found = models(uncompiled(tmp_path, files))
    assert [found[f"model.shop.o.v{v}"].tags for v in (1, 2, 3)] == [
        {"a": ("key",), "b": ("pii",)},
        {"a": ("key",), "c": ("new",)},
        {"b": ("pii",), "a": ("changed",)},
    ]


def test_the_profile_says_the_dialect_and_its_password_is_not_kept(tmp_path: Path) -> None:
    profile = "p:\n  target: b\n  outputs:\n    a: {type: postgres}\n    b: {type: snowflake, password: hunter2}\n"
    files = {"dbt_project.yml": "name: shop\nprofile: p\n", "profiles.yml": profile, "models/m.sql": "select 1 as a"}
    project = uncompiled(tmp_path, files, dialect=None)
    assert project.sources[0].dialect == "snowflake"
    assert project.models[0].table == ("SHOP", "M")
    assert "hunter2" not in repr(project)


def test_the_environment_is_not_given_to_templates_beyond_what_is_passed(tmp_path: Path) -> None:
    assert rendered(tmp_path, "{{ env_var('SIDE', 'left') }}") == "left"
    assert rendered(tmp_path, "{{ env_var('SIDE', 'left') }}", environment={"SIDE": "right"}) == "right"


def test_a_damaged_manifest_is_said_and_the_files_are_read(tmp_path: Path) -> None:
    project = uncompiled(tmp_path, {"models/m.sql": "select 1 as a", "target/manifest.json": '{"nodes"'})
    assert codes(project) == [Code.UNREADABLE_FILE, Code.TEMPLATE]
    assert [model.name for model in project.models] == ["model.shop.m"]


def test_the_example_says_the_same_without_dbt() -> None:
    from dbt_shop import EXAMPLE

    project = read_dbt(EXAMPLE, environment={"DBT_TARGET_PATH": "nowhere"})
    assert codes(project) == [Code.TEMPLATE]
    assert len(project.models) == 21
    orders = models(project)["model.bean_shop.stg_orders"]
    assert "round(amount_cents / 100.0, 2) as amount" in orders.sql
    assert orders.sql.endswith('from "memory"."raw"."till_orders"\nwhere ordered_at >= \'2025-01-01\'\n')
    assert orders.table == ("memory", "main_staging", "stg_orders")


# Manifests of `dbt parse`, which compiles nothing.


def parsed(folder: Path, files: dict[str, str], **sections: Any) -> Project:
    """A project of these files and a manifest."""
    for name, content in {"dbt_project.yml": "name: shop\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return written(folder, **sections)


def test_templates_are_rendered_with_the_relations_of_the_manifest(tmp_path: Path) -> None:
    files = {
        "macros/c.sql": "{% macro cents(c) %}{{ c }} / 100{% endmacro %}",
        "models/m.sql": "select {{ cents('a') }} as a from {{ ref('eph') }} as e join {{ source('raw', 'orders') }} as o using (a)",
        "models/eph.sql": "select a from {{ ref('x') }}, {{ ref('x', v=1) }}, {{ ref('tools', 'x') }}",
    }
    ephemeral = node("eph", None, config={"materialized": "ephemeral"}, relation_name=None)
    one = node("x", unique_id="model.shop.x.v1", version=1, latest_version=2, relation_name="one")
    two = node("x", unique_id="model.shop.x.v2", version=2, latest_version=2, relation_name="two")
    other = node("x", unique_id="model.tools.x", package_name="tools", relation_name="other")
    model = node("m", None, depends_on={"nodes": ["model.shop.eph"]})
    project = parsed(tmp_path, files, nodes=[model, ephemeral, other, one, two], sources=[source({"a": "int"})])
    assert codes(project) == [Code.TEMPLATE]
    assert models(project)["model.shop.m"].sql == (
        "with __dbt__cte__eph as (\nselect a from two, one, other\n)\n"
        'select a / 100 as a from __dbt__cte__eph as e join "db"."raw"."Orders" as o using (a)'
    )


def test_a_template_that_needs_what_is_not_there_is_said(tmp_path: Path) -> None:
    files = {"models/m.sql": "select 1 as a from {{ ref('gone') }}", "models/n.sql": "select 1 as a"}
    project = parsed(tmp_path, files, nodes=[node("m", None), node("n", None), node("lost", None)])
    problems = {diagnostic.subject: diagnostic.message for diagnostic, _ in project.remarks if diagnostic.subject}
    assert problems.keys() == {"model.shop.lost", "gone"}
    assert problems["gone"] == "ref names gone, a model that is not there: it is taken for a table"
    assert models(project)["model.shop.n"].sql == "select 1 as a"


def test_snapshots_that_are_not_compiled(tmp_path: Path) -> None:
    files = {
        "snapshots/s.sql": "{% snapshot s %}select a from {{ ref('x') }}{% endsnapshot %}",
        "snapshots/y.yml": "{}",
    }
    config = {"strategy": "check", "unique_key": "a"}
    common = {"resource_type": "snapshot", "config": config, "depends_on": {"nodes": ["model.shop.x"]}}
    in_file = node("s", None, **common, original_file_path="snapshots/s.sql")
    in_yaml = node("t", None, **common, original_file_path="snapshots/y.yml")
    found = models(parsed(tmp_path, files, nodes=[in_file, in_yaml, node("x")]))
    assert '(select a from "db"."public"."x"\n)' in found["model.shop.s"].sql
    assert '(select * from "db"."public"."x"\n)' in found["model.shop.t"].sql


# The example, built by dbt.


@pytest.fixture(scope="module")
def shop(dbt_shop: Path) -> Project:
    return read_dbt(dbt_shop, environment=NO_VARIABLES)


@pytest.mark.slow
class TestExample:
    """What dbt makes of the project under examples/dbt."""

    def test_nothing_is_wrong_with_it(self, shop: Project) -> None:
        assert shop.remarks == ()
        assert (shop.name, shop.sources[0].dialect, shop.sources[0].schema) == ("bean_shop", "duckdb", ("shop", "main"))

    def test_every_node_is_its_table(self, shop: Project) -> None:
        assert {m.name: (m.table, m.materialized) for m in shop.models if "." in m.name} == {
            "model.bean_shop.balances.v1": (("shop", "main", "balances_v1"), "table"),
            "model.bean_shop.balances.v2": (("shop", "main", "balances_v2"), "table"),
            "model.bean_shop.customers": (("shop", "main", "customers"), "table"),
            "model.bean_shop.customers_with_country": (None, "nothing"),
            "model.bean_shop.daily_revenue": (("shop", "main", "revenue_by_day"), "table"),
            "model.bean_shop.days": (("shop", "main", "days"), "table"),
            "model.bean_shop.orders": (("shop", "main", "orders"), "table"),
            "model.bean_shop.stg_customers": (("shop", "main_staging", "stg_customers"), "view"),
            "model.bean_shop.stg_orders": (("shop", "main_staging", "stg_orders"), "view"),
            "model.bean_shop.stg_visits": (("shop", "main_staging", "stg_visits"), "view"),
            "model.bean_shop.visits": (("shop", "main", "visits"), "table"),
            "snapshot.bean_shop.customer_history": (("shop", "main", "customer_history"), "table"),
            "seed.bean_shop.countries": (("shop", "main", "countries"), "nothing"),
            "source.bean_shop.till.customers": (("shop", "raw", "customers"), "nothing"),
            "source.bean_shop.till.orders": (("shop", "raw", "till_orders"), "nothing"),
            "source.bean_shop.till.visits": (("shop", "raw", "visits"), "nothing"),
            "analysis.bean_shop.best_customers": (None, "view"),
        }

    def test_templates_are_filled_in(self, shop: Project) -> None:
        found = models(shop)
        orders = found["model.bean_shop.stg_orders"].sql
        assert "round(amount_cents / 100.0, 2) as amount" in orders
        assert 'from "shop"."raw"."till_orders"' in orders
        assert "ordered_at >= '2025-01-01'" in orders
        assert "__dbt__cte__customers_with_country as (" in found["model.bean_shop.orders"].sql
        assert 'max(day) from "shop"."main"."revenue_by_day"' in found["model.bean_shop.daily_revenue"].sql
        assert not any("{{" in model.sql or "{%" in model.sql for model in shop.models)

    def test_the_columns_of_every_query_are_those_of_the_database(self, shop: Project, dbt_shop: Path) -> None:
        """The lineage of each model's SQL ends in the columns that its table really has; days are made of nothing."""
        catalog = json.loads((dbt_shop / "target" / "catalog.json").read_text(encoding="utf-8"))
        checked = 0
        for model in shop.models:
            if model.sql and model.table and model.name != "model.bean_shop.days":
                name = '"' + '"."'.join(model.table) + '"'
                others = {table: columns for table, columns in shop.catalog.items() if table != name}
                lineage = headwater.analyze(f"create table {name} as {model.sql}", dialect="duckdb", schema=others)
                own = ".".join(model.table)
                targets = [edge.target.column for edge in lineage.column_edges(rows="none") if edge.target.table == own]
                real = [column.lower() for column in catalog["nodes"][model.name]["columns"]]
                assert set(targets) == set(real), model.name
                checked += 1
        assert checked == 10

    def test_every_object_stands_where_its_name_is_written(self, shop: Project, dbt_shop: Path) -> None:
        named = [(field.name, field.place) for field in shop.fields]
        named += [(each.name, each.place) for each in shop.presentations]
        named += [(model.name.rpartition(":")[2], model.place) for model in shop.models if "." not in model.name]
        for name, place in named:
            line = Path(place.path).read_text(encoding="utf-8").splitlines()[place.line - 1]
            assert line[place.column - 1 :] == f"name: {name.partition('__')[0]}"
        source = models(shop)["source.bean_shop.till.customers"].place
        assert (source.path, source.line) == (f"{dbt_shop}/models/staging/sources.yml", 22)
        assert models(shop)["model.bean_shop.orders"].place == Place(f"{dbt_shop}/models/marts/orders.sql")
        assert models(shop)["snapshot.bean_shop.customer_history"].place.line == 3

    def test_tags(self, shop: Project) -> None:
        assert models(shop)["model.bean_shop.stg_customers"].tags == {
            "": ("staging", "owner=crm"),
            "email": ("pii", "masked", "level=strict"),
        }
        assert models(shop)["source.bean_shop.till.customers"].tags == {"email": ("contains_pii",)}
        assert models(shop)["seed.bean_shop.countries"].tags == {"region": ("geography",)}

    def test_measures(self, shop: Project) -> None:
        found = {name: str(f.expression) for name, f in fields(shop).items() if f.model and f.kind == "metric"}
        assert found == {
            "orders.order_total": "SUM(amount)",
            "orders.order_count": "COUNT(order_id)",
            "orders.buyers": "COUNT(DISTINCT customer_id)",
            "orders.gifts": "SUM(CASE WHEN is_gift THEN 1 ELSE 0 END)",
            "orders.typical_amount": "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY amount)",
            "orders.mean_amount": "AVG(amount)",
            "visits.visit_count": "COUNT(visit_id)",
            "balances.closing_balance": "SUM(balance)",
        }

    def test_dimensions(self, shop: Project) -> None:
        found = {name: str(field.expression) for name, field in fields(shop).items() if field.kind == "dimension"}
        assert found == {
            "orders.order": "order_id",
            "orders.customer": "customer_id",
            "orders.ordered_at": "ordered_at",
            "orders.status": "status",
            "orders.is_large": "amount > 100",
            "customers.customer": "customer_id",
            "customers.region": "region",
            "visits.visit": "visit_id",
            "visits.customer": "customer_id",
            "visits.visited_at": "visited_at",
            "balances.customer": "customer_id",
            "balances.balance_date": "day",
        }

    def test_metrics(self, shop: Project) -> None:
        made = "${orders.order_count}"
        total = "${orders.order_total}"
        assert {f.name: (str(f.expression), {str(x) for x in f.filters}) for f in shop.fields if not f.model} == {
            "revenue": (total, {"${orders.status} = 'paid'"}),
            "orders": (f"COALESCE({made}, 0)", set()),
            "large_european_revenue": (
                total,
                {
                    "${customers.region} = 'Europe'",
                    "${orders.ordered_at} >= '2025-02-01'",
                    "${orders.is_large}",
                },
            ),
            "revenue_per_order": ("${revenue} / NULLIF(${revenue_per_order__denominator}, 0)", set()),
            "revenue_per_order__denominator": ("${orders}", {"${orders.customer} is not null"}),
            "revenue_growth": ("(${revenue} - ${revenue}) / nullif(${revenue}, 0)", set()),
            "revenue_so_far": (total, {"${orders.ordered_at} <= CURRENT_TIMESTAMP"}),
            "visits_that_bought": (
                f"{made} / NULLIF(${{visits.visit_count}}, 0)",
                {
                    "${orders.customer} = ${visits.customer}",
                    "${orders.ordered_at} >= ${visits.visited_at}",
                },
            ),
            "balance": ("${balances.closing_balance}", set()),
            "orders_of_loyal_customers": (made, {"${orders} > 3"}),
            "mean_amount": ("${orders.mean_amount}", set()),
        }

    def test_models_are_joined_by_the_customer(self, shop: Project) -> None:
        assert {str(relation.condition) for relation in shop.relations} == {
            "${orders.customer_id} = ${customers.customer_id}",
            "${visits.customer_id} = ${customers.customer_id}",
            "${balances.customer_id} = ${customers.customer_id}",
        }

    def test_what_people_look_at(self, shop: Project) -> None:
        report, query = shop.presentations
        assert (report.word, report.name, report.tags) == ("exposure", "morning_report", ("daily",))
        assert {str(shown) for shown in report.shows} == {
            "source.bean_shop.till.visits",
            "model.bean_shop.daily_revenue",
            "model.bean_shop.customers",
            "revenue",
        }
        assert (query.word, query.name) == ("saved_query", "revenue_by_region")
        assert {name: str(expression) for name, expression in query.properties} == {
            "revenue": "${revenue}",
            "orders": "${orders}",
            "metric_time": "${orders.ordered_at}",
            "customer__region": "${customers.region}",
        }

    def test_the_semantic_manifest_alone_says_the_same(self, shop: Project, dbt_shop: Path, tmp_path: Path) -> None:
        content = json.loads((dbt_shop / "target" / "manifest.json").read_text(encoding="utf-8"))
        content |= {"semantic_models": {}, "metrics": {}, "saved_queries": {}}
        (tmp_path / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
        semantic = (dbt_shop / "target" / "semantic_manifest.json").read_text(encoding="utf-8")
        (tmp_path / "semantic_manifest.json").write_text(semantic, encoding="utf-8")
        again = read_dbt(tmp_path, environment=NO_VARIABLES)
        assert {(f.full_name, str(f.expression), tuple(map(str, f.filters))) for f in again.fields} == {
            (f.full_name, str(f.expression), tuple(map(str, f.filters))) for f in shop.fields
        }

    def test_the_project_says_the_same_before_it_is_compiled(self, shop: Project) -> None:
        from dbt_shop import EXAMPLE

        before = read_dbt(EXAMPLE, environment={"DBT_TARGET_PATH": "nowhere"})
        assert {model.name: (model.tags, model.place.line) for model in before.models} == {
            model.name: (model.tags, model.place.line) for model in shop.models
        }
        assert {(f.full_name, str(f.expression), f.place.line) for f in before.fields} == {
            (f.full_name, str(f.expression), f.place.line) for f in shop.fields
        }
        assert {r.name for r in before.relations} == {r.name for r in shop.relations}
        assert {
            (p.name, frozenset(p.shows), p.properties[0].name if p.properties else "") for p in before.presentations
        } == {(p.name, frozenset(p.shows), p.properties[0].name if p.properties else "") for p in shop.presentations}

    def test_rendering_gives_what_dbt_compiles(self, shop: Project, dbt_shop: Path, tmp_path: Path) -> None:
        """Without the SQL in its manifest, the project is what it was; an incremental model has both queries."""
        shutil.copytree(dbt_shop, tmp_path / "shop", ignore=shutil.ignore_patterns("*.duckdb"))
        path = tmp_path / "shop" / "target" / "manifest.json"
        content = json.loads(path.read_text(encoding="utf-8"))
        for each in content["nodes"].values():
            each["compiled_code"] = None
        path.write_text(json.dumps(content), encoding="utf-8")
        again = read_dbt(tmp_path / "shop", environment=NO_VARIABLES)
        assert codes(again) == [Code.TEMPLATE]
        same = [model.name for model in again.models if model.sql.split() == models(shop)[model.name].sql.split()]
        assert {model.name for model in shop.models} - set(same) == {"model.bean_shop.daily_revenue"}
        name = "model.bean_shop.customers"
        edges = []
        for project in (shop, again):
            sql = f"create table customers_again as {models(project)[name].sql}"
            lineage = headwater.analyze(sql, dialect="duckdb", schema=project.catalog)
            edges.append({(str(e.target), str(e.source)) for e in lineage.column_edges(rows="none")})
        assert edges[0] == edges[1]
        assert len(edges[0]) >= 5

    def test_every_reference_is_to_something_in_the_project(self, shop: Project) -> None:
        known = set(fields(shop)) | models(shop).keys()
        expressions = [e for f in shop.fields for e in (f.expression, *f.filters)]
        expressions += [relation.condition for relation in shop.relations]
        for each in shop.presentations:
            expressions += [*(p.expression for p in each.properties), *each.filters]
            assert {str(shown) for shown in each.shows} <= known
        columns = {
            "orders.customer_id",
            "customers.customer_id",
            "visits.customer_id",
            "balances.customer_id",
        }
        assert {str(reference) for e in expressions for reference in e.references} <= known | columns
        assert (len(fields(shop)), len(models(shop))) == (len(shop.fields), len(shop.models))
