"""Which database a dbt project is for, who says so, and where its folders are; without dbt."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Run
from dbt_files import uncompiled, write_files
from headwater.model.diagnostic import Code
from headwater.project.given_dialect import GivenDialect
from headwater.project.objects import Project

MODEL = {"models/m.sql": "select a from {{ ref('x') }}"}


def told(project: Project) -> str:
    """What is said of the database."""
    first = project.remarks[0][0].message
    return first.partition("it is read as one for ")[2].partition(", in schema")[0]


def of_profile(adapter: str, profile: str = "p") -> str:
    return f"{profile}:\n  target: dev\n  outputs:\n    dev: {{type: {adapter}, schema: s}}\n"


SETTINGS = "name: shop\nprofile: p\n"


@pytest.mark.parametrize(
    ("settings", "macros", "taken"),
    [
        ("search_order: [spark_utils, dbt_utils]", "", "spark (dispatch to spark_utils)"),
        ("search_order: [shop, spark_utils, dbt_utils]", "databricks__f", "databricks (dispatch to spark_utils)"),
        ("search_order: [spark_utils, dbt_utils]", "snowflake__f", "spark (dispatch to spark_utils)"),
        ("search_order: [tsql_utils, dbt_utils]", "", "sqlserver (dispatch to tsql_utils)"),
        ("search_order: [shop, dbt_utils]", "snowflake__f", "snowflake (macros called snowflake__…)"),
        ("search_order: [shop, dbt_utils]", "default__f", ""),
    ],
)
def test_dispatch_and_prefixes_of_macros_say_the_adapter(
    tmp_path: Path, settings: str, macros: str, taken: str
) -> None:
    files = {"dbt_project.yml": f"name: shop\ndispatch:\n  - {{macro_namespace: dbt_utils, {settings}}}\n"}
    if macros:
        files["macros/f.sql"] = f"{{% macro {macros}() %}}1{{% endmacro %}}"
    assert told(uncompiled(tmp_path, {**MODEL, **files}, dialect=None)) == taken


def test_requirements_come_before_dispatch(tmp_path: Path) -> None:
    settings = "name: shop\ndispatch: [{macro_namespace: dbt_utils, search_order: [spark_utils, dbt_utils]}]\n"
    files = {**MODEL, "dbt_project.yml": settings, "requirements.txt": "dbt-trino==1.9\n"}
    assert told(uncompiled(tmp_path, files, dialect=None)) == "trino (requirements.txt)"


def test_a_profile_that_the_named_folder_lacks_is_looked_for_elsewhere(tmp_path: Path) -> None:
    write_files(tmp_path / "of_user", {"profiles.yml": of_profile("duckdb", "other")})
    environment = {"DBT_PROFILES_DIR": str(tmp_path / "of_user")}
    shop = {**MODEL, "dbt_project.yml": SETTINGS}
    own = uncompiled(
        tmp_path / "own", {**shop, "profiles.yml": of_profile("snowflake")}, dialect=None, environment=environment
    )
    assert told(own) == "snowflake (profiles.yml)"
    below = {**shop, "ci/sample.profiles.yml": of_profile("redshift")}
    assert told(uncompiled(tmp_path / "below", below, dialect=None, environment=environment)) == (
        "redshift (ci/sample.profiles.yml)"
    )
    write_files(tmp_path / "of_user", {"profiles.yml": of_profile("trino")})
    assert told(uncompiled(tmp_path / "own", shop, dialect=None, environment=environment)) == "trino (profiles.yml)"


def test_a_profile_may_have_templates(tmp_path: Path) -> None:
    """The type, too; then the schema of the profile counts all the same. Filters work as in any template."""
    profile = (
        "p:\n  target: \"{{ env_var('WHERE', 'b') }}\"\n  outputs:\n    a: {type: postgres, schema: wrong}\n"
        "    b: {type: \"{{ env_var('KIND') }}\", schema: \"{{ env_var('S') | lower }}\"}\n"
    )
    files = {**MODEL, "dbt_project.yml": "name: shop\nprofile: \"{{ env_var('P', 'p') }}\"\n", "profiles.yml": profile}
    project = uncompiled(tmp_path, files, dialect=None, environment={"KIND": "snowflake", "S": "MADE"})
    assert told(project) == "snowflake (profiles.yml)"
    assert project.models[0].table == ("MADE", "M")


def test_who_names_the_dialect_is_said(tmp_path: Path) -> None:
    assert told(uncompiled(tmp_path, MODEL, dialect="trino")) == "trino (as asked)"
    told_by_file = GivenDialect("trino", "headwater.toml:2")
    assert told(uncompiled(tmp_path, MODEL, dialect=told_by_file)) == "trino (headwater.toml:2)"


def test_a_dialect_that_the_profile_agrees_with_leaves_the_profile_in_force(tmp_path: Path) -> None:
    """Synapse speaks T-SQL: whoever says T-SQL does not deny the profile's schema."""
    files = {**MODEL, "dbt_project.yml": SETTINGS, "profiles.yml": of_profile("synapse")}
    project = uncompiled(tmp_path, files, dialect="tsql")
    assert told(project) == "synapse (as asked)"
    assert [model.table for model in project.models] == [("s", "m")]


@pytest.mark.parametrize(
    ("adapter", "message"),
    [
        ("tongues", "the adapter tongues is not known; its SQL is read as standard SQL"),
        ("", "nothing says which database the project is for; its SQL is read as standard SQL"),
    ],
)
def test_an_adapter_that_nobody_knows_has_a_hint(tmp_path: Path, adapter: str, message: str) -> None:
    profile = {"profiles.yml": of_profile(adapter)} if adapter else {}
    project = uncompiled(tmp_path, {**MODEL, "dbt_project.yml": SETTINGS, **profile}, dialect=None)
    (remark,) = (said for said, _ in project.remarks if said.code is Code.INVALID_PROJECT)
    assert remark.message == message
    assert remark.hint.startswith("name the dialect: --dialect NAME, or `dialect` in headwater.toml")


def test_the_command_says_which_file_or_option_names_the_dialect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, {**MODEL, "headwater.toml": 'dialect = "trino"\n'})
    assert "trino (headwater.toml" in run("project", "check", ".").out
    assert "snowflake (--dialect)" in run("project", "check", ".", "--dialect", "snowflake").out


# Where its folders are.

PATHS = """\
name: shop
packages-install-path: "{{ env_var('DEPS', 'dbt_packages') }}"
model-paths: ["{{ env_var('MODELS', 'models') }}", more]
macro-paths: ["{{ var('macros', 'macros') }}"]
"""


@pytest.mark.parametrize(
    ("environment", "variables", "deps", "models", "macros"),
    [
        ({}, {}, "dbt_packages", "models", "macros"),
        ({"DEPS": "deps", "MODELS": "queries"}, {"macros": "made"}, "deps", "queries", "made"),
    ],
)
def test_paths_may_be_templates(
    tmp_path: Path, environment: dict[str, str], variables: dict[str, str], deps: str, models: str, macros: str
) -> None:
    files = {
        "dbt_project.yml": PATHS,
        f"{deps}/tools/dbt_project.yml": "name: tools\nmacro-paths: [\"{{ env_var('NONE', 'inside') }}\"]\n",
        f"{deps}/tools/inside/f.sql": "{% macro one() %}1{% endmacro %}",
        f"{macros}/g.sql": "{% macro two() %}2{% endmacro %}",
        f"{models}/m.sql": "select {{ tools.one() }} as a, {{ two() }} as b",
        "more/n.sql": "select 3 as c",
    }
    project = uncompiled(tmp_path, files, environment=environment, variables=variables)
    assert {said.code for said, _ in project.remarks} == {Code.TEMPLATE}
    assert {model.sql for model in project.models} == {"select 1 as a, 2 as b", "select 3 as c"}


def test_the_folder_of_compiled_files_may_be_a_template(tmp_path: Path) -> None:
    settings = "name: shop\ntarget-path: \"{{ env_var('OUT', 'target') }}\"\n"
    files = {**MODEL, "dbt_project.yml": settings, "out/manifest.json": '{"nodes"'}
    messages = [said.message for said, _ in uncompiled(tmp_path, files, environment={"OUT": "out"}).remarks]
    assert any("out/manifest.json is not whole JSON" in message for message in messages)


def test_a_path_that_cannot_be_rendered_is_the_usual_one(tmp_path: Path) -> None:
    """A variable that the caller does not give: dbt refuses that."""
    files = {**MODEL, "dbt_project.yml": "name: shop\nmodel-paths: [\"{{ var('where') }}\"]\n"}
    assert len(uncompiled(tmp_path, files).models) == 1


def test_a_variable_of_the_process_that_is_not_set_is_said(tmp_path: Path) -> None:
    files = {**MODEL, "dbt_project.yml": "name: shop\npackages-install-path: \"{{ env_var('DEPS') }}\"\n"}
    messages = [said.message for said, _ in uncompiled(tmp_path, files).remarks]
    assert "environment variables that are not set have their own names as values: DEPS" in messages


def test_local_packages_may_be_named_by_templates(tmp_path: Path) -> None:
    files = {
        "packages.yml": "packages:\n  - local: \"{{ env_var('TOOLS', 'lib') }}\"\n",
        "lib/dbt_project.yml": "name: tools\n",
        "lib/macros/f.sql": "{% macro one() %}1{% endmacro %}",
        "models/m.sql": "select {{ tools.one() }} as a",
    }
    assert [model.sql for model in uncompiled(tmp_path, files).models] == ["select 1 as a"]
