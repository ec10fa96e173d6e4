"""What surrounds the answers: completion, logging, progress, the list of dialects."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from command import Run, line_with, write
from headwater.cli.dialects import TITLES
from headwater.cli.progress import Progress
from headwater.sql.dialect import dialect_names

# Completion


def completions(run: Run, monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    """What a shell would be offered at the end of a line."""
    words = line.split(" ")
    monkeypatch.setenv("_HEADWATER_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    return run().out.splitlines()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(shell: str, run: Run) -> None:
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
    assert f"_HEADWATER_COMPLETE={shell}_complete" in out


def test_an_unknown_shell(run: Run) -> None:
    assert run("completion", "cmd").code == 2


def test_how_to_switch_it_on_is_in_the_help(run: Run) -> None:
    out = run("completion", "--help").out
    assert "bash-completion/completions/headwater" in out


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("headwater ana", ["plain,analyze"]),
        ("headwater analyze s.sql --dialect sno", ["plain,snowflake"]),
        ("headwater analyze s.sql --dialect spark,po", ["plain,spark,postgres"]),
        ("headwater explain unresolved", ["plain,unresolved-column"]),
        ("headwater analyze s.sql --ignore syntax-error,enc", ["plain,syntax-error,encoding"]),
        ("headwater analyze sal", ["file,sal"]),
        ("headwater analyze s.sql --schema co", ["file,co"]),
        ("headwater analyze s.sql --config h", ["file,h"]),
        ("headwater analyze s.sql --level co", ["plain,complete", "plain,column"]),
        ("headwater completion f", ["plain,fish"]),
    ],
)
def test_what_is_completed(line: str, offered: list[str], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions(run, monkeypatch, line) == offered


def test_a_dialect_is_not_offered_twice(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = completions(run, monkeypatch, "headwater analyze s.sql -d spark,")
    assert "plain,spark,hive" in offered
    assert "plain,spark,spark" not in offered


# Logging


def test_nothing_is_logged_by_default(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT a FROM t")
    assert run("analyze", "s.sql").err == ""


def test_verbose(run: Run, folder: Path) -> None:
    write("headwater.toml", 'dialect = "hive"\n')
    write("s.sql", "SELECT a FROM t;\nSELECT b FROM t")
    err = run("analyze", "s.sql", "-v").err
    assert "headwater.toml" in line_with(err, "settings from")
    line = line_with(err, "info", "s.sql: utf-8, 32 characters, dialect hive, 2 statements, 0 diagnostics")
    assert line.endswith(" ms")
    assert "s.sql:2:1" not in err


def test_more_verbose(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT a FROM t;\nSELECT b FROM t")
    write("schema.json", '{"t": ["a", "b"]}')
    err = run("analyze", "s.sql", "-vv").err
    assert line_with(err, "debug", "s.sql:2:1: Select")
    assert line_with(err, "schema.json", "below the schema")


@pytest.mark.parametrize(
    ("level", "arguments", "logged"),
    [
        ("INFO", [], True),
        ("info", [], True),
        ("20", [], True),
        ("ERROR", [], False),
        ("ERROR", ["-v"], True),
        ("INFO", ["-q"], False),
        ("nonsense", [], False),
    ],
)
def test_the_level_of_the_environment(
    level: str, arguments: list[str], logged: bool, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("s.sql", "SELECT a FROM t")
    monkeypatch.setenv("LOG_LEVEL", level)
    assert ("1 statements" in run("analyze", "s.sql", *arguments).err) is logged


def test_no_text_is_logged(run: Run, folder: Path) -> None:
    write("s.sql", "SET x.password = hunter2; SELECT very_special_name FROM t")
    err = run("analyze", "s.sql", "-vv").err
    assert line_with(err, "s.sql:1:27: Select")
    assert "very_special_name" not in err
    assert "hunter2" not in err


# Progress


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_progress_begins_after_a_second() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = Progress(120, stream, clock)
    progress.step("a.sql")
    assert stream.getvalue() == ""
    clock.now = 1.5
    progress.step("b.sql")
    assert stream.getvalue().endswith("2 of 120 scripts: b.sql")
    progress.clear()
    assert stream.getvalue().endswith("\r\x1b[2K")


def test_progress_does_not_flicker() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = Progress(1000, stream, clock)
    for i in range(1000):
        clock.now = 1 + i / 1000
        progress.step(f"{i}.sql")
    assert 5 <= stream.getvalue().count("scripts") <= 11


def test_progress_fits_into_a_line() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = Progress(2, stream, clock)
    clock.now = 2
    progress.step("x" * 500)
    assert len(stream.getvalue()) < 90


def test_no_progress_in_a_pipe(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.cli.progress._PATIENCE", -1)
    write("a.sql", "SELECT a FROM t")
    write("b.sql", "SELECT a FROM t")
    assert run("analyze", ".", "-f", "json").err == ""


def test_progress_on_a_terminal(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.cli.progress._PATIENCE", -1)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    write("a.sql", "SELECT a FROM t")
    write("b.sql", "SELECT a FROM t")
    err = run("analyze", ".", "-f", "json").err
    assert "1 of 2 scripts: a.sql" in err
    assert err.endswith("\r\x1b[2K")
    assert run("analyze", ".", "-f", "json", "-q").err == ""
    assert "of 2 scripts" not in run("analyze", ".", "-f", "json", "-v").err


def test_progress_makes_way_for_diagnostics(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.cli.progress._PATIENCE", -1)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    write("a.sql", "SELECT (")
    write("b.sql", "SELECT a FROM t")
    err = run("analyze", ".", "-f", "csv", "--color", "never").err
    assert "1 of 2 scripts: a.sql\r\x1b[2Ka.sql:1:8: error" in err


# Dialects


def test_every_dialect_is_said_to_be_something() -> None:
    assert set(dialect_names()) - TITLES.keys() == set()


def test_the_dialects_as_a_table(run: Run) -> None:
    out = run("dialects").out
    assert "mssql, sqlserver" in line_with(out, "tsql")
    assert "upper case unless quoted" in line_with(out, "snowflake")
    assert "of tables: case matters" in line_with(out, "bigquery")


def test_the_page_about_dialects_is_up_to_date(run: Run) -> None:
    page = (Path(__file__).parent.parent / "docs" / "dialects.md").read_text("utf-8")
    assert run("dialects", "--format", "markdown").out == page, "run `make docs`"


def test_the_dialects_as_json(run: Run) -> None:
    found = {d["name"]: d for d in json.loads(run("dialects", "--format", "json").out)}
    assert list(found) == dialect_names()
    assert found["postgres"] == {
        "name": "postgres",
        "other_names": ["postgresql"],
        "title": "PostgreSQL",
        "descends_from": None,
        "quotes": ['""'],
        "columns": "lower case unless quoted",
        "tables": "lower case unless quoted",
    }


# Help


@pytest.mark.parametrize("command", ["analyze", "explain", "config", "dialects", "demo", "completion"])
def test_every_command_has_help(command: str, run: Run) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"Usage: headwater {command}" in out


def test_a_command_with_a_typing_error(run: Run) -> None:
    code, _, err = run("analyse")
    assert code == 2
    assert "analyze" in err
