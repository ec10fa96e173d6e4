"""Macros that nobody has, in every position of a template: the model is read, and what the call is given flows on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.model.diagnostic import Code
from headwater.project.dbt import read_dbt
from headwater.project.lineage import project_lineage
from headwater.project.objects import Project

BASE = "select 1 as id, 'x' as a, 2 as b, 3 as c"


class Read(NamedTuple):
    """What became of a model m over a model base."""

    project: Project
    sql: str
    edges: frozenset[str]
    tables: frozenset[str]
    said: tuple[tuple[Code, str], ...]


def read(folder: Path, template: str, macro: str = "", dialect: str = "duckdb") -> Read:
    files = {
        "dbt_project.yml": "name: shop\n",
        "models/base.sql": BASE,
        "models/m.sql": template,
        "macros/a.sql": macro,
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    project = read_dbt(folder, dialect=dialect, environment={})
    found = project_lineage(project)
    edges = frozenset(
        f"{str(edge.target).removeprefix('shop.')} <- {str(edge.source).removeprefix('shop.')}"
        for edge in found.lineage.column_edges()
        if str(edge.target).startswith("shop.m.")
    )
    tables = frozenset(str(edge.source) for edge in found.lineage.table_edges() if str(edge.target) == "shop.m")
    said = tuple((each.code, each.message) for each, _ in found.diagnostics() if each.code is not Code.TEMPLATE)
    sql = next(model.sql for model in project.models if model.name == "model.shop.m")
    return Read(project, sql, edges, tables, said)


def columns(made: Read) -> set[str]:
    """The columns of base that flow into columns of m, those that decide about rows not counted."""
    return {edge.partition(" <- ")[2] for edge in made.edges if "PseudoRows" not in edge}


IN_AN_EXPRESSION = {
    "a text": "{{ acme.f('a') }}",
    "a call block": "{% call acme.f() %} a {% endcall %}",
    "a call block with an argument": "{% call acme.f('b') %} a {% endcall %}",
    "a call block of a macro that returns one": "{% call mine() %} a {% endcall %}",
    "a set": "{% set x = acme.f('a') %}{{ x }}",
    "a set block": "{% set x %}{{ acme.f('a') }}{% endset %}{{ x }}",
    "a filter block": "{% filter upper %}{{ acme.f('a') }}{% endfilter %}",
    "a filter block that counts": "{{ acme.f('a') }}{% filter length %}{% endfilter %}",
    "a namespace": "{% set n = namespace(x=none) %}{% set n.x = acme.f('a') %}{{ n.x }}",
    "with": "{% with x = acme.f('a') %}{{ x }}{% endwith %}",
    "unpacking": "{% set x, y = acme.f('a') %}{{ y }}",
    "unpacking in brackets": "{% set x, (y, z) = acme.f('a') %}{{ z }}",
    "iteration": "{% for x in acme.f('a') %}{{ x }}{% endfor %}",
    "iteration over pairs": "{% for x, y in acme.f('a') %}{{ y }}{% endfor %}",
    "iteration over items": "{% for x, y in acme.f('a').items() %}{{ y }}{% endfor %}",
    "iteration over values": "{% for x in acme.f('a').values() %}{{ x.name }}{% endfor %}",
    "iteration over the items filter": "{% for x, y in acme.f('a') | items %}{{ y }}{% endfor %}",
    "iteration over dictsort": "{% for x, y in acme.f('a') | dictsort %}{{ y }}{% endfor %}",
    "a recursive loop": "{% for x in acme.f('a') recursive %}{{ x }}{% endfor %}",
    "an attribute": "{{ acme.f('a').name.more }}",
    "an item": "{{ acme.f('a')['x'][0] }}",
    "a slice": "{{ acme.f('a')[:3] }}",
    "a method": "{{ acme.f('a').lower().strip('x').some(1) }}",
    "split": "{{ acme.f('a').split('.')[1] }}",
    "zfill": "{{ acme.f('a').zfill(30) }}",
    "a call of the result": "{{ acme.f('a')('b') }}",
    "lower": "{{ acme.f('a') | lower }}",
    "upper": "{{ acme.f('a') | upper }}",
    "title": "{{ acme.f('a') | title }}",
    "trim": "{{ acme.f('a') | trim }}",
    "replace": "{{ acme.f('a') | replace('_', '') | replace('a', 'z') }}",
    "truncate": "{{ acme.f('a') | truncate(3) }}",
    "int": "{{ acme.f('a') | int }}",
    "float": "{{ acme.f('a') | float | round(2) | abs }}",
    "first": "{{ acme.f('a') | first }}",
    "last": "{{ acme.f('a') | last }}",
    "reverse": "{{ acme.f('a') | reverse }}",
    "list": "{{ (acme.f('a') | list)[0] }}",
    "join": "{{ acme.f('a') | join(', ') }}",
    "join of a list": "{{ [acme.f('a')] | join(', ') }}",
    "map": "{{ acme.f('a') | map('upper') | join(', ') }}",
    "map by attribute": "{{ acme.f('a') | map(attribute='name') | list | join(', ') }}",
    "selectattr": "{% if acme.f('a') | selectattr('x', 'equalto', 1) | list %}{% endif %}{{ acme.f('a') }}",
    "sort and unique": "{{ acme.f('a') | sort | unique | join }}",
    "sum": "{{ [1, acme.f('a')] | sum }}",
    "min": "{{ [acme.f('a')] | min }}",
    "default": "{{ acme.f('a') | default('b') }}",
    "as_text": "{{ acme.f('a') | as_text }}",
    "as_number": "{{ acme.f('a') | as_number }}",
    "as_native": "{{ acme.f('a') | as_native }}",
    "fromjson": "{{ fromjson(tojson([acme.f('a')]))[0] }}",
    "tojson": "{{ tojson([acme.f('a')])[2:-2] }}",
    "less": "{% if acme.f('a') < 3 %}{{ acme.f('a') }}{% else %}{{ acme.f('a') }}{% endif %}",
    "greater": "{% if 3 > acme.f('a') or acme.f('a') >= 'x' %}{% endif %}{{ acme.f('a') }}",
    "equal": "{% if acme.f('a') == 3 %}{% endif %}{{ acme.f('a') }}",
    "in": "{% if 1 in acme.f('a') or acme.f('a') in [1] %}{% endif %}{{ acme.f('a') }}",
    "tests": "{{ acme.f('a') if acme.f('a') is even or acme.f('a') is defined else 1 }}",
    "not": "{{ acme.f('a') if not acme.f('a') else acme.f('a') }}",
    "times": "{{ acme.f('a') * 2 }}",
    "times from the left": "{{ 2 * acme.f('a') }}",
    "minus": "{{ 2 - acme.f('a') - 1 }}",
    "divided": "{{ acme.f('a') / 2 // 3 % 4 }}",
    "power": "{{ acme.f('a') ** 2 }}",
    "negative": "{{ -acme.f('a') }}",
    "plus a number": "{{ 1 + acme.f('a') + 1 }}",
    "plus a text": "{{ acme.f('a') + '_x' }}",
    "plus a list": "{{ (acme.f('a') + ['x'])[0] }}",
    "joined": "{{ acme.f('a') ~ '_x' }}",
    "joined from the left": "{{ 'n_' ~ acme.f('a') }}",
    "formatted": "{{ '%s' % acme.f('a') }}",
    "format": "{{ '{}'.format(acme.f('a')) }}",
    "a number of rounds": "{% for i in range(acme.f('b')) %}{% endfor %}{{ acme.f('a') }}",
    "a date": "{{ modules.datetime.datetime.strptime(acme.f('a'), '%Y') }}",
    "a key": "{{ {'x': 1}[acme.f('a')] }}",
    "a value of a mapping": "{{ {'x': acme.f('a')}.x }}",
    "all arguments": "{{ mine_too(*acme.f('a'), **acme.f('b')) }}",
    "an argument": "{{ mine_too(acme.f('a')) }}",
    "an argument of another": "{{ acme.g(acme.f('a')) }}",
    "do": "{% set x = [] %}{% do x.append(acme.f('a')) %}{{ x[0] }}",
    "dispatch": "{{ adapter.dispatch('f', 'acme')('a') }}",
    "a list of names": "{{ acme.f(['a']) }}",
    "a named argument": "{{ acme.f(column='a') }}",
    "a mapping of names": "{{ acme.f({'x': 'a'}) }}",
    "an expression": "{{ acme.f('a + 1') }}",
    "behind config": "{{ config(tags=[acme.t()], alias=none) }}{{ acme.f('a') }}",
    "in a macro of the project": "{{ around('a') }}",
}
MACROS = (
    "{% macro mine() %}{{ return(acme.f(caller())) }}{% endmacro %}{% macro mine_too(x) %}{{ x }}{% endmacro %}"
    "{% macro around(x) %}{% call acme.f() %}{{ x }}{% endcall %}{% endmacro %}"
)


@pytest.mark.parametrize("what", IN_AN_EXPRESSION)
def test_a_call_in_an_expression_is_a_function_of_its_arguments(tmp_path: Path, what: str) -> None:
    made = read(tmp_path, f"select {IN_AN_EXPRESSION[what]} as v, c from {{{{ ref('base') }}}}", MACROS)
    assert "m.v <- base.a" in made.edges, made.sql
    assert "m.c <- base.c" in made.edges
    assert {code for code, _ in made.said} == {Code.UNKNOWN_MACRO}, made.said


QUERIES = {
    "in FROM": "select * from {{ acme.latest(ref('base'), 'id') }}",
    "in FROM, by a call block": "select * from {% call acme.latest(ref('base')) %}id{% endcall %} as l",
    "joined": "select o.id from other as o join {{ acme.latest(ref('base'), ['id']) }} as l on o.id = l.id",
    "behind a comma": "select o.id, l.v from other as o, {{ acme.latest(ref('base'), partition_by='id') }} as l",
    "in brackets": "select * from ({{ acme.latest(ref('base'), 'id, a desc') }}) as l",
    "a common table": "with l as ({{ acme.latest(ref('base')) }}) select * from l",
    "common tables": "with {{ acme.tables(ref('base')) }}, o as (select 1 as x) select * from o, acme__tables_tables",
    "behind common tables": "with o as (select 1 as x) {{ acme.latest(ref('base')) }}",
    "a part of a union": "select 1 as id union all {{ acme.latest(ref('base')) }}",
    "the whole model": "{{ acme.latest(ref('base'), 'id') }}",
    "the whole model behind config": "{{ config(materialized='table') }}\n\n{{ acme.latest(relation=ref('base')) }}\n",
    "a subquery": "select {{ acme.largest(ref('base'), 'id') }} as v from other as o",
    "a set": "{% set r = acme.latest(ref('base'), 'id') %}select * from {{ r }}",
    "a list of relations": "select * from {{ acme.union([ref('base')], ['id']) }}",
    "inside of another": "select * from {{ acme.rank(acme.latest(ref('base')), 'id') }}",
    "iteration over columns": "select {% for c in acme.cols(ref('base')) %}{{ c.name }},{% endfor %} 1 as v from {{ ref('base') }}",
    "joined columns": "select {{ acme.cols(ref('base')) | map(attribute='name') | join(', ') }} from other as o",
}


@pytest.mark.parametrize("what", QUERIES)
@pytest.mark.parametrize("dialect", ["duckdb", "snowflake", "bigquery"])
def test_a_table_that_a_call_is_given_flows_on(tmp_path: Path, what: str, dialect: str) -> None:
    made = read(tmp_path, QUERIES[what], dialect=dialect)
    base = "SHOP.BASE" if dialect == "snowflake" else "shop.base"
    target = base.replace("BASE", "M").replace("base", "m")
    found = project_lineage(made.project).lineage.table_edges()
    assert base in {str(edge.source) for edge in found if str(edge.target) == target}, made.sql
    assert {code for code, _ in made.said} <= {Code.UNKNOWN_MACRO, Code.UNKNOWN_TABLE_FUNCTION}, made.said


def test_in_from_texts_are_no_columns(tmp_path: Path) -> None:
    made = read(tmp_path, "select * from {{ acme.latest(ref('base'), 'id') }}")
    assert made.sql == 'select * from acme__latest((select * from "shop"."base"), \'id\')'
    assert not [edge for edge in made.edges if "orphan" in edge]
    assert columns(made) == {"base.id", "base.a", "base.b", "base.c", "acme__latest.*"}


ELSEWHERE = {
    "a clause": ("select a from {{ ref('base') }} {{ acme.where('a') }}", "it is left out"),
    "behind a column": ("select a {{ acme.cast('int') }} as a from {{ ref('base') }}", "it is left out"),
    "before the query": ("{{ acme.log('x') }} select a from {{ ref('base') }}", "it is left out"),
    "behind a star": ("select * {{ acme.without('b') }} from {{ ref('base') }}", "it is left out"),
    "a comment": ("select a from {{ ref('base') }} -- {{ acme.note('x') }}", "it is an unknown part of a name or text"),
    "a text": (
        "select a, '{{ acme.note('x') }}' as n from {{ ref('base') }}",
        "it is an unknown part of a name or text",
    ),
    "an alias": (
        "select a, b as {{ acme.name('b') }} from {{ ref('base') }}",
        "it is an unknown part of a name or text",
    ),
    "a part of an alias": (
        "select a, b as n_{{ acme.name('b') }} from {{ ref('base') }}",
        "it is an unknown part of a name or text",
    ),
    "a name of a table's": (
        "select a, t.{{ acme.name() }} as n from {{ ref('base') }} as t",
        "it is an unknown part of a name or text",
    ),
    "a quoted name": (
        "select a, b as \"{{ acme.name() }}\" from {{ ref('base') }}",
        "it is an unknown part of a name or text",
    ),
    "a schema": ("select a from {{ ref('base') }}, {{ acme.schema() }}.t", "it is an unknown part of a name or text"),
    "a type": ("select a, cast(b as {{ acme.text() }}) as t from {{ ref('base') }}", "an unknown type"),
    "a type behind colons": ("select a, b::{{ acme.text() }} as t from {{ ref('base') }}", "an unknown type"),
    "do": ("{% do acme.run('x') %}select a from {{ ref('base') }}", "the template alone works with its result"),
    "if": ("{% if acme.on() %}select a from {{ ref('base') }}{% endif %}", "the template alone works with its result"),
}


@pytest.mark.parametrize("what", ELSEWHERE)
def test_elsewhere_the_rest_of_the_model_is_read_and_the_cost_said(tmp_path: Path, what: str) -> None:
    template, words = ELSEWHERE[what]
    made = read(tmp_path, template)
    assert "m.a <- base.a" in made.edges, made.sql
    assert [code for code, _ in made.said] == [Code.UNKNOWN_MACRO], made.said
    assert words in made.said[0][1]


COLUMNS = {
    "one call": "select {{ acme.cols(ref('base')) }}, c from {{ ref('base') }}",
    "a loop": "select {% for x in acme.cols(ref('base')) %}{{ x.name }}, {% endfor %} c from {{ ref('base') }}",
    "joined": "select c, {{ acme.cols(ref('base')) | map(attribute='name') | join(', ') }} from {{ ref('base') }}",
}


@pytest.mark.parametrize("what", COLUMNS)
def test_columns_that_such_a_macro_makes_are_found_by_others(tmp_path: Path, what: str) -> None:
    """Whatever else is asked of the model may be one of them, and comes from all that the macro is given."""
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "after.sql").write_text("select a, c from {{ ref('m') }}", encoding="utf-8")
    made = read(tmp_path, COLUMNS[what])
    found = project_lineage(made.project).lineage.column_edges(rows="none")
    after = {
        f"{edge.target} <- {edge.source}".replace("shop.", "")
        for edge in found
        if str(edge.target).startswith("shop.after")
    }
    assert after == {"after.a <- m.unknown_macro_value", "after.c <- m.c"}
    assert {"m.unknown_macro_value <- base.a", "m.unknown_macro_value <- base.b", "m.c <- base.c"} <= made.edges
    assert [code for code, _ in made.said] == [Code.UNKNOWN_MACRO]
    assert made.said[0][1].endswith("in m it stands for unknown columns")


def test_texts_of_tuples_are_no_columns(tmp_path: Path) -> None:
    made = read(tmp_path, "select {{ acme.is_one_of('a', ('error', 'fail')) }} as v from {{ ref('base') }}")
    assert made.sql.startswith("select acme__is_one_of(a, 'error', 'fail') as v")
    assert [code for code, _ in made.said] == [Code.UNKNOWN_MACRO]


def test_the_diagnostic_points_to_the_first_call(tmp_path: Path) -> None:
    template = "{# acme.f('x') #}\nselect\n  {{ acme.f('a') }} as v, {{ around('b') }} as w\nfrom {{ ref('base') }}"
    macro = "\n{% macro around(x) %}{{ acme.g(x) }}{% endmacro %}"
    made = read(tmp_path, template, macro)
    places = {each.subject: place for each, place in made.project.remarks if each.code is Code.UNKNOWN_MACRO}
    assert {
        name: (place.path.removeprefix(f"{tmp_path}/"), place.line, place.column) for name, place in places.items()
    } == {
        "acme.f": ("models/m.sql", 3, 6),
        "acme.g": ("macros/a.sql", 2, 25),
    }


def test_a_model_that_is_made_by_a_macro_says_what_would_help(tmp_path: Path) -> None:
    made = read(tmp_path, "{{ acme.spine('day') }}")
    hints = [each.hint for each, _ in made.project.remarks if each.code is Code.UNREAD_MODEL]
    assert hints == ["run `dbt deps`: acme is not installed"]


def test_an_exception_of_a_template_costs_its_model_only(tmp_path: Path) -> None:
    """Python's `re.error` and `StopIteration` are none of the errors that templates usually end with."""
    for template in (
        "{{ modules.re.match('(', 'x') }}select 1 as v",
        "{% call returns_a_list() %}{% endcall %}{{ 1 / 0 }}",
        "{{ config(materialized=[1], schema={'a': 1}, quoting=3, tags={'x': 1}) }}select 1 / {{ none + 1 }} as v",
    ):
        made = read(tmp_path, template, "{% macro returns_a_list() %}{{ return([1]) }}{% endmacro %}")
        assert [code for code, _ in made.said] == [Code.UNREAD_MODEL]
    made = read(
        tmp_path, "{{ config(materialized=[1], schema={'a': 1}, quoting=3, tags={'x': 1}, meta=2) }}select 1 as v"
    )
    assert made.sql == "select 1 as v"


def test_a_call_block_of_a_macro_that_returns_no_text(tmp_path: Path) -> None:
    macro = "{% macro one() %}{% do caller() %}{{ return(1) }}{% endmacro %}"
    made = read(tmp_path, "select {% call one() %}{% endcall %} as v, a from {{ ref('base') }}", macro)
    assert made.sql == 'select 1 as v, a from "shop"."base"'


VALUES = (
    *("{} | lower", "{} | upper", "{} | trim", "{} | replace('_', 'x')", "{} | int", "{} | float", "{} | first"),
    *("{} | list | join(', ')", "{} | join('')", "{}.name", "{}['x']", "{}[0]", "{}.lower()", "{}.split('_')[1]"),
    *("{} * 2", "2 - {}", "{} + 1", "-{}", "({} if {} < 3 else {})", "[{}][0]", "(({}, 1) | first)", "{} or 'z'"),
    *("{} | default('x')", "{} | as_text", "acme.g({})", "dict(x={}).x", "{} | sort | last", "{}.items()[0][1]"),
)
TEXTS = (
    "{} ~ '_x'",
    "'x_' ~ {}",
    "{} | lower",
    "{} | replace('z', 'y')",
    "{} | int",
    "{} | default('x')",
    "acme.g({})",
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.sampled_from(VALUES), max_size=5), texts=st.lists(st.sampled_from(TEXTS), max_size=3))
def test_a_call_survives_any_steps(tmp_path: Path, steps: list[str], texts: list[str]) -> None:
    value = "acme.f('a')"
    for step in (*steps, *texts):
        value = "(" + step.replace("{}", value) + ")"
    made = read(tmp_path, f"select {{{{ {value} }}}} as v, c from {{{{ ref('base') }}}}")
    assert {"m.v <- base.a", "m.c <- base.c"} <= made.edges, (value, made.sql)
    assert re.search(r"[\U00100000-\U0010FFFD]", repr(made.project)) is None


def test_names_and_hooks_that_such_a_macro_makes(tmp_path: Path) -> None:
    settings = 'name: shop\nmodels:\n  +schema: "{{ acme.schema() }}"\n  +post-hook: "{{ acme.grant() }}"\n'
    (tmp_path / "models").mkdir()
    (tmp_path / "dbt_project.yml").write_text(settings, encoding="utf-8")
    (tmp_path / "models" / "m.sql").write_text("{{ config(alias=acme.alias()) }}select 1 as v", encoding="utf-8")
    project = read_dbt(tmp_path, dialect="duckdb", environment={})
    assert [(model.table, model.hooks) for model in project.models] == [
        (("shop_unknown_macro_value", "unknown_macro_value"), ())
    ]
    assert {each.subject for each, _ in project.remarks if each.code is Code.UNKNOWN_MACRO} == {
        "acme.grant",
        "acme.alias",
    }


def test_many_calls_and_calls_of_calls_end_soon(tmp_path: Path) -> None:
    columns = ", ".join(f"{{{{ acme.f('a', {number}) }}}} as v{number}" for number in range(800))
    made = read(tmp_path, f"select {columns} from {{{{ ref('base') }}}}")
    assert "m.v799 <- base.a" in made.edges
    nested = "{% for i in range(60) %}{% set ns.x = acme.f(ns.x, ns.x) %}{% endfor %}"
    made = read(
        tmp_path,
        "{% set ns = namespace(x=acme.f('a')) %}" + nested + "select {{ ns.x }} as v, a from {{ ref('base') }}",
    )
    assert "m.a <- base.a" in made.edges
    assert len(made.sql) < 100_000


@pytest.mark.parametrize("step", ["ns.x * ns.x", "ns.x + ns.x", "[ns.x, ns.x] | sum"])
def test_a_value_that_doubles_stays_small(tmp_path: Path, step: str) -> None:
    loop = f"{{% for i in range(60) %}}{{% set ns.x = {step} %}}{{% endfor %}}"
    made = read(
        tmp_path, "{% set ns = namespace(x=acme.f('a')) %}" + loop + "select {{ ns.x }} as v from {{ ref('base') }}"
    )
    assert "m.v <- base.a" in made.edges
    assert len(made.sql) < 1_000
