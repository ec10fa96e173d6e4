"""`--jinja` and `--vars` mean the same for all commands that read scripts."""

from __future__ import annotations

import json

import pytest

from command import Run, write

pytest.importorskip("jinja2")
pytestmark = pytest.mark.usefixtures("folder")

SQL = "INSERT INTO o SELECT {{ columns | join(', ') }} FROM {{ source('raw', name) }}{% include 'where.sql' %}"


def _files() -> None:
    write("sql/load.sql", SQL)
    write("sql/where.sql", " WHERE b > 0")


def _edges(out: str) -> set[str]:
    return {
        f"{e['target']['column']} <- {e['source']['table']}.{e['source']['column']}" for e in json.loads(out)["edges"]
    }


VARIABLES = ("--vars", '{"name": "t", "columns": ["a", "c"]}')
EXPECTED = {"a <- raw.t.a", "c <- raw.t.c", "PseudoRows <- raw.t.b", "PseudoRows <- raw.t.PseudoRows"}


def test_analyze_renders(run: Run) -> None:
    _files()
    done = run("analyze", "sql/load.sql", *VARIABLES, "-f", "json")
    assert (_edges(done.out), done.code) == (EXPECTED, 0)


def test_export_renders(run: Run) -> None:
    _files()
    assert _edges(run("export", "sql/load.sql", *VARIABLES, "-f", "json").out) == EXPECTED


def test_check_renders(run: Run) -> None:
    _files()
    done = run("check", "sql/load.sql", "--jinja", "-f", "json")
    (finding,) = json.loads(done.out)["findings"]
    assert "columns" in finding["message"]
    assert json.loads(run("check", "sql/load.sql", *VARIABLES, "-f", "json").out)["findings"] == []


def test_without_the_option_nothing_is_rendered(run: Run) -> None:
    _files()
    assert "raw.t.a" not in run("analyze", "sql/load.sql").out


@pytest.mark.parametrize("command", [("analyze",), ("check",), ("export", "-f", "json")])
def test_variables_that_cannot_be_read(run: Run, command: tuple[str, ...]) -> None:
    _files()
    done = run(*command, "sql/load.sql", "--vars", "[1]")
    assert done.code == 2
    assert "mapping in JSON or YAML" in done.err


@pytest.mark.parametrize("command", [("analyze",), ("check",), ("export", "-f", "json")])
def test_the_limits_of_templates_hold(run: Run, command: tuple[str, ...]) -> None:
    write("big.sql", "SELECT a FROM t -- {{ 'x' * 500000 }}")
    done = run(*command, "big.sql", "--jinja", "--template-size", "1000")
    assert "characters" in done.out + done.err


MACRO = "{% macro is_unique(columns) %}SELECT {{ columns | join(', ') }} FROM {{ table() }}{% endmacro %}"
CALL = 'INSERT INTO o {{ is_unique(["a", "b"]) }}'


def _macros(*names: str) -> None:
    for name in names:
        write(f"macros/{name}", MACRO)
    write("macros/table.sql", "{% macro table() %}t{% endmacro %}")
    write("sql/check.sql", CALL)


def _edges_of_check(run: Run) -> set[str]:
    """Of the script that calls the macro; files in SQL that define macros are scripts too, without a statement."""
    done = run("analyze", "sql/check.sql", "macros/", "--jinja", "-f", "json")
    found = json.loads(done.out)
    (lineage,) = (each for each in (found if isinstance(found, list) else [found]) if each["edges"])
    return {edge for edge in _edges(json.dumps(lineage)) if not edge.startswith("PseudoRows")}


@pytest.mark.parametrize("name", ["unique.jinja", "deep/unique.j2", "unique.jinja2", "unique.sql"])
def test_a_macro_is_found_without_an_import(run: Run, name: str) -> None:
    """So does a macro that it calls, of another file."""
    _macros(name)
    assert _edges_of_check(run) == {"a <- t.a", "b <- t.b"}


def test_a_macro_that_two_files_define_is_not_found(run: Run) -> None:
    _macros("one.jinja", "two.jinja")
    done = run("analyze", "sql/check.sql", "macros/", "--jinja")
    assert "is_unique is not defined for this template" in done.err + done.out


def test_a_template_s_own_macro_and_a_variable_come_first(run: Run) -> None:
    _macros("unique.jinja")
    own = "{% macro table() %}u{% endmacro %}INSERT INTO o SELECT a FROM {{ table() }}"
    write("sql/check.sql", own)
    assert _edges_of_check(run) == {"a <- u.a"}


def test_a_macro_s_name_is_not_defined_unless_it_is_called(run: Run) -> None:
    _macros("unique.jinja")
    write("sql/check.sql", "INSERT INTO o SELECT {{ 'b' if table is defined else 'a' }} FROM t")
    assert _edges_of_check(run) == {"a <- t.a"}


def test_a_macro_s_mistake_names_its_file(run: Run) -> None:
    _macros("unique.jinja")
    write("macros/table.sql", "\n{% macro table() %}{{ absent }}{% endmacro %}")
    done = run("analyze", "sql/check.sql", "macros/", "--jinja")
    assert "table.sql line 2: absent is not defined" in done.err + done.out
