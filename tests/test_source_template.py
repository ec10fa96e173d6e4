"""Jinja templates: rendered as dbt would, in a sandbox, within bounds."""

from __future__ import annotations

import pickle
import sys
import time

import pytest

from headwater.source import Template, TemplateProblem, scripts_of, variables_of

pytest.importorskip("jinja2")


@pytest.mark.parametrize(
    ("template", "sql"),
    [
        ("SELECT 1", "SELECT 1"),
        ("SELECT {{ day }}\n", "SELECT 2024\n"),
        ("FROM {{ ref('orders') }}", "FROM orders"),
        ("FROM {{ ref('shop', 'orders') }}", "FROM orders"),
        ("FROM {{ ref('orders', v=2) }}", "FROM orders_v2"),
        ("FROM {{ source('raw', 'orders') }}", "FROM raw.orders"),
        ("{{ source('raw', 'orders').identifier }}", "orders"),
        ("{{ config(materialized='table', tags=['a']) }}SELECT 1", "SELECT 1"),
        ("{{ config.get('x', 3) }}", "3"),
        ("{{ var('day') }} {{ var('other', 'b') }}", "2024 b"),
        ("{{ var('other', none) is none }}\n\n", "True\n\n"),
        ("SELECT 1{% if is_incremental() %} FROM {{ this }}{% endif %}", "SELECT 1"),
        ("FROM {{ this }}", "FROM model"),
        ("{% for c in ['a', 'b'] %}{{ c }}{% if not loop.last %}, {% endif %}{% endfor %}", "a, b"),
        ("{% set l = [] %}{% do l.append('x') %}{{ l | join('-') }}", "x"),
        ("{% macro twice(c) %}{{ c }} + {{ c }}{% endmacro %}{{ twice('a') }}", "a + a"),
        ("{{ env_var('HEADWATER_NOT_SET', 'dev') }}", "dev"),
        ("{{ 'a' ~ 1 ~ ref('t') | upper }} {{ '%s' % 3 }} {{ '{}'.format(4) }}", "a1T 3 4"),
        ("{{ 'a-b' | replace('-', '_') }} {{ ['x', 'y'] | map('upper') | join(', ') }}", "a_b X, Y"),
        ("{# nothing #}{{ '{{' }}", "{{"),
    ],
)
def test_rendering(template: str, sql: str) -> None:
    assert Template({"day": 2024}).render(template, "model") == sql


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("SELECT\n{{ missing }}", "line 2: missing is not defined"),
        ("\n\n{{ var('missing') }}", "line 3: missing is not defined"),
        ("{% if missing %}{% endif %}", "line 1: missing is not defined"),
        ("\n{{ env_var('HOME') }}", "line 2: environment variable HOME is not defined"),
        ("\n{% if %}", "line 2: the template cannot be rendered"),
        ("{{ 1 / 0 }}", "line 1: the template cannot be rendered: division by zero"),
        ("{% include 'other.sql' %}", "line 1: the template needs another one, other.sql"),
        ("{{ ref() }}", "line 1: the template cannot be rendered: ref takes"),
    ],
)
def test_problems_name_the_line(template: str, message: str) -> None:
    with pytest.raises(TemplateProblem) as problem:
        Template().render(template)
    assert str(problem.value).startswith(message)


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ ref.__globals__ }}",
        "{{ config.__init__.__globals__ }}",
        "{{ self.__init__ }}",
        "{{ '{0.__class__}'.format(1) }}",
        "{{ cycler.__init__.__globals__.os }}",
        "{{ lipsum() }}",
    ],
)
def test_there_is_no_way_out(template: str) -> None:
    with pytest.raises(TemplateProblem):
        Template().render(template)


@pytest.mark.parametrize(
    "template",
    [
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "{% for i in range(99999) %}{{ 'x' * 100000 }}{% endfor %}",
        "{% set y %}{% for i in range(99999) %}" + "some text " * 1000 + "{% endfor %}{% endset %}",
        "{{ range(10 ** 9) }}",
        "{{ 'a' * 10 ** 9 }}",
        "{{ 10 ** 10 ** 10 }}",
        "{% set n = namespace(x='aa') %}{% for i in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
        "{% set n = namespace(x='aa') %}{% for i in range(99) %}{% set n.x = n.x + n.x %}{% endfor %}",
        "{% set n = namespace(x=[1]) %}{% for i in range(99) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}",
        "{% set l = [1] %}{% for i in range(99) %}{% do l.extend(l) %}{% endfor %}",
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(50) }}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{{ '{:>999999999}'.format(1) }}",
        "{{ '{:{}}'.format(1, 999999999) }}",
        "{{ '%999999999d' % 1 }}",
        "{{ 'a'.ljust(999999999) }}",
        "{{ 'a' | indent(999999999, first=true) }}",
        "{{ range(99999) | join('x' * 100000) }}",
        "{{ ('a' * 100000).replace('a', 'b' * 100000) }}",
        "{{ ('a' * 100000) | replace('a', 'b' * 100000) }}",
    ],
)
def test_it_ends(template: str) -> None:
    start = time.perf_counter()
    with pytest.raises(TemplateProblem):
        Template().render(template)
    assert time.perf_counter() - start < 20


def test_one_rendering_leaves_nothing_for_the_next() -> None:
    template = Template({"names": ["a"]})
    for _ in range(2):
        assert template.render("{% do names.append('b') %}{{ names | join(',') }}") == "a,b"


def test_the_environment_only_where_it_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_STAGE", "prod")
    assert Template().render("{{ env_var('HEADWATER_STAGE', 'dev') }}") == "dev"
    assert Template(environment=True).render("{{ env_var('HEADWATER_STAGE', 'dev') }}") == "prod"


def test_a_template_travels() -> None:
    template = Template({"x": 1})
    assert template.render("{{ x }}") == "1"
    assert pickle.loads(pickle.dumps(template)).render("{{ x }}") == "1"


def test_scripts_are_rendered() -> None:
    (script,) = scripts_of("models/a.sql", b"SELECT {{ x }} FROM {{ this }}", template=Template({"x": 1}))
    assert (script.text, script.problem) == ("SELECT 1 FROM a", "")
    (script,) = scripts_of("models/a.sql", b"SELECT\n{{ y }}", template=Template())
    assert (script.text, script.problem) == (
        "",
        "line 2: y is not defined for this template; give it a value with --vars",
    )


def test_what_is_not_rendered_stays_a_template() -> None:
    (script,) = scripts_of("models/a.sql", b"SELECT {{ x }}")
    assert script.text == "SELECT {{ x }}"


def test_without_jinja_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.delitem(sys.modules, "headwater.source.jinja_sandbox", raising=False)
    assert Template().render("SELECT 1") == "SELECT 1"
    with pytest.raises(TemplateProblem, match=r"install headwater\[jinja\]"):
        Template().render_here("{{ x }}", "")


def test_variables_as_they_are_given() -> None:
    assert variables_of(["a=1", "b=x=y", "c=007", "d=1.10", "e=true", "f="]) == {
        "a": 1,
        "b": "x=y",
        "c": "007",
        "d": "1.10",
        "e": True,
        "f": "",
    }
    assert variables_of(['{"a": [1, {"b": 2}]}', "a=2"]) == {"a": 2}


@pytest.mark.parametrize("text", ["[1]", "3", "just words", "{", "{1: 2}", "[" * 100_000])
def test_variables_that_are_none(text: str) -> None:
    with pytest.raises(TemplateProblem):
        variables_of([text])


def test_variables_in_yaml() -> None:
    pytest.importorskip("yaml")
    assert variables_of(["{a: 1, b: [x]}", "c: d"]) == {"a": 1, "b": ["x"], "c": "d"}
