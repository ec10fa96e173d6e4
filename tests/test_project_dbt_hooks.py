"""Statements around dbt's models: each hook once, and what runs before and after all models; with a manifest and without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dbt_files import uncompiled, write_files
from headwater.model.diagnostic import Code
from headwater.project.dbt import read_dbt
from headwater.project.lineage import project_lineage
from headwater.project.objects import Project

PROFILE = {"profiles.yml": "shop: {outputs: {dev: {type: postgres, schema: main, dbname: db}}}\n"}
SETTINGS = "name: shop\nprofile: shop\n"
LOGGED = "insert into log.seen select a from {{ this }}"


def hooks(project: Project) -> list[str]:
    (model,) = project.models
    return list(model.hooks)


def edges(project: Project) -> set[str]:
    found = project_lineage(project).lineage.column_edges(rows="none")
    return {f"{edge.target} <- {edge.source}" for edge in found}


def operations(project: Project) -> dict[str, str]:
    return {each.name: each.sql for each in project.operations}


@pytest.mark.parametrize("key", ["pre_hook", "post_hook"])
def test_a_hook_of_the_model_comes_once(tmp_path: Path, key: str) -> None:
    model = f'{{{{ config({key}="{LOGGED.replace("{{ this }}", "t")}") }}}} select 1 as a'
    assert hooks(uncompiled(tmp_path, {"models/m.sql": model})) == ["insert into log.seen select a from t"]


def test_hooks_of_folders_yaml_and_model_are_added(tmp_path: Path) -> None:
    """All run: those before the model first. A hook that two places have runs twice."""
    files = {
        "dbt_project.yml": "name: shop\nmodels:\n  +pre-hook: set a = 1\n  +post-hook: set d = 4\n",
        "models/m.yml": "models:\n  - {name: m, config: {pre_hook: [{sql: set a = 1}], post-hook: set e = 5}}\n",
        "models/m.sql": "{{ config(pre_hook=['set b = 2', {'sql': 'set c = 3'}]) }} select 1 as a",
    }
    found = hooks(uncompiled(tmp_path, files))
    assert sorted(found[:4]) == ["set a = 1", "set a = 1", "set b = 2", "set c = 3"]
    assert sorted(found[4:]) == ["set d = 4", "set e = 5"]


def test_a_hook_that_a_macro_configures_counts(tmp_path: Path) -> None:
    files = {
        "macros/f.sql": "{% macro logged() %}{{ config(post_hook='set a = 1') }}{% endmacro %}",
        "models/m.sql": "{{ logged() }} select 1 as a",
    }
    assert hooks(uncompiled(tmp_path, files)) == ["set a = 1"]


def test_a_hook_of_a_macro_that_is_not_there(tmp_path: Path) -> None:
    files = {"models/m.sql": "{{ config(post_hook='{{ audit.note(this) }}') }} select 1 as a"}
    project = uncompiled(tmp_path, files)
    assert hooks(project) == []
    assert [said.subject for said, _ in project.remarks if said.code is Code.UNKNOWN_MACRO] == ["audit.note"]


def test_a_hook_that_cannot_be_rendered_is_said(tmp_path: Path) -> None:
    files = {"models/m.sql": "{{ config(post_hook='{{ 1 / 0 }}') }} select 1 as a"}
    project = uncompiled(tmp_path, files)
    assert hooks(project) == []
    (said,) = (said.message for said, _ in project.remarks if said.code is Code.UNREAD_MODEL)
    assert said.startswith("a hook of model.shop.m cannot be rendered: ")


RUN = """\
name: shop
profile: shop
on-run-start: create table if not exists log.runs (at timestamp)
on-run-end:
  - "{% for s in schemas %}insert into log.schemas select '{{ s }}', at from log.runs;{% endfor %}"
  - "insert into log.models (model) select kind || '{{ results | map(attribute='node.name') | join(' ') }}' from log.kinds"
  - "{{ nothing() }}"
  - "{% if execute %}insert into log.pairs (pair) select k || '{{ pairs() }}' from log.keys{% endif %}"
"""
FILES = {
    **PROFILE,
    "dbt_project.yml": RUN,
    "macros/pairs.sql": "{% macro pairs() %}{{ database_schemas | map('join', '.') | join(' ') }}{% endmacro %}",
    "macros/nothing.sql": "{% macro nothing() %}{% do log('ran') %}{% endmacro %}",
    "models/m.sql": "select id from raw.t",
    "models/n.sql": "{{ config(schema='mart') }} select id from {{ ref('m') }}",
    "models/e.sql": "{{ config(materialized='ephemeral', schema='none') }} select 1 as a",
}
EXPECTED = {
    "operation.shop.shop-on-run-start-0": "create table if not exists log.runs (at timestamp)",
    "operation.shop.shop-on-run-end-0": "insert into log.schemas select 'main', at from log.runs;"
    "insert into log.schemas select 'main_mart', at from log.runs;",
    "operation.shop.shop-on-run-end-1": "insert into log.models (model) select kind || 'm n' from log.kinds",
    "operation.shop.shop-on-run-end-3": "insert into log.pairs (pair) select k || 'db.main db.main_mart' from log.keys",
}


def test_what_runs_before_and_after_all_models(tmp_path: Path) -> None:
    project = uncompiled(tmp_path, FILES, dialect=None)
    assert operations(project) == EXPECTED
    assert [each.first for each in project.operations] == [True, False, False, False]
    assert {said.code for said, _ in project.remarks} == {Code.TEMPLATE}
    assert {
        "db.log.models.model <- db.log.kinds.kind",
        "db.log.pairs.pair <- db.log.keys.k",
        "db.main.m.id <- db.raw.t.id",
    } <= edges(project)
    assert any(edge.endswith("<- db.log.runs.at") for edge in edges(project))


def test_places_are_those_of_the_list(tmp_path: Path) -> None:
    project = uncompiled(tmp_path, FILES, dialect=None)
    path = (tmp_path / "dbt_project.yml").as_posix()
    assert [(each.place.path, each.place.line) for each in project.operations] == [(path, n) for n in (3, 5, 6, 8)]


def manifest(folder: Path, raw: dict[str, str]) -> None:
    """What dbt writes of such a project, in short."""
    nodes: dict[str, Any] = {}
    for name, sql, schema in (("m", "select id from raw.t", "main"), ("n", "select id from db.main.m", "main_mart")):
        nodes[f"model.shop.{name}"] = {
            "unique_id": f"model.shop.{name}",
            "name": name,
            "resource_type": "model",
            "package_name": "shop",
            "original_file_path": f"models/{name}.sql",
            "database": "db",
            "schema": schema,
            "alias": name,
            "relation_name": f'"db"."{schema}"."{name}"',
            "compiled_code": sql,
            "config": {"materialized": "view"},
        }
    nodes["model.shop.n"]["config"]["post-hook"] = [{"sql": "insert into log.seen select id from {{ this }}"}]
    for unique_id, template in raw.items():
        kind, index = unique_id.rpartition(".")[2].removeprefix("shop-").rsplit("-", 1)
        nodes[unique_id] = {
            "unique_id": unique_id,
            "name": unique_id.rpartition(".")[2],
            "resource_type": "operation",
            "package_name": "shop",
            "original_file_path": "./dbt_project.yml",
            "tags": [kind],
            "index": int(index),
            "raw_code": template,
            "language": "sql",
        }
    metadata = {
        "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
        "project_name": "shop",
        "adapter_type": "postgres",
    }
    (folder / "target").mkdir(exist_ok=True)
    (folder / "target" / "manifest.json").write_text(json.dumps({"metadata": metadata, "nodes": nodes}))


RAW = {
    "operation.shop.shop-on-run-start-0": "create table if not exists log.runs (at timestamp)",
    "operation.shop.shop-on-run-end-0": "{% for s in schemas %}insert into log.schemas select '{{ s }}', at from log.runs;{% endfor %}",
    "operation.shop.shop-on-run-end-1": "insert into log.models (model) select kind || "
    "'{{ results | map(attribute='node') | map(attribute='name') | join(' ') }}' from log.kinds",
    "operation.shop.shop-on-run-end-2": "{{ nothing() }}",
    "operation.shop.shop-on-run-end-3": "{% if execute %}insert into log.pairs (pair) select k || "
    "'{{ database_schemas | map('join', '.') | join(' ') }}' from log.keys{% endif %}",
}


def test_a_manifest_gives_the_same(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    manifest(tmp_path, RAW)
    project = read_dbt(tmp_path, environment={})
    assert operations(project) == EXPECTED
    assert not project.remarks
    assert [each.place.line for each in project.operations] == [3, 5, 6, 8]


def test_hooks_of_a_compiled_model_are_rendered(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    manifest(tmp_path, {})
    models = {model.name: model.hooks for model in read_dbt(tmp_path, environment={}).models}
    assert models["model.shop.n"] == ('insert into log.seen select id from "db"."main_mart"."n"',)


def test_hooks_of_a_compiled_program_are_rendered(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    manifest(tmp_path, {})
    file = tmp_path / "target" / "manifest.json"
    content = json.loads(file.read_text())
    content["nodes"]["model.shop.n"] |= {"language": "python", "compiled_code": "def model(dbt, session): ..."}
    file.write_text(json.dumps(content))
    project = read_dbt(tmp_path, environment={})
    models = {model.name: model.hooks for model in project.models}
    assert models["model.shop.n"] == ('insert into log.seen select id from "db"."main_mart"."n"',)
    assert not [said for said, _ in project.remarks if "hooks" in said.message]


def test_a_manifest_alone_has_plain_statements_and_says_what_is_left_out(tmp_path: Path) -> None:
    manifest(tmp_path, RAW)
    project = read_dbt(tmp_path / "target", environment={})
    first = "operation.shop.shop-on-run-start-0"
    assert operations(project) == {first: EXPECTED[first]}
    assert [said.message for said, _ in project.remarks] == [
        "4 statements before or after all models are templates that cannot be rendered here: they are not read",
        "hooks of 1 model are templates that cannot be rendered here: they are not read",
    ]


def test_packages_run_statements_too(tmp_path: Path) -> None:
    files = {
        "dbt_packages/tools/dbt_project.yml": "name: tools\non-run-end: ['{{ note() }}']\n",
        "dbt_packages/tools/macros/n.sql": "{% macro note() %}insert into log.notes (n) select n from log.made{% endmacro %}",
        "models/m.sql": "select 1 as a",
    }
    project = uncompiled(tmp_path, files)
    assert operations(project) == {
        "operation.tools.tools-on-run-end-0": "insert into log.notes (n) select n from log.made"
    }
    assert str(project.operations[0].place).endswith("dbt_packages/tools/dbt_project.yml:2")


def test_a_statement_of_a_macro_that_is_not_there(tmp_path: Path) -> None:
    files = {
        "dbt_project.yml": "name: shop\non-run-end: '{{ audit.upload(results) }}'\n",
        "models/m.sql": "select 1 as a",
    }
    project = uncompiled(tmp_path, files)
    assert project.operations == ()
    assert [said.subject for said, _ in project.remarks if said.code is Code.UNKNOWN_MACRO] == ["audit.upload"]
    assert not [said for said, _ in project.remarks if said.code is Code.UNREAD_MODEL]


def test_a_statement_that_cannot_be_rendered_is_said(tmp_path: Path) -> None:
    files = {"dbt_project.yml": "name: shop\non-run-end: '{{ 1 / 0 }}'\n", "models/m.sql": "select 1 as a"}
    project = uncompiled(tmp_path, files)
    (said,) = (said for said, _ in project.remarks if said.code is Code.UNREAD_MODEL)
    assert said.subject == "operation.shop.shop-on-run-end-0"
