"""Stand-ins for macros of dbt and its packages: all adapters give the same lineage, and all of it is read.

Whether it is the lineage of the real macros is the business of `benchmarks/stand_ins.py`, which needs a dbt.
"""

from __future__ import annotations

import datetime
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import pytest

import headwater
from headwater.model.diagnostic import Code
from headwater.model.entity import PSEUDO_ROWS
from headwater.project.dbt import read_dbt
from headwater.project.dbt.stand_ins import stand_in_macros, stand_in_names
from headwater.project.lineage import project_lineage
from stand_in_models import MODELS, MORE_MODELS, TABLES, VARIABLES, whole_model

DIALECTS = {
    "snowflake": "snowflake",
    "bigquery": "bigquery",
    "databricks": "databricks",
    "spark": "spark",
    "redshift": "redshift",
    "duckdb": "duckdb",
    "postgres": "postgres",
}
ALL_MODELS = [
    (package, name, text)
    for package, models in itertools.chain(MODELS.items(), MORE_MODELS.items())
    for name, text in models.items()
]
WITHOUT_MODEL = {
    f"{package}.{name}"
    for package, names in {
        "dbt": "after_commit alter_column_comment alter_column_type alter_relation_add_remove_columns alter_relation_comment "
        "apply_grants before_begin create_indexes create_schema drop_relation drop_relation_if_exists drop_schema in_transaction "
        "make_hook_config persist_docs rename_relation run_hooks set_sql_header should_revoke should_store_failures truncate_relation",
        "dbt_artifacts": "upload_results",
        "dbt_external_tables": "stage_external_sources",
        "dbt_snow_mask": "apply_masking_policy create_masking_policy unapply_masking_policy",
        "dbt_snowflake_query_tags": "set_query_tag unset_query_tag",
        "dbt_utils": "_is_ephemeral _is_relation",
        "fivetran_utils": "_get_utils_namespaces empty_variable_warning",
        "snowplow_utils": "log_message set_query_tag",
        "spark_utils": "get_delta_tables get_statistic_columns get_tables "
        "spark_analyze_tables spark_optimize_delta_tables spark_vacuum_delta_tables",
        "tsql_utils": "surrogate_key",
    }.items()
    for name in names.split()
}
"""They write nothing, or into the database, or a dialect that is not among `DIALECTS`."""

MEANT_TO_DIFFER = {
    "dbt_date.get_date_dimension": {"postgres", "redshift"},  # the real macro has no day_of_week_iso there
    "dbt.copy_grants": {"postgres", "redshift", "snowflake"},
    "dbt_utils.get_tables_by_pattern_sql": {"bigquery"},  # one information schema per dataset
    "dbt_utils.get_tables_by_prefix_sql": {"bigquery"},
    "dbt.listagg": {"databricks", "spark"},  # the real macro leaves the order out there, too
    "dbt_utils.listagg": {"databricks", "spark"},
    "fivetran_utils.percentile": {"postgres"},  # an aggregate there, a window elsewhere
    "fivetran_utils.snowflake_seed_data": {"snowflake"},
}
ROOT = Path(__file__).parent.parent


class Returned(Exception):
    def __init__(self, value: object) -> None:
        self.value = value


class Column(SimpleNamespace):
    def is_string(self) -> bool:
        return bool(self.dtype == "varchar")


class Relation(SimpleNamespace):
    def __str__(self) -> str:
        return str(self.identifier)


class Environment(jinja2.Environment):
    """dbt's Jinja, as far as stand-ins need it; *known* says whether the columns of tables are known."""

    def __init__(self, adapter: str, known: bool = True) -> None:
        super().__init__(extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"], undefined=jinja2.StrictUndefined)
        self.adapter, self.known = adapter, known
        quote = "`" if adapter in ("bigquery", "databricks", "spark") else '"'
        self.globals |= {
            "target": SimpleNamespace(type=adapter, name="dev", schema="main", database="scratch"),
            "adapter": SimpleNamespace(
                get_columns_in_relation=self.columns,
                quote=lambda name: f"{quote}{self.stored(name)}{quote}",
                get_relation=lambda database, schema, identifier: None,
            ),
            "api": SimpleNamespace(Relation=SimpleNamespace(create=Relation)),
            "ref": lambda name: Relation(database="scratch", schema="main", identifier=name),
            "return": self.returned,
            "var": lambda name, default=None: VARIABLES.get(name, default),
            "execute": True,
            "run_query": lambda sql: None,
            "graph": SimpleNamespace(sources={}, nodes=dict(self.nodes())),
            "model": SimpleNamespace(name="model"),
            "config": SimpleNamespace(get=lambda name: None),
            "flags": SimpleNamespace(FULL_REFRESH=False),
            "log": lambda message, info=False: "",
            "modules": SimpleNamespace(
                datetime=datetime, re=re, pytz=SimpleNamespace(timezone=lambda name: datetime.timezone.utc)
            ),
        }
        for package, files in stand_in_macros().items():
            self.globals[package] = SimpleNamespace()
            for _, text in files:
                for name, macro in self.macros(text).items():
                    setattr(self.globals[package], name, self.callable(macro))

    def macros(self, text: str) -> dict[str, Any]:
        template = self.from_string(text)
        context = template.new_context(self.globals, shared=True)
        assert "".join(template.root_render_func(context)).strip() == ""
        return context.vars

    def callable(self, macro: Any) -> Any:
        def called(*args: object, **named: object) -> object:
            try:
                return macro(*args, **named)
            except Returned as returned:
                return returned.value

        return called

    def returned(self, value: object) -> None:
        raise Returned(value)

    def stored(self, name: str) -> str:
        return name.upper() if self.adapter == "snowflake" and name.islower() else name

    def columns(self, relation: object) -> list[Column]:
        columns = TABLES[str(relation)] if self.known else {}
        return [Column(name=self.stored(name), dtype=type, quoted=name) for name, type in columns.items()]

    def nodes(self) -> Iterator[tuple[str, SimpleNamespace]]:
        for table in TABLES:
            yield table, SimpleNamespace(resource_type="model", alias=table, schema="main", database="scratch")


ENVIRONMENTS: dict[tuple[str, bool], Environment] = {}


def rendered(text: str, adapter: str, known: bool = True) -> str:
    if (adapter, known) not in ENVIRONMENTS:
        ENVIRONMENTS[adapter, known] = Environment(adapter, known)
    return ENVIRONMENTS[adapter, known].from_string(whole_model(text)).render()


def schema(adapter: str) -> Mapping[str, Any]:
    return {table: dict.fromkeys(columns, "int") for table, columns in TABLES.items()}


def analysed(sql: str, adapter: str, known: bool = True) -> headwater.Lineage:
    return headwater.analyze(sql, dialect=DIALECTS[adapter], schema=schema(adapter) if known else None)


def lineage_of(sql: str, adapter: str) -> tuple[list[str], set[tuple[str, str]]]:
    """The output columns, and which column flows into which or decides about it; case is the adapter's."""
    lineage = analysed(sql, adapter)
    assert [f"{each.code.value}: {each.message}" for each in lineage.diagnostics] == [], sql
    [statement] = lineage.statements
    resolution = statement.resolution
    outputs = [resolution.columns[each][1].lower() for each in resolution.outputs]
    edges = [each for each in lineage.column_edges() if PSEUDO_ROWS not in (each.source.column, each.target.column)]
    return outputs, {(each.target.column.lower(), str(each.source).lower()) for each in edges}


def test_every_file_is_jinja_and_has_macros() -> None:
    environment = jinja2.Environment(extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"])
    for files in stand_in_macros().values():
        for name, text in files:
            assert environment.parse(text).find(jinja2.nodes.Macro), name


def test_every_macro_stands_once_in_its_package() -> None:
    for package, names in stand_in_names().items():
        assert len(set(names)) == len(names), package


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "name", "text"), ALL_MODELS, ids=[f"{package}.{name}" for package, name, _ in ALL_MODELS]
)
def test_all_adapters_give_the_same_lineage(package: str, name: str, text: str) -> None:
    found = {adapter: lineage_of(rendered(text, adapter), adapter) for adapter in DIALECTS}
    differing = {adapter: each for adapter, each in found.items() if each != found["duckdb"]}
    assert differing.keys() == MEANT_TO_DIFFER.get(f"{package}.{name}", set()), (found["duckdb"], differing)


@pytest.mark.slow
@pytest.mark.parametrize("adapter", ["snowflake", "bigquery", "databricks", "redshift", "duckdb", "postgres"])
def test_a_project_without_its_packages_is_read(adapter: str, tmp_path: Path) -> None:
    """Nothing that stand-ins do is forbidden in templates, or too much; only what asks the database is remarked.

    A value that only the database knows may stand where a column does; quoted names in lower case are no columns in Snowflake.
    """
    settings = {"name": "scratch", "version": "1.0.0", "profile": "scratch", "vars": VARIABLES}
    (tmp_path / "dbt_project.yml").write_text(json.dumps(settings), "utf-8")
    profile = {"target": "dev", "outputs": {"dev": {"type": adapter, "schema": "main", "database": "scratch"}}}
    (tmp_path / "profiles.yml").write_text(json.dumps({"scratch": profile}), "utf-8")
    (tmp_path / "models").mkdir()
    for table, columns in TABLES.items():
        text = "select " + ", ".join(f"cast(null as {type}) as {name}" for name, type in columns.items())
        (tmp_path / "models" / f"{table}.sql").write_text(text, "utf-8")
    for package, models in MODELS.items():
        for name, text in models.items():
            (tmp_path / "models" / f"{package}__{name}.sql").write_text(whole_model(text), "utf-8")
    project = read_dbt(tmp_path)
    messages = [remark[0].message for remark in project.remarks]
    allowed = ("the project is not compiled", "would ask the database", "scores_snowflake")
    assert [message for message in messages if not any(words in message for words in allowed)] == []
    assert len(project.models) == len(TABLES) + sum(map(len, MODELS.values()))
    found = project_lineage(project)
    known = ("run_query_value", *(("column id", "column tax") if adapter == "snowflake" else ()))
    said = [(each.message, place.path) for each, place in found.diagnostics() if each.code is not Code.TEMPLATE]
    assert [each for each in said if not any(words in each[0].lower() for words in known)] == []
    followed = {edge.target.table for edge in found.lineage.column_edges(rows="none")}
    assert len(followed) >= 148  # the others are made of constants, and of what only the database knows


@pytest.mark.parametrize("adapter", DIALECTS)
def test_unknown_columns_are_a_star(adapter: str) -> None:
    """What flows in is still there; nothing is lost because nobody knows the columns."""
    star = rendered(
        "select {{ dbt_utils.star(ref('orders'), except=['tax']) }} from {{ ref('orders') }}", adapter, False
    )
    assert sources(star, adapter) == {("*", "orders.*")}
    union = rendered("{{ dbt_utils.union_relations([ref('orders'), ref('scores')]) }}", adapter, False)
    assert {("*", "orders.*"), ("*", "scores.*")} <= sources(union, adapter)
    staged = """select {{ fivetran_utils.fill_staging_columns([], [{'name': 'id', 'datatype': 'int', 'alias': 'score_id'}]) }}
        from {{ ref('scores') }}"""
    assert sources(rendered(staged, adapter, False), adapter) == {("score_id", "scores.id")}
    narrow = rendered("{{ dbt_utils.unpivot(ref('scores'), exclude=['id']) }}", adapter, False)
    assert sources(narrow, adapter) == {("id", "scores.id"), ("value", "scores.*")}
    once = rendered("{{ dbt_utils.deduplicate(ref('orders'), 'id', 'tax') }}", adapter, False)
    assert ("*", "orders.*") in sources(once, adapter)


@pytest.mark.parametrize("adapter", DIALECTS)
def test_unknown_values_are_one_column(adapter: str) -> None:
    """A pivot over values that only the database knows is still a query, and shows where its columns come from."""
    text = """select id, {{ dbt_utils.pivot('status', dbt_utils.get_column_values(ref('orders'), 'status'), then_value='amount') }}
        from {{ ref('orders') }} group by id"""
    outputs, edges = lineage_of(rendered(text, adapter), adapter)
    assert outputs == ["id", "values_of_status"]
    assert {("values_of_status", "orders.status"), ("values_of_status", "orders.amount")} <= edges


@pytest.mark.parametrize("adapter", DIALECTS)
def test_no_relations_are_an_unknown_table(adapter: str) -> None:
    text = "{{ dbt_utils.union_relations(dbt_utils.get_relations_by_prefix('nowhere', 'x')) }}"
    lineage = analysed(rendered(text, adapter), adapter)
    assert [each.code.value for each in lineage.diagnostics if each.code.value == "syntax-error"] == []
    assert [each.code.value for each in lineage.diagnostics] != []


def sources(sql: str, adapter: str) -> set[tuple[str, str]]:
    edges = analysed(sql, adapter, known=False).column_edges()
    kept = [each for each in edges if PSEUDO_ROWS not in (each.source.column, each.target.column)]
    return {(each.target.column.lower(), str(each.source).lower()) for each in kept if each.type == "fdd"}


def test_every_stand_in_has_a_model() -> None:
    """Macros that only write into the database, or only help others, need none."""
    texts = [text for _, _, text in ALL_MODELS]
    macros = [text for files in stand_in_macros().values() for _, text in files]
    unused = [
        f"{package}.{name}"
        for package, names in stand_in_names().items()
        for name in names
        if not any(f"{package}.{name}(" in text for text in (*texts, *macros))
    ]
    assert sorted(set(unused) - WITHOUT_MODEL) == []


def test_the_documentation_lists_every_stand_in() -> None:
    page = (ROOT / "docs" / "formats" / "dbt.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (`.*`) \|$", page.partition("## Stand-ins")[2], re.MULTILINE))
    documented = {
        package: [name for name in names if not name.startswith(("_", "default__"))]
        for package, names in stand_in_names().items()
    }
    assert rows == {package: ", ".join(f"`{name}`" for name in names) for package, names in documented.items()}
