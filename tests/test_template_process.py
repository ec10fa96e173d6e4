"""Templates are rendered in a process of their own: what no counter sees ends that process, and costs one file or model."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import Run, write
from dbt_files import uncompiled, write_files
from headwater.budget import process
from headwater.files.roots import Roots, reading_below
from headwater.model.diagnostic import Code
from headwater.project.dbt import apart, read_dbt
from headwater.project.dbt.read import read_here
from headwater.project.objects import Project
from headwater.source import Template, TemplateProblem
from headwater.source.template_limits import TemplateLimits, template_limits

pytest.importorskip("jinja2")

LIMITS = TemplateLimits(seconds=0.5, memory=400)
LONG = "{% set x = 1 .from_bytes(('9' * 400000).encode(), 'big') %}"
"""A number of 3,200,000 bits, of which no size is known to a counter."""
ONE_CALL = {
    "a sum of lists": "{% set a = [[1, 2, 3]] * 100000 %}{{ a|sum(start=[])|length }}",
    "a sum of tuples": "{% set a = [(1, 2, 3)] * 100000 %}{{ a|sum(start=())|length }}",
    "a sum by an attribute": "{% set a = [{'x': [1, 2, 3]}] * 60000 %}{{ a|sum('x', [])|length }}",
    "sums in a map": "{% set a = [[[1, 2, 3]] * 100000] %}{{ a|map('sum', start=[])|list|length }}",
    "a format that repeats a text": "{% set b = 'x' * 400000 %}{{ (('%(a)s' * 100000) % {'a': b})|length }}",
    "str.format that repeats a text": "{% set b = 'x' * 400000 %}{{ ('{0}' * 100000).format(b)|length }}",
    "a format of a long number": f"{LONG}{{{{ (('%(a)x' * 100000) % {{'a': x}})|length }}}}",
    "many wide numbers": "{{ (('%(a).9999f' * 400000) % {'a': 1.5})|length }}",
    "many wide numbers with str.format": "{{ ('{0:.9999f}' * 100000).format(1.5)|length }}",
    "padding": "{{ (('%9999d' * 100000) % ((1,) * 100000))|length }}",
    "bytes of a number": "{{ (1).to_bytes(2000000000, 'big')|length }}",
    "bytes times a number": "{{ ('x'.encode() * 10 ** 10)|length }}",
    "bytes that are widened": "{{ 'x'.encode().center(10 ** 10)|length }}",
    "bytes with zeros before": "{{ 'x'.encode().zfill(10 ** 10)|length }}",
    "a format of bytes": "{{ ('%9999999999d'.encode() % 1)|length }}",
    "joined bytes": "{{ ('x' * 4000000).encode().join([''.encode()] * 1000)|length }}",
    "replaced bytes": "{% set b = 'b' * 900000 %}{{ ('a' * 900000).encode().replace('a'.encode(), b.encode())|length }}",
    "bytes with tabs": "{{ ('\\t' * 1000).encode().expandtabs(10 ** 8)|length }}",
    "characters to strip": "{{ ('a' * 200000).strip('b' * 2000000 ~ 'a')|length }}",
    "a quotient of long numbers": (
        "{% set x = 1 .from_bytes(('9' * 4900000).encode(), 'big') %}"
        "{% set y = 1 .from_bytes(('8' * 2400000).encode(), 'big') %}{{ x // y > 1 }}"
    ),
    "a long number that is rounded": "{{ 7|round(-300000000) }}",
}
"""Each takes longer than its time, or more than its memory, in one call of C."""
STUCK = ONE_CALL["a sum of lists"]
LARGE = ONE_CALL["bytes times a number"]


@pytest.fixture(autouse=True)
def _short() -> Iterator[None]:
    with template_limits(LIMITS):
        yield


@pytest.mark.parametrize("name", ONE_CALL)
def test_one_call_that_nobody_counts_ends(name: str) -> None:
    template, start = Template(limits=LIMITS), time.monotonic()
    with pytest.raises(
        TemplateProblem, match=r"takes longer than 0.5 seconds|takes too much memory: the limit is 400 MB"
    ) as raised:
        template.render(ONE_CALL[name])
    assert time.monotonic() - start < 30
    assert "\n" not in str(raised.value)
    assert template.render("SELECT {{ 1 }}") == "SELECT 1"


def test_the_options_are_named() -> None:
    with pytest.raises(TemplateProblem, match=r"it takes longer than 0.5 seconds \(--template-timeout\)"):
        Template().render(STUCK)
    with pytest.raises(TemplateProblem, match=r"it takes too much memory: the limit is 400 MB \(--memory\)"):
        Template().render(LARGE)


def test_files_of_a_run_share_a_process() -> None:
    process._stop_all()
    template = Template({"a": 1})
    assert [template.render(f"SELECT {{{{ a + {n} }}}}") for n in range(3)] == ["SELECT 1", "SELECT 2", "SELECT 3"]
    (worker,) = process._idle
    before = worker.pid
    assert template.render("{{ a }}") == "1"
    assert [worker.pid for worker in process._idle] == [before]


@pytest.mark.usefixtures("folder")
def test_other_files_are_analysed(run: Run) -> None:
    write("sql/a.sql", "INSERT INTO o SELECT {{ 'a' }} FROM t;")
    write("sql/b.sql", STUCK)
    write("sql/c.sql", "INSERT INTO p SELECT {{ 'c' }} FROM t;")
    done = run("analyze", "sql", "--jinja", "--template-timeout", "0.5", "-f", "json")
    assert done.out.count("longer than 0.5 seconds (--template-timeout)") == 1
    assert '"o"' in done.out
    assert '"p"' in done.out


def test_without_processes_templates_are_rendered_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    process._stop_all()
    monkeypatch.setattr(sys, "executable", "")
    assert Template().render("SELECT {{ 1 }}") == "SELECT 1"
    with pytest.raises(TemplateProblem, match=r"takes longer than 0\.5 seconds|more than 20,000,000 steps"):
        Template().render("{% for i in range(90000) %}{% for j in range(90000) %}{% endfor %}{% endfor %}")
    project = uncompiled(tmp_path, {"models/a.sql": "select 1 as {{ 'x' }}"})
    assert _queries(project) == {"a": "select 1 as x"}


def test_variables_that_cannot_travel_are_rendered_here(tmp_path: Path) -> None:
    assert Template({"f": lambda: 1}).render("{{ f() }}") == "1"
    project = uncompiled(tmp_path, {"models/a.sql": "select {{ var('f')() }} as x"}, variables={"f": lambda: 1})
    assert _queries(project) == {"a": "select 1 as x"}


def test_a_template_that_calls_itself_is_as_deep_as_here() -> None:
    template = Template(limits=TemplateLimits())
    text = "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"
    messages = []
    for render in (template.render, template.render_here):
        with pytest.raises(TemplateProblem, match="calls itself too deeply") as raised:
            render(text, "a")
        messages.append(str(raised.value))
    assert messages[0] == messages[1]


# dbt projects


def test_a_model_that_does_not_end_costs_only_itself(tmp_path: Path) -> None:
    files = {
        "models/a.sql": "select 1 as {{ 'x' }}",
        "models/b.sql": f"select {STUCK} as x from {{{{ ref('a') }}}}",
        "models/c.sql": f"select {LARGE} as x",
        "models/d.sql": "select * from {{ ref('b') }} join {{ ref('a') }} using (x)",
    }
    project = uncompiled(tmp_path, files)
    assert _queries(project) == {
        "a": "select 1 as x",
        "b": "",
        "c": "",
        "d": 'select * from "shop"."b" join "shop"."a" using (x)',
    }
    assert _said(project, "it takes longer than 0.5 seconds (--template-timeout)") == ["b.sql"]
    assert _said(project, "it takes too much memory: the limit is 400 MB (--memory)") == ["c.sql"]


def test_a_macro_that_does_not_end_costs_the_models_that_call_it(tmp_path: Path) -> None:
    files = {
        "macros/m.sql": f"{{% macro stuck() %}}{STUCK}{{% endmacro %}}{{% macro fine() %}}1{{% endmacro %}}",
        "models/a.sql": "select {{ fine() }} as x",
        "models/b.sql": "select {{ stuck() }} as x",
    }
    project = uncompiled(tmp_path, files)
    assert _queries(project) == {"a": "select 1 as x", "b": ""}
    assert _said(project, "it takes longer than 0.5 seconds (--template-timeout)") == ["b.sql"]


def test_a_setting_that_does_not_end(tmp_path: Path) -> None:
    files = {
        "dbt_project.yml": f"name: shop\nmodel-paths: ['models']\nversion: \"{STUCK}\"\n",
        "models/a.sql": "select 1 as {{ 'x' }}",
    }
    project = uncompiled(tmp_path, files)
    assert _queries(project) == {"a": "select 1 as x"}
    ((found, place),) = [(d, place) for d, place in project.remarks if "--template-timeout" in d.message]
    assert found.message.startswith("a setting: {% set a")
    assert (found.code, place.path.endswith("dbt_project.yml")) == (Code.INVALID_PROJECT, True)


def test_after_too_many_only_what_was_rendered_before_is_rendered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "_MOST_STOPPED", 2)
    stuck = {f"models/b{n}.sql": f"select {STUCK} as x" for n in range(4)}
    project = uncompiled(tmp_path, {"models/a.sql": "select 1 as {{ 'x' }}", **stuck})
    made = _queries(project)
    assert made.pop("a") == "select 1 as x"
    assert set(made.values()) == {""}
    assert len(_said(project, "--template-timeout")) == 2
    assert len(_said(project, "too many other templates had to be stopped")) == 2


def test_what_a_process_reads_is_what_is_read_here(tmp_path: Path) -> None:
    files = {
        "models/a.sql": "{{ config(materialized='incremental') }}select {{ nobody(1) }} as x {% if is_incremental() %}where 1{% endif %}",
        "models/b.sql": "select {{ 'x' }},\n  {{ dbt_utils.star(ref('a')) }} from {{ source('s', 't') }}",
        "models/s.yml": "sources: [{name: s, tables: [{name: t, columns: [{name: c}]}]}]",
    }
    write_files(tmp_path, files)
    for path in (tmp_path, Path(__file__).parent.parent / "examples" / "dbt"):
        assert read_dbt(path, environment={}) == read_here(path, None, {}, {})


def test_paths_are_those_of_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        write_files(tmp_path / name, {"models/a.sql": f"select 1 as {{{{ '{name}' }}}}"})
        monkeypatch.chdir(tmp_path / name)
        project = read_dbt(".", dialect="postgres", environment={})
        assert _queries(project) == {"a": f"select 1 as {name}"}
        assert [model.place.path for model in project.models] == ["models/a.sql"]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="there are no links")
def test_what_is_not_read_there_is_noted_here(tmp_path: Path) -> None:
    write_files(tmp_path / "p", {"models/a.sql": "select 1 as {{ 'x' }}"})
    (tmp_path / "outside.sql").write_text("select 2 as y", encoding="utf-8")
    (tmp_path / "p" / "models" / "b.sql").symlink_to(tmp_path / "outside.sql")
    noted = []
    for read in (lambda p: read_dbt(p, environment={}), lambda p: read_here(p, None, {}, {})):
        with reading_below(Roots.of([str(tmp_path / "p")])) as roots:
            project = read(tmp_path / "p")
        noted.append((project, roots.passed_over, roots.unreadable))
    assert noted[0] == noted[1]
    assert "b" not in {model.name for model in noted[0][0].models}


def _queries(project: Project) -> dict[str, str]:
    """The SQL of models, by their names."""
    return {model.name.rpartition(".")[2]: model.sql.strip() for model in project.models}


def _said(project: Project, words: str) -> list[str]:
    """The files of the diagnostics that say something."""
    return [Path(place.path).name for diagnostic, place in project.remarks if words in diagnostic.message]
