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
