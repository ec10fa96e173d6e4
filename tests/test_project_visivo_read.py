"""Visivo's projects, of the current version and of 1.x: what is read of each construct, and where it stands."""

from __future__ import annotations

import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import dedent

import pytest
import yaml

from headwater.model.diagnostic import Code, Severity
from headwater.project.objects import Expression, Field, Model, NoProject, Place, Presentation, Project, Reference
from headwater.project.visivo import read_visivo
from headwater.project.visivo.includes import LARGEST

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "visivo"
SHARED = Path(os.environ.get("HEADWATER_SHARED", ROOT.parent / "shared"))
CORPORA = SHARED / "corpora" / "visivo"

SOURCE = """\
sources:
  - name: warehouse
    type: duckdb
    database: shop.duckdb
"""


class Folder:
    """A project in a folder of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, text: str, file: str = "project.visivo.yml") -> Folder:
        target = self.path / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(dedent(text), encoding="utf-8")
        return self

    def read(self, environment: Mapping[str, str] | None = None) -> Project:
        return read_visivo(self.path, environment or {})


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def read(folder: Folder, text: str, environment: Mapping[str, str] | None = None) -> Project:
    """A project of one file, which also has a source."""
    return folder.write("name: shop\n" + SOURCE + dedent(text)).read(environment)


def at(place: Place) -> tuple[str, int, int]:
    return Path(place.path).name, place.line, place.column


def remarks(project: Project) -> list[tuple[str, int, int]]:
    """Codes with lines and columns."""
    return [(diagnostic.code.value, place.line, place.column) for diagnostic, place in project.remarks]


def only(project: Project, name: str) -> Presentation:
    (found,) = [presentation for presentation in project.presentations if presentation.name == name]
    return found


def model(project: Project, name: str) -> Model:
    (found,) = [model for model in project.models if model.name == name]
    return found


def texts(presentation: Presentation) -> dict[str, str]:
    return {name: str(expression) for name, expression in presentation.properties}


# The project and its files


def test_a_project_of_one_file(folder: Folder) -> None:
    project = read(folder, "models:\n  - name: orders\n    sql: select id from orders\n")
    assert (project.name, project.tool) == ("shop", "visivo")
    assert [source.name for source in project.sources] == ["warehouse"]
    assert [Path(file).name for file in project.files] == ["project.visivo.yml"]
    assert model(project, "orders").sql == "select id from orders"
    assert model(project, "orders").source is project.sources[0]
    assert project.remarks == ()


def test_the_first_file_may_be_named(folder: Folder) -> None:
    folder.write("name: other\n", "other.yml")
    assert read_visivo(folder.path / "other.yml").name == "other"


def test_the_older_name_of_the_first_file(folder: Folder) -> None:
    assert folder.write("name: old\n", "visivo_project.yml").read().name == "old"


def test_a_project_without_a_name_is_called_like_its_folder(folder: Folder) -> None:
    assert folder.write("models:\n").read().name == folder.path.name


def test_no_project(folder: Folder) -> None:
    with pytest.raises(NoProject, match=r"is no Visivo project: there is no project\.visivo\.yml"):
        folder.read()


def test_files_include_files(folder: Folder) -> None:
    folder.write("name: shop\nincludes:\n  - path: a.yml\n  - path: sub/b.yml\n")
    folder.write("includes:\n  - path: project.visivo.yml\ninputs:\n  - name: from_a\n", "a.yml")
    folder.write("includes:\n  - path: ../c.yml\ninputs:\n  - name: from_b\n", "sub/b.yml")
    folder.write("inputs:\n  - name: from_c\n", "c.yml")
    project = folder.read()
    assert [Path(f).relative_to(folder.path).as_posix() for f in project.files] == [
        "project.visivo.yml",
        "a.yml",
        "sub/b.yml",
        "c.yml",
    ]
    assert [p.name for p in project.presentations] == ["from_a", "from_b", "from_c"]
    assert at(only(project, "from_c").place) == ("c.yml", 2, 5)
    assert project.remarks == ()


@pytest.mark.parametrize(
    ("more", "names"),
    [
        ("", ["a", "deep", "skipped", "b", "c"]),
        ("    depth: 0\n", ["a", "b"]),
        ("    depth: 1\n", ["a", "skipped", "b", "c"]),
        ("    exclusions: [skipped.yml]\n", ["a", "deep", "b", "c"]),
        ("    exclusions: ['below/*']\n", ["a", "b"]),
        ("    exclusions: ['*/inner/*', 'skip.*']\n", ["a", "b", "c"]),
        ("    exclusions: ['[']\n", ["a", "deep", "skipped", "b", "c"]),
    ],
)
def test_a_folder_is_included(folder: Folder, more: str, names: list[str]) -> None:
    """Sorted by path: `a.yml`, `below/inner/deep.yml`, `below/skipped.yml`, `below.yaml` stands before `below/`, …"""
    folder.write(f"name: shop\nincludes:\n  - path: parts\n{more}")
    for file, name in {
        "parts/a.yml": "a",
        "parts/below/c.yml": "c",
        "parts/below/inner/deep.yml": "deep",
        "parts/below/skipped.yml": "skipped",
        "parts/b.yaml": "b",
        "parts/notes.txt": "notes",
    }.items():
        folder.write(f"inputs:\n  - name: {name}\n", file)
    assert {p.name for p in folder.read().presentations} == set(names)


def test_a_git_repository_is_not_fetched(folder: Folder) -> None:
    project = folder.write("name: shop\nincludes:\n  - path: visivo-io/example.git@main\n").read()
    ((diagnostic, place),) = project.remarks
    assert (diagnostic.code, diagnostic.severity) == (Code.INCLUDED_FILE, Severity.INFO)
    assert at(place) == ("project.visivo.yml", 3, 5)


@pytest.mark.parametrize(
    ("path", "file"), [("a/b.git@v1", "project.visivo.yml"), ("a/b.git@v1 -- parts/x.yml", "parts/x.yml")]
)
def test_what_visivo_has_fetched_is_read(folder: Folder, path: str, file: str) -> None:
    folder.write(f"name: shop\nincludes:\n  - path: {path}\n")
    project = folder.write("inputs:\n  - name: there\n", f".visivo_cache/a/b@v1/{file}").read()
    assert [p.name for p in project.presentations] == ["there"]
    assert project.remarks == ()


@pytest.mark.parametrize(
    ("written", "file"), [("enabled: true", "target/dbt.yml"), ("output_file: parts/dbt.yml", "parts/dbt.yml")]
)
def test_what_visivo_has_taken_from_dbt(folder: Folder, written: str, file: str) -> None:
    folder.write(f"name: shop\ndbt:\n  {written}\n")
    assert remarks(folder.read()) == [("included-file", 3, 3)]
    folder.write("sources: [{name: s, type: duckdb}]\nmodels: [{name: m, sql: select 1}]\n", file)
    assert [m.name for m in folder.read().models] == ["m"]
    assert folder.read().remarks == ()
    assert folder.write("name: shop\ndbt: {enabled: false}\n").read().models == ()


def test_an_included_file_that_is_not_there(folder: Folder) -> None:
    project = folder.write("name: shop\nincludes:\n  - path: gone.yml\ninputs:\n  - name: here\n").read()
    assert remarks(project) == [("unreadable-file", 3, 5)]
    assert [p.name for p in project.presentations] == ["here"]


# Sources


@pytest.mark.parametrize(
    ("written", "dialect", "schema"),
    [
        ("type: sqlite\ndatabase: local.db", "sqlite", None),
        ("type: duckdb\ndatabase: a.duckdb", "duckdb", None),
        ("type: postgresql\ndatabase: Shop\ndb_schema: Sales", "postgres", ("shop", "sales")),
        ("type: postgresql\ndatabase: shop", "postgres", None),
        ("type: mysql\ndatabase: Shop", "mysql", ("Shop",)),
        ("type: snowflake\ndatabase: dev\ndb_schema: public", "snowflake", ("DEV", "PUBLIC")),
        ("type: bigquery\nproject: my-project\ndatabase: Sales", "bigquery", ("my-project", "Sales")),
        ("type: redshift\ndatabase: dev\ndb_schema: Sales", "redshift", ("dev", "sales")),
        ("type: clickhouse\ndatabase: Shop", "clickhouse", ("Shop",)),
        ("type: csv\nfile: a.csv", "duckdb", None),
        ("type: xls\nfile: a.xls", "duckdb", None),
    ],
)
def test_types_of_sources(folder: Folder, written: str, dialect: str, schema: tuple[str, ...] | None) -> None:
    lines = "".join(f"    {line}\n" for line in written.split("\n"))
    project = folder.write(f"name: shop\nsources:\n  - name: s\n{lines}").read()
    (source,) = project.sources
    assert (source.dialect, source.schema, at(source.place)) == (dialect, schema, ("project.visivo.yml", 3, 5))
    assert project.remarks == ()


def test_a_source_of_an_unknown_type(folder: Folder) -> None:
    project = folder.write("name: shop\nsources:\n  - name: s\n    type: postgres\n").read()
    ((diagnostic, place),) = project.remarks
    assert (diagnostic.code, place.line, diagnostic.hint) == (Code.INVALID_PROJECT, 3, "did you mean postgresql?")
    assert project.sources[0].dialect == "ansi"


def test_no_password_is_read(folder: Folder) -> None:
    text = """\
        name: shop
        sources:
          - name: s
            type: postgresql
            database: ${env.DATABASE}
            db_schema: public
            username: ${env.USERNAME}
            password: ${env.PASSWORD}
            host: hunter1
            private_key_passphrase: hunter3
        models:
          - name: m
            sql: select '${env.PASSWORD}' as a, ${env.PASSWORD} as b, x from ${env.SCHEMA}.t
        """
    secret = {"PASSWORD": "hunter2", "DATABASE": "shop", "SCHEMA": "raw"}
    project = folder.write(text).read(secret)
    assert project.sources[0].schema == ("shop", "public")
    assert "hunter" not in repr(project)
    assert model(project, "m").sql == "select '${env.PASSWORD}' as a, PASSWORD as b, x from raw.t"
    assert project.remarks == ()


def test_a_variable_that_is_not_set(folder: Folder) -> None:
    project = folder.write(
        "name: shop\nsources:\n  - name: s\n    type: mysql\n    database: shop_${env.STAGE}\n"
    ).read()
    ((diagnostic, place),) = project.remarks
    assert (diagnostic.code, diagnostic.severity, diagnostic.subject) == (Code.UNSET_VARIABLE, Severity.INFO, "STAGE")
    assert (place.line, place.column) == (5, 20)
    assert project.sources[0].schema == ("shop_STAGE",)


def test_variables_as_older_projects_write_them(folder: Folder) -> None:
    text = """\
        name: shop
        targets:
          - name: s
            type: mysql
            database: {{ env_var('STAGE') }}
            password: "{{ env_var('PASSWORD') }}"
        """
    project = folder.write(text).read({"STAGE": "test"})
    assert project.sources[0].schema == ("test",)
    assert project.remarks == ()


def test_templates_of_older_projects(folder: Folder) -> None:
    """They are not rendered, but what stands in them is there, at its place."""
    text = """\
        name: shop
        {% raw %}
        traces:
          - name: t
            props:
              z:
                {%- for i in range(1, 62) %}
                - query("V{{i}}")
                {%- endfor %}
        {% endraw %}
        """
    project = folder.write(text).read()
    assert texts(only(project, "t")) == {"z.0": '"V{{i}}"'}
    assert remarks(project) == [("template", 7, 9)]


def test_seeds_tell_columns(folder: Folder) -> None:
    text = """\
        name: shop
        sources:
          - name: files
            type: duckdb
            database: a.duckdb
            seeds:
              - table_name: rates
                args:
                  - echo
                  - |
                    currency,"rate, in euro"
                    usd,0.9
              - table_name: unknown
                args: [cat, file.csv]
        """
    assert folder.write(text).read().catalog == {"files.rates": {"currency": "", "rate, in euro": ""}}


# Models


def test_sources_of_models(folder: Folder) -> None:
    text = """\
        name: shop
        defaults:
          source_name: first
        sources:
          - {name: first, type: sqlite, database: a.db}
          - {name: second, type: mysql, database: b}
        models:
          - {name: by_default, sql: select 1}
          - {name: by_reference, source: "${ref(second)}", sql: select 1}
          - {name: by_bare_reference, source: ref(second), sql: select 1}
          - {name: by_name, source_name: second, sql: select 1}
          - {name: by_older_key, target: ref(second), sql: select 1}
          - name: inline
            source: {name: third, type: snowflake, database: c}
            sql: select 1
          - name: inline_without_name
            source: {type: csv, file: c.csv}
            sql: select 1
        """
    project = folder.write(text).read()
    assert {m.name: (m.source.name, m.source.dialect) for m in project.models} == {
        "by_default": ("first", "sqlite"),
        "by_reference": ("second", "mysql"),
        "by_bare_reference": ("second", "mysql"),
        "by_name": ("second", "mysql"),
        "by_older_key": ("second", "mysql"),
        "inline": ("third", "snowflake"),
        "inline_without_name": ("inline_without_name.source", "duckdb"),
    }
    assert project.remarks == ()


def test_the_only_source_is_the_default(folder: Folder) -> None:
    assert model(read(folder, "models:\n  - {name: m, sql: select 1}\n"), "m").source.name == "warehouse"


def test_sources_that_are_not_there(folder: Folder) -> None:
    project = read(folder, "models:\n  - name: m\n    source: ${ref(warehose)}\n    sql: select 1\n")
    ((diagnostic, place),) = project.remarks
    assert (diagnostic.code, diagnostic.hint) == (Code.UNKNOWN_REFERENCE, "did you mean warehouse?")
    assert (place.line, place.column) == (8, 13)
    assert model(project, "m").source.name == "warehose"


def test_an_unknown_default_is_said_once(folder: Folder) -> None:
    text = "name: shop\ndefaults:\n  source_name: profile\nmodels:\n  - {name: a, sql: select 1}\n  - {name: b, sql: select 1}\n"
    project = folder.write(text).read()
    assert remarks(project) == [("unknown-reference", 3, 16)]
    assert [m.source.name for m in project.models] == ["profile", "profile"]


def test_a_model_that_has_no_source(folder: Folder) -> None:
    project = folder.write("name: shop\nmodels:\n  - {name: m, sql: select 1}\n").read()
    assert remarks(project) == [("invalid-project", 3, 5)]
    assert [m.name for m in project.models] == ["m"]


@pytest.mark.parametrize(
    ("written", "sql", "line", "column"),
    [
        ("    sql: select a", "select a", 8, 10),
        ('    sql: "select a"', "select a", 8, 11),
        ("    sql: '  select a'", "select a", 8, 13),
        ("    sql: |\n      select\n        a\n", "select\n  a", 9, 7),
        ("    sql: |-\n\n\n      select a\n", "select a", 11, 7),
        ("    sql: >\n      select\n      a\n", "select a", 9, 7),
        ("    sql: select\n      a", "select a", 8, 10),
        ('    sql: "\\n\\tselect a"', "select a", 8, 15),
        ("    sql:\n      select a", "select a", 9, 7),
    ],
)
def test_where_the_sql_of_a_model_begins(folder: Folder, written: str, sql: str, line: int, column: int) -> None:
    project = read(folder, f"models:\n  - name: m\n{written}\n")
    assert (model(project, "m").sql, at(model(project, "m").place)) == (sql, ("project.visivo.yml", line, column))


def test_the_output_of_a_command(folder: Folder) -> None:
    text = """\
        models:
          - name: csv
            table_name: numbers
            args:
              - echo
              - |
                x,y
                1,9
          - name: listed
            args: [python, list.py]
        """
    project = read(folder, text)
    assert (model(project, "csv").columns, model(project, "csv").materialized) == ({"x": "", "y": ""}, "nothing")
    assert model(project, "listed").columns is None
    assert model(project, "csv").sql == ""
    assert model(project, "csv").source.dialect == "duckdb"


def test_a_merge_of_models(folder: Folder) -> None:
    """A merge finds each model in a schema of its name; the model stands there instead, and everything keeps its place."""
    text = """\
        models:
          - name: merged
            models:
              - ref(first)
              - ${ref(numbers)}
              - {name: inline, sql: select 2 as id}
            sql: |
              SELECT first.model.id, 'first.model', n.x, model.a -- first.model
              FROM first.model JOIN "numbers".Figures AS n ON n.id = first.id
                JOIN main.first.model ON true JOIN inline.model ON true
          - name: numbers
            table_name: figures
            args: [echo, "x"]
          - name: first
            sql: select 1 as id
        """
    merged = model(read(folder, text), "merged")
    assert merged.sql == (
        "SELECT \"first\"    .id, 'first.model', n.x, model.a -- first.model\n"
        'FROM "first"     JOIN "numbers"         AS n ON n.id = first.id\n'
        '  JOIN main.first.model ON true JOIN "inline"     ON true'
    )
    assert (merged.source.dialect, merged.source.schema) == ("duckdb", ("shop", "model"))


def test_a_merge_of_one_model_may_leave_its_schema_out(folder: Folder) -> None:
    text = "models:\n  - {name: a, sql: select 1 as x}\n  - name: b\n    models: [ref(a)]\n    sql: select model.x from a.model\n"
    assert model(read(folder, text), "b").sql == 'select "a"  .x from "a"'


@pytest.mark.parametrize(("source", "table"), [("duckdb", '"shop"."model"."a b"'), ("mysql", "`shop`.`model`.`a b`")])
def test_a_model_may_refer_to_another(folder: Folder, source: str, table: str) -> None:
    text = f"name: Shop\nsources: [{{name: s, type: {source}}}]\nmodels:\n  - name: b\n    sql: select x from ${{ref(A b)}} as t\n"
    assert model(folder.write(text).read(), "b").sql == f"select x from {table} as t"


def test_a_model_without_sql(folder: Folder) -> None:
    assert remarks(read(folder, "models:\n  - name: m\n")) == [("invalid-project", 7, 5)]


# Fields and relations


def test_fields_of_models_and_of_the_project(folder: Folder) -> None:
    text = """\
        models:
          - name: orders
            sql: select id, amount from orders
            dimensions:
              - name: big
                description: Above 100.
                expression: "amount > 100"
            metrics:
              - name: revenue
                expression: sum(amount)
            relations:
              - name: of_customers
                condition: ${ref(orders).id} = ${ref(customers).id}
        dimensions:
          - name: label
            expression: ${ref(orders).big} || '!'
        metrics:
          - name: share
            expression: ${ref(orders).revenue} / ${ref(total)}
        """
    project = read(folder, text)
    place = project.fields[0].place
    assert [(f.kind, f.full_name, str(f.expression), f.place[1:], f.expression.place[1:]) for f in project.fields] == [
        ("dimension", "orders.big", "amount > 100", (10, 9), (12, 22)),
        ("metric", "orders.revenue", "sum(amount)", (14, 9), (15, 21)),
        ("dimension", "label", "${orders.big} || '!'", (20, 5), (21, 17)),
        ("metric", "share", "${orders.revenue} / ${total}", (23, 5), (24, 17)),
    ]
    assert project.fields[0] == Field(
        "dimension", "big", project.fields[0].expression, place, "orders", description="Above 100."
    )
    assert project.fields[3].expression.references == (Reference("orders", "revenue"), Reference("total"))
    assert [r.name for r in project.relations] == ["of_customers"]


def test_relations(folder: Folder) -> None:
    text = """\
        relations:
          - name: plain
            condition: ${ref(a).id} = ${ref(b).id}
          - name: chosen
            condition: ${ref(a).id} = ${ref(c).id}
            join_type: left
            is_default: true
          - name: odd
            condition: ${ref(a).id} = ${ref(d).id}
            join_type: sideways
          - name: nothing
        """
    project = read(folder, text)
    assert [(r.name, r.join, r.default) for r in project.relations] == [
        ("plain", "inner", False),
        ("chosen", "left", True),
        ("odd", "inner", False),
    ]
    assert project.relations[0].condition.references == (Reference("a", "id"), Reference("b", "id"))
    assert remarks(project) == [("invalid-project", 15, 16), ("invalid-project", 16, 5)]


# Insights and traces


def test_properties_of_insights(folder: Folder) -> None:
    text = """\
        insights:
          - name: i
            props:
              type: bar
              x: ?{${ref(orders).day}}
              y: ?{ sum(${ref(orders).amount}) }[0]
              text: "?{ ${ref(orders).name} || '}' }"
              mode: ${ref(choice).value}
              title: "Up to ${ref(choice).value}'s"
              marker:
                color: [ "red", "?{ ${ref(orders).color} }[1:5]" ]
                size: 8
              z:
                - - ?{${ref(orders).a}}
                - ?{${ref(orders).b}}[-1]
        """
    insight = only(read(folder, text), "i")
    assert (insight.kind, insight.word, insight.model, at(insight.place)) == (
        "insight",
        "insight",
        "",
        ("project.visivo.yml", 7, 5),
    )
    assert texts(insight) == {
        "x": "${orders.day}",
        "y": "sum(${orders.amount})",
        "text": "${orders.name} || '}'",
        "mode": "${choice.value}",
        "title": "'Up to ' || ${choice.value} || '''s'",
        "marker.color.1": "${orders.color}",
        "z.0.0": "${orders.a}",
        "z.1": "${orders.b}",
    }
    places = {name: expression.place[1:] for name, expression in insight.properties}
    assert places == {
        "x": (10, 12),
        "y": (11, 13),
        "text": (12, 17),
        "mode": (13, 13),
        "title": (14, 15),
        "marker.color.1": (16, 29),
        "z.0.0": (19, 15),
        "z.1": (20, 13),
    }


def test_interactions(folder: Folder) -> None:
    text = """\
        insights:
          - name: i
            interactions:
              - filter: ?{ ${ref(a).x} > ${ref(least).min} }
              - split: ?{ ${ref(a).y} }
              - sort: ?{ ${ref(a).z} desc }
              - filter: ?{ sum(${ref(a).x}) > 0 }
        """
    insight = only(read(folder, text), "i")
    assert [str(e) for e in insight.filters] == ["${a.x} > ${least.min}", "sum(${a.x}) > 0"]
    assert [str(e) for e in insight.splits] == ["${a.y}"]
    assert [str(e) for e in insight.sorts] == ["${a.z} desc"]
    assert insight.filters[1].place[1:] == (12, 20)


def test_traces(folder: Folder) -> None:
    text = """\
        traces:
          - name: t
            model: ref(orders)
            cohort_on: region
            columns:
              week: date_trunc('week', day)
              total: ?{ sum(amount) }
              half: ${columns.total} / 2
            props:
              type: bar
              x: column(week)
              y: column(total)[0]
              text: ${ columns.total }
              value: ?{ columns.total[0] }
              base: query(min(amount))
              marker:
                color: ?{ case when amount > 1 then 'red' end }
                line: column(none)
            filters:
              - ?{ amount > 0 }
              - query( region is not null )
            order_by:
              - ?{ day desc }
              - column(week)
            tests:
              - assertions: [ ">{ any(${ref(t).props.x}) }" ]
        """
    project = read(folder, text)
    trace = only(project, "t")
    assert (trace.kind, trace.word, trace.model) == ("insight", "trace", "orders")
    assert texts(trace) == {
        "columns.week": "date_trunc('week', day)",
        "columns.total": "sum(amount)",
        "columns.half": "(sum(amount)) / 2",
        "x": "date_trunc('week', day)",
        "y": "sum(amount)",
        "text": "sum(amount)",
        "value": "sum(amount)",
        "base": "min(amount)",
        "marker.color": "case when amount > 1 then 'red' end",
    }
    assert [str(e) for e in trace.filters] == ["amount > 0", "region is not null"]
    assert [str(e) for e in trace.sorts] == ["day desc", "date_trunc('week', day)"]
    assert [str(e) for e in trace.splits] == ["region"]
    assert remarks(project) == [("unknown-reference", 23, 15)]


@pytest.mark.parametrize("written", ["ref(orders)", "${ref(orders)}", "${ ref('orders') }", "orders"])
def test_the_model_of_a_trace(folder: Folder, written: str) -> None:
    text = f'traces:\n  - name: t\n    model: "{written}"\n    props: {{x: "?{{a}}"}}\n'
    assert only(read(folder, text), "t").model == "orders"


def test_models_inside_of_others(folder: Folder) -> None:
    text = """\
        traces:
          - name: named
            model: {name: inner, sql: select 1 as a}
          - name: unnamed
            model: {sql: select 2 as a}
        tables:
          - name: table
            data: {name: rows, sql: select 3 as a}
        """
    project = read(folder, text)
    assert [(m.name, m.sql) for m in project.models] == [
        ("inner", "select 1 as a"),
        ("unnamed.model", "select 2 as a"),
        ("rows", "select 3 as a"),
    ]
    assert only(project, "named").model == "inner"
    assert only(project, "unnamed").model == "unnamed.model"
    assert only(project, "table").shows == (Reference("rows"),)


@pytest.mark.parametrize("value", ["?{ a", "?{ a } b", "query(a"])
def test_an_expression_without_an_end(folder: Folder, value: str) -> None:
    project = read(folder, f'insights:\n  - name: i\n    props:\n      x: "{value}"\n      y: "?{{b}}"\n')
    assert remarks(project) == [("invalid-project", 9, 11)]
    assert texts(only(project, "i")) == {"x": "a", "y": "b"}, "as much as there is"


def test_a_quote_without_a_partner(folder: Folder) -> None:
    assert texts(only(read(folder, 'insights:\n  - name: i\n    props:\n      x: "?{ a -- it\'s }"\n'), "i")) == {
        "x": "a -- it's"
    }


def test_brackets_inside_of_expressions(folder: Folder) -> None:
    text = "insights:\n  - name: i\n    props:\n      x: \"?{ {'a': ${ref(m).b}} }\"\n      y: query(f((a), ')'))\n"
    assert texts(only(read(folder, text), "i")) == {"x": "{'a': ${m.b}}", "y": "f((a), ')')"}


def test_no_path_leads_to_a_secret(folder: Folder) -> None:
    text = "insights:\n  - name: i\n    description: ${env.WORD}\n    props:\n      x: ?{ '${project.targets[0].password}' }\n"
    project = folder.write("name: shop\ntargets:\n  - {name: s, type: mysql, password: hunter1}\n" + text).read(
        {"WORD": "hunter2"}
    )
    assert texts(only(project, "i")) == {"x": "'${project.targets[0].password}'"}
    assert "hunter" not in repr(project)


def test_paths_through_the_project(folder: Folder) -> None:
    text = "insights:\n  - name: i\n    props:\n      x: ?{ '${project.sources[0].name}' || ${ref(a).b} }\n"
    assert texts(only(read(folder, text), "i")) == {"x": "'warehouse' || ${a.b}"}


# Inputs, charts, tables, dashboards


def test_inputs(folder: Folder) -> None:
    text = """\
        inputs:
          - name: fixed
            type: single-select
            options: ["a", "b"]
          - name: asked
            type: multi-select
            options: ?{ select distinct x from ${ref(orders)} }
            display:
              type: dropdown
              default:
                values: ?{ select max(x) from ${ref(orders)} }
          - name: ranged
            range:
              start: ${ref(least).value}
              step: 1
              end: ?{ select max(x) from ${ref(orders)} }
        """
    project = read(folder, text)
    assert [(p.kind, p.word, p.name, texts(p)) for p in project.presentations] == [
        ("input", "input", "fixed", {}),
        (
            "input",
            "input",
            "asked",
            {"options": "(select distinct x from ${orders}) UNION ALL (select max(x) from ${orders})"},
        ),
        ("input", "input", "ranged", {"options": "(SELECT ${least.value}) UNION ALL (select max(x) from ${orders})"}),
    ]


def test_charts(folder: Folder) -> None:
    text = """\
        charts:
          - name: c
            insights:
              - ${ref(first)}
              - ref(second)
              - name: inline
                props: {x: "?{ ${ref(m).a} }"}
              - props: {x: "?{ ${ref(m).b} }"}
            traces:
              - ref(third)
            selector: ref(which)
            layout:
              title: {text: "${ref(model).metric}"}
        """
    project = read(folder, text)
    chart = only(project, "c")
    assert (chart.kind, chart.word) == ("chart", "chart")
    assert [str(r) for r in chart.shows] == ["first", "second", "inline", "c.insights[3]", "third", "which"]
    assert chart.properties == (), "a layout is text"
    assert texts(only(project, "c.insights[3]")) == {"x": "${m.b}"}


def test_tables(folder: Folder) -> None:
    text = """\
        tables:
          - name: whole
            data: ${ref(model)}
          - name: chosen
            columns:
              - ${ref(i).region} as Region
              - ${ref(i).revenue} as "Total Revenue"
              - ${ref(i).region}
              - ${ref(i).region}
          - name: pivot
            columns: ["${ref(i).region}"]
            rows: ["${ref(i).product}"]
            values: ["sum(${ref(i).revenue})"]
        """
    project = read(folder, text)
    assert only(project, "whole").shows == (Reference("model"),)
    assert (only(project, "whole").kind, only(project, "whole").word) == ("chart", "table")
    assert texts(only(project, "chosen")) == {
        "Region": "${i.region}",
        "Total Revenue": "${i.revenue}",
        "region": "${i.region}",
        "columns.3": "${i.region}",
    }
    assert texts(only(project, "pivot")) == {
        "region": "${i.region}",
        "product": "${i.product}",
        "sum(revenue)": "sum(${i.revenue})",
    }


def test_tables_of_traces(folder: Folder) -> None:
    text = """\
        tables:
          - name: t
            traces: [ref(a), ref(b)]
            column_defs:
              - trace_name: a
                columns:
                  - {header: Week, key: columns.week}
                  - {key: props.x}
        """
    table = only(read(folder, text), "t")
    assert dict(table.properties) == {
        "Week": Expression((Reference("a", "columns.week"),), Place(table.place.path, 12, 33)),
        "x": Expression((Reference("a", "x"),), Place(table.place.path, 13, 19)),
    }
    assert table.shows == (Reference("b"),)


def test_dashboards(folder: Folder) -> None:
    text = """\
        markdowns:
          - {name: text, content: hello}
        dashboards:
          - name: d
            tags: [daily]
            rows:
              - items:
                  - chart: ${ref(a)}
                  - markdown: ${ref(text)}
                  - rows:
                      - items:
                          - table: ref(b)
                          - rows:
                              - items:
                                  - input: ${ref(c)}
              - items:
                  - chart: {name: e, insights: ["${ref(i)}"]}
                  - table: {name: f, data: "${ref(i)}"}
                  - input: {name: g, options: [a]}
                  - chart: {insights: ["${ref(i)}"]}
                  - chart: ${ref(a)}
                  - markdown: "# Text of 1.x"
          - name: elsewhere
            type: external
            href: https://example.org
        """
    project = read(folder, text)
    dashboard = only(project, "d")
    assert (dashboard.kind, dashboard.word, dashboard.tags) == ("dashboard", "dashboard", ("daily",))
    assert [str(r) for r in dashboard.shows] == ["a", "b", "c", "e", "f", "g", "d.rows[1].items[3].chart"]
    assert {p.name for p in project.presentations} == {"d", "e", "f", "g", "d.rows[1].items[3].chart", "elsewhere"}
    assert only(project, "elsewhere").shows == ()
    assert project.remarks == ()


def test_a_dashboard_that_is_a_template(folder: Folder) -> None:
    text = """\
        markdowns:
          - {name: note, content: hello}
        dashboards:
          - name: d
            template: |
              <style>.a { b: c }</style>
              <div class="a" data-visivo-item="first"></div><p data-visivo-item='note'>
              <div data-visivo-item="second chart"/> <!-- <div data-visivo-item="third"> -->
        """
    assert only(read(folder, text), "d").shows == (Reference("first"), Reference("second chart"))


def test_selectors(folder: Folder) -> None:
    text = """\
        selectors:
          - name: which
            options: [ref(trace), ref(row)]
        charts:
          - name: c
            selector: {name: own, type: single}
        dashboards:
          - name: d
            rows:
              - name: row
                items:
                  - selector: ref(which)
        """
    project = read(folder, text)
    assert (only(project, "which").kind, only(project, "which").word) == ("input", "selector")
    assert only(project, "which").shows == (Reference("trace"),)
    assert only(project, "c").shows == (Reference("own"),)
    assert only(project, "d").shows == (Reference("which"),)


# What is wrong


def test_names_that_stand_twice(folder: Folder) -> None:
    text = (
        "models:\n  - {name: a, sql: select 1}\ncharts:\n  - name: a\nmetrics:\n  - {name: b, expression: count(*)}\n"
    )
    project = read(folder, text + "tables:\n  - name: b\n")
    assert remarks(project) == [("duplicate-name", 9, 5), ("duplicate-name", 13, 5)]
    first, _ = project.remarks[0]
    assert "project.visivo.yml:7:5" in first.message
    assert project.presentations == ()


def test_fields_of_two_models_may_have_one_name(folder: Folder) -> None:
    field = "metrics: [{name: rows, expression: count(*)}]"
    project = read(
        folder, f"models:\n  - {{name: a, sql: select 1, {field}}}\n  - {{name: b, sql: select 1, {field}}}\n"
    )
    assert [f.full_name for f in project.fields] == ["a.rows", "b.rows"]
    assert project.remarks == ()


def test_unknown_keys_are_left_alone(folder: Folder) -> None:
    text = "future: {a: 1}\nalerts: [{name: slack}]\nmodels:\n  - {name: a, sql: select 1, colour: red}\n"
    project = read(folder, text)
    assert [m.name for m in project.models] == ["a"]
    assert project.remarks == ()


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("models: orders", 6, 9),
        ("models:\n  - orders", 7, 5),
        ("models:\n  - name: [a]\n    sql: select 1", 7, 11),
        ("models:\n  - name: a\n    sql: {b: c}", 8, 10),
        ("insights:\n  - name: i\n    props: [a]", 8, 12),
        ("dashboards:\n  - name: d\n    rows:\n      - items: none", 9, 16),
        ("charts:\n  - name: c\n    insights: [sales]", 8, 16),
        ("dashboards:\n  - name: d\n    rows:\n      - items:\n          - chart: [a]", 10, 20),
        ("metrics:\n  - name: m", 7, 5),
    ],
)
def test_values_of_a_wrong_shape(folder: Folder, text: str, line: int, column: int) -> None:
    project = read(folder, text + "\ninputs:\n  - name: still_there\n")
    assert ("invalid-project", line, column) in remarks(project)
    assert "still_there" in {p.name for p in project.presentations}


def test_descriptions_are_not_filled_in(folder: Folder) -> None:
    text = "models:\n  - {name: m, sql: select 1, description: 'as ${env.WORD}'}\ndashboards:\n  - {name: d, tags: ['${env.WORD}']}\n"
    project = read(folder, text, {"WORD": "hunter2"})
    assert model(project, "m").description == "as ${env.WORD}"
    assert only(project, "d").tags == ("${env.WORD}",)


def test_empty_lists_are_fine(folder: Folder) -> None:
    assert read(folder, "models:\ninsights: ~\ncharts: null\ndashboards: []\nincludes:\n").remarks == ()


# YAML


def test_anchors_and_merges(folder: Folder) -> None:
    text = """\
        models:
          - &base
            name: a
            sql: select 1 as x
            metrics: &metrics
              - {name: rows, expression: count(*)}
          - <<: *base
            name: b
          - {name: c, sql: select 2, metrics: *metrics}
        insights:
          - name: i
            props: {<<: [{x: "?{1}"}, {x: "?{2}", y: "?{3}"}], z: "?{4}"}
        """
    project = read(folder, text)
    assert [(m.name, m.sql) for m in project.models] == [
        ("a", "select 1 as x"),
        ("b", "select 1 as x"),
        ("c", "select 2"),
    ]
    assert [f.full_name for f in project.fields] == ["a.rows", "b.rows", "c.rows"]
    assert texts(only(project, "i")) == {"x": "1", "y": "3", "z": "4"}
    assert project.remarks == ()


def test_a_key_that_stands_twice(folder: Folder) -> None:
    project = read(folder, "models:\n  - name: a\n    sql: select 1\n    sql: select 2\n")
    assert remarks(project) == [("invalid-project", 9, 5)]
    assert model(project, "a").sql == "select 2"


def test_places_in_texts_that_are_not_ascii(folder: Folder) -> None:
    text = "insights:\n  - name: Umsätze – täglich 🚲\n    props: {ö: '?{ ''ä'' || x }', x: \"\\u00e4 ${ref(a).b}\"}\n"
    insight = only(read(folder, text), "Umsätze – täglich 🚲")
    assert texts(insight) == {"ö": "'ä' || x", "x": "'ä ' || ${a.b}"}
    assert [e.place[1:] for _, e in insight.properties] == [(8, 20), (8, 39)]


def test_lines_that_end_as_on_windows(folder: Folder) -> None:
    content = (SOURCE + "models:\n  - name: a\n    sql: |\n      select 1\n      as b\n").replace("\n", "\r\n")
    (folder.path / "project.visivo.yml").write_bytes(b"\xef\xbb\xbf" + content.encode())
    found = model(folder.read(), "a")
    assert (found.sql, at(found.place)) == ("select 1\nas b", ("project.visivo.yml", 8, 7))


HOSTILE = {
    "laughs": "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefghi", "bcdefghij", strict=True)),
    "deep": "a: " + "[" * 100_000,
    "deep_block": "".join(f"{' ' * i}a:\n" for i in range(1000)),
    "itself": "a: &a [*a]\n",
    "nothing_before": "a: *b\n",
    "tabs": "models:\n\t- name: a\n",
    "no_yaml": "models: [a\n",
    "braces": "a: }{\n",
    "two": "name: a\n---\nname: b\n",
    "control": "a: \x07\n",
    "merges": "a: &a {"
    + ", ".join(f"k{i}: 1" for i in range(1000))
    + "}\nb: {<<: ["
    + ", ".join(["*a"] * 2000)
    + "]}\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_yaml(folder: Folder, name: str) -> None:
    folder.write("name: shop\nincludes:\n  - path: bad.yml\ninputs:\n  - name: here\n")
    (folder.path / "bad.yml").write_text(HOSTILE[name], encoding="utf-8")
    project = folder.read()
    ((diagnostic, place),) = project.remarks
    assert (diagnostic.code, Path(place.path).name) == (Code.INVALID_PROJECT, "bad.yml")
    assert [p.name for p in project.presentations] == ["here"]


@pytest.mark.parametrize("content", [b"name: caf\xe9\n", b"a: 1\nb: \xff\xfe\n", b"x" * (LARGEST + 1)])
def test_files_that_cannot_be_read(folder: Folder, content: bytes) -> None:
    folder.write("name: shop\nincludes:\n  - path: bad.yml\ninputs:\n  - name: here\n")
    (folder.path / "bad.yml").write_bytes(content)
    project = folder.read()
    ((diagnostic, place),) = project.remarks
    assert (diagnostic.code, Path(place.path).name) == (Code.UNREADABLE_FILE, "bad.yml")
    assert place.line == (2 if content.startswith(b"a:") else 1)
    assert [p.name for p in project.presentations] == ["here"]


def test_what_is_no_file(folder: Folder) -> None:
    os.mkfifo(folder.path / "pipe.yml")
    project = folder.write("name: shop\nincludes:\n  - path: pipe.yml\n").read()
    assert remarks(project) == [("unreadable-file", 3, 5)]


@pytest.mark.parametrize(
    "project", [EXAMPLE, *(CORPORA / name for name in ("demo", "integration") if CORPORA.is_dir())]
)
def test_both_parsers_of_yaml_read_the_same(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML has one in C, which is not everywhere."""
    fast = read_visivo(project)
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert read_visivo(project) == fast


def test_where_yaml_ends(folder: Folder) -> None:
    project = folder.write("name: shop\nmodels:\n  - name: a\n   sql: b\n").read()
    ((_, place),) = project.remarks
    assert place.line == 4


def test_a_complaint_quotes_nothing(folder: Folder) -> None:
    project = folder.write("name: shop\nsources:\n  - name: a\n    password: hunter2: [\n").read()
    assert project.remarks
    assert "hunter2" not in repr(project)


def test_a_long_file_is_read(folder: Folder) -> None:
    models = "".join(f"  - name: m{i}\n    sql: select {i} as a\n" for i in range(5_000))
    assert len(read(folder, "models:\n" + models).models) == 5_000


MARKS = [
    "${",
    "}",
    "{",
    "[",
    "]",
    ":",
    "- ",
    "\n",
    "  ",
    "ref(",
    "'",
    '"',
    "?{",
    "&a ",
    "*a ",
    "<<: ",
    "~",
    "|",
    "\t",
    " {a: 1}",
    " [1]",
]


@pytest.mark.parametrize("seed", range(6))
def test_damage_is_survived(tmp_path: Path, seed: int) -> None:
    """Marks of YAML and of expressions in wrong places, and lines that are missing: something is read, nothing is raised."""
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    chance = random.Random(seed)
    names = {p.name for p in read_visivo(tmp_path).presentations}
    for file in sorted(tmp_path.rglob("*.yml")):
        if file.name == "project.visivo.yml":
            continue
        text = file.read_text(encoding="utf-8")
        at = chance.randrange(len(text))
        damaged = text[:at] + chance.choice(MARKS) + text[at + chance.randrange(3) :]
        lines = damaged.split("\n")
        del lines[chance.randrange(len(lines))]
        file.write_text("\n".join(lines), encoding="utf-8")
        found = {p.name for p in read_visivo(tmp_path).presentations}
        file.write_text(text, encoding="utf-8")
        assert len(found & names) > len(names) / 3


# Whole projects


def expressions(project: Project) -> list[Expression]:
    found = [field.expression for field in project.fields] + [relation.condition for relation in project.relations]
    for p in project.presentations:
        found += [e for _, e in p.properties]
        found += [*p.filters, *p.sorts, *p.splits]
    return found


def test_the_example(folder: Folder) -> None:
    """Nothing of it is wrong, and everything in it is read."""
    environment = {"SHOP_SCHEMA": "retail", "LOGISTICS_SCHEMA": "logistics", "SHOP_PASSWORD": "hunter2"}
    project = read_visivo(EXAMPLE, environment)
    assert project.remarks == ()
    assert "hunter2" not in repr(project)
    assert (project.name, len(project.files)) == ("corner_shop", 11)
    assert [(s.name, s.dialect, s.schema) for s in project.sources] == [
        ("warehouse", "postgres", ("shop", "retail")),
        ("seeds", "duckdb", None),
        ("web_log", "duckdb", None),
    ]
    assert project.catalog == {"seeds.campaigns": {"campaign": "", "channel": "", "started_on": "", "budget": ""}}
    assert len(project.models) == 14
    assert "unfinished" not in {m.name for m in project.models}
    assert model(project, "shipments").sql.endswith("from logistics.shipments")
    assert (len(project.fields), len(project.relations)) == (15, 5)
    kinds = [p.word for p in project.presentations]
    assert {word: kinds.count(word) for word in kinds} == {
        "input": 5,
        "insight": 8,
        "trace": 2,
        "chart": 6,
        "table": 6,
        "selector": 1,
        "dashboard": 5,
    }


def test_the_example_refers_to_what_is_there() -> None:
    project = read_visivo(EXAMPLE)
    known = (
        {m.name for m in project.models} | {f.name for f in project.fields} | {p.name for p in project.presentations}
    )
    meant = {r.name for e in expressions(project) for r in e.references}
    meant |= {r.name for p in project.presentations for r in p.shows}
    assert meant <= known


REFERENCE = re.compile(r"\$\{\s*ref\(\s*([^)]+?)\s*\)(?:\.(\w+))?\s*\}")
QUERY = re.compile(r"\?\{(.*)\}(?:\[[^\]]*\])?", re.DOTALL)


def strings(value: object) -> Iterator[str]:
    """All texts of what PyYAML makes of a file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


@pytest.mark.parametrize(("name", "queries"), [("demo", 11), ("integration", 124), ("complex-project", 24)])
def test_nothing_of_a_real_project_is_lost(name: str, queries: int) -> None:
    """Every `?{` is an expression and every `${ref(` a reference, compared with texts that were not found by our reader."""
    if not CORPORA.is_dir():
        pytest.skip("../shared/corpora/visivo is not there")
    project = read_visivo(CORPORA / name)
    contents = [file.read_text(encoding="utf-8") for file in sorted((CORPORA / name).rglob("*.yml"))]
    written = [text for content in contents for text in strings(yaml.safe_load(content))]
    asked = [match[1].strip() for text in written if (match := QUERY.fullmatch(text.strip()))]
    uncommented = [line for content in contents for line in content.splitlines() if not line.lstrip().startswith("#")]
    assert len(asked) == queries == sum(line.count("?{") for line in uncommented)
    found = expressions(project)
    plain = Counter(REFERENCE.sub(lambda m: f"${{{m[1]}.{m[2]}}}" if m[2] else f"${{{m[1]}}}", text) for text in asked)
    assert plain - Counter(str(e) for e in found) == Counter()
    inside = [m for text in written for m in REFERENCE.finditer(text) if m[2] or m[0] != text.strip()]
    assert Counter((m[1], m[2] or "") for m in inside) == Counter(
        (r.name, r.field) for e in found for r in e.references
    )
    whole = {m[1] for text in written if (m := REFERENCE.fullmatch(text.strip())) and not m[2]}
    shown = {r.name for p in project.presentations for r in p.shows} | {m.source.name for m in project.models}
    assert whole - shown == {"welcome-note"} & whole, "a text, without data"
    assert {diagnostic.code for diagnostic, _ in project.remarks} <= {Code.INCLUDED_FILE, Code.UNSET_VARIABLE}
