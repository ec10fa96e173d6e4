"""Diagnostics as people see them: place, source, carets, hint; in any script and any width; never a secret."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click import unstyle

from command import Run, line_with, write
from headwater import analyze
from headwater.cli.cells import expanded, head, tail, visible, width
from headwater.cli.diagnostic_text import diagnostic_lines
from headwater.cli.excerpt import excerpt_lines
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span

SCHEMA = '{"t": ["a", "amount"]}'


def shown(sql: str, *arguments: str, run: Run) -> list[str]:
    """The lines about a script's diagnostics, without the summary."""
    write("s.sql", sql)
    return run("analyze", "s.sql", "-s", SCHEMA, *arguments).err.splitlines()[:-1]


def test_a_diagnostic(run: Run, folder: Path) -> None:
    assert shown("SELECT a,\n  amuont\nFROM t", run=run) == [
        "s.sql:2:3: warning[unresolved-column] no table in FROM has a column amuont",
        "  |",
        "2 |   amuont",
        "  |   ^^^^^^",
        "  = hint: did you mean amount?",
    ]


def test_the_gutter_is_as_wide_as_the_line_number(run: Run, folder: Path) -> None:
    lines = shown("\n" * 99 + "SELECT amuont FROM t", run=run)
    assert lines[1:] == [
        "    |",
        "100 | SELECT amuont FROM t",
        "    |        ^^^^^^",
        "    = hint: did you mean amount?",
    ]


def test_windows_line_ends(run: Run, folder: Path) -> None:
    assert shown("SELECT a,\r\n  amuont\r\nFROM t\r\n", run=run)[2] == "2 |   amuont"


def test_tabs_are_filled_up(run: Run, folder: Path) -> None:
    assert shown("SELECT\ta,\tamuont FROM t", run=run)[2:4] == [
        "1 | SELECT  a,  amuont FROM t",
        "  |             ^^^^^^",
    ]


def test_wide_characters_take_two_cells(run: Run, folder: Path) -> None:
    assert shown("SELECT '注文' AS k, amuont FROM t", run=run)[2:4] == [
        "1 | SELECT '注文' AS k, amuont FROM t",
        "  |                     ^^^^^^",
    ]


def test_a_wide_name_has_wide_carets(run: Run, folder: Path) -> None:
    assert shown("SELECT 金額 FROM t", run=run)[3] == "  |        ^^^^"


def test_combining_marks_take_no_cell(run: Run, folder: Path) -> None:
    assert shown("SELECT 'e\u0301' AS k, amuont FROM t", run=run)[3] == "  |                  ^^^^^^"


def test_beside_right_to_left_text_the_place_is_told_in_words(run: Run, folder: Path) -> None:
    """A terminal may show the line in another order: carets would point at the wrong word."""
    assert shown("SELECT 'שלום' AS k, amuont FROM t", run=run)[3] == "  | ^ column 21: amuont"


def test_a_long_line_is_cut_around_the_place(run: Run, folder: Path) -> None:
    many = ", ".join(f"a + {i} AS x{i}" for i in range(2_000))
    lines = shown(f"SELECT {many}, amuont, {many.replace('x', 'y')} FROM t", run=run)
    assert len(lines[2]) <= len("1 | ") + 100
    assert lines[2].startswith("1 | …")
    assert lines[2].endswith("…")
    start = lines[3].index("^")
    assert lines[2][start : start + 6] == "amuont"


def test_a_long_span_is_cut(run: Run, folder: Path) -> None:
    name = "x" * 5000
    lines = shown(f"SELECT a, {name} FROM t", run=run)
    assert len(lines[2]) <= len("1 | ") + 100
    assert lines[2].startswith("1 | SELECT a, xxx")


def _marked(text: str, start: int, end: int) -> list[str]:
    """The lines about a stretch of a text."""
    lineage = Lineage([], text, "s.sql", lambda start, end: text[start:end])
    lineage.remark(Diagnostic(Code.SCHEMA_MISMATCH, "no", Span(start, end)))
    return list(diagnostic_lines(lineage))[1:]


def test_a_span_of_two_lines() -> None:
    lines = [unstyle(line) for line in _marked("SELECT a\n  FROM b", 7, 13)]
    assert [line for line in lines if "^" not in line] == ["  |", "1 | SELECT a", "2 |   FROM b"]
    first, second = (line for line in lines if "^" in line)
    assert first == "  |" + " " * 8 + "^"
    assert second.startswith("  |   ^^")


def test_of_many_lines_the_first_two_and_the_last_are_shown() -> None:
    text = "".join(f"line {i}\n" for i in range(1, 201))
    assert [unstyle(line) for line in _marked(text, 5, len(text))] == [
        "    |",
        "  1 | line 1",
        "    |      ^",
        "  2 | line 2",
        "    | ^^^^^^",
        "…",
        "200 | line 200",
        "    | ^^^^^^^^",
    ]


def test_an_empty_line_inside_a_span_has_no_carets() -> None:
    assert [unstyle(line) for line in _marked("a\n\nb", 0, 4)] == ["  |", "1 | a", "  | ^", "2 |", "3 | b", "  | ^"]


@pytest.mark.parametrize(
    "text", ["", "\n", "a", "\t\t", "\r\n\r\n", "é\u0301\u202e", "\U0001f600" * 300, "\x00\x1b[2J"]
)
def test_any_span_of_any_text_can_be_shown(text: str) -> None:
    for start in range(min(len(text), 5) + 1):
        for end in range(start, len(text) + 3):
            shown = "".join(map(unstyle, _marked(text, start, end)))
            assert not set("\x00\x1b\r\u202e") & set(shown)


def test_a_place_without_extent_has_no_source(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT größe FROM u".encode("latin-1"))
    assert run("analyze", "s.sql").err.splitlines()[:2] == [
        "s.sql: info[encoding] the file is not UTF-8 and was read as Latin-1; names with accents may be wrong",
        "  = hint: save it as UTF-8",
    ]


# What must not be shown


def test_secrets_are_not_shown(run: Run, folder: Path) -> None:
    sql = "SELECT amuont, 'jdbc:x://u:hunter2@h' AS u, reflect('a', 'password=hunter2') FROM t"
    lines = shown(sql, run=run)
    assert "hunter2" not in "".join(lines)
    assert "***" in lines[2]
    assert lines[3] == "  |        ^^^^^^"


def test_carets_stand_under_the_redacted_line(run: Run, folder: Path) -> None:
    lines = shown("SELECT 'password=averylongsecret' AS k, amuont FROM t", run=run)
    start = lines[3].index("^")
    assert lines[2][start : start + 6] == "amuont"


def test_a_secret_of_another_dialects_reading_is_not_shown(run: Run, folder: Path) -> None:
    """Each statement of the line was read by another dialect; what either takes for a secret is hidden."""
    write("s.sql", "SELECT [a] FROM [t]; SELECT amuont, `a`, 'password=hunter2' AS k FROM t")
    err = run("analyze", "s.sql", "-d", "tsql,spark", "-s", SCHEMA).err
    assert "SELECT [a] FROM [t]; SELECT amuont, `a`, 'password=***' AS k FROM t" in err


def test_no_part_of_a_secret_is_shown_wherever_a_line_is_cut() -> None:
    sql = "INSERT INTO u (k, password)\nVALUES ('token: QQQQQQQQ', 'QQQQQQQ\nQQQQQ'), (1,\n 'QQQQ')"
    lineage = analyze(sql, path="s.sql")
    for start in range(len(sql)):
        for end in range(start + 1, len(sql) + 1):
            assert not [line for line in excerpt_lines(lineage, Span(start, end), "red") if "QQ" in line]


def test_a_script_does_not_steer_the_terminal(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT `\x1b[31m\u202ex`, amuont FROM t")
    err = run("analyze", "s.sql", "-s", SCHEMA).err
    assert "\x1b" not in err
    assert "\u202e" not in err


# Cells


@pytest.mark.parametrize(
    ("text", "cells"), [("abc", 3), ("名前", 4), ("e\u0301", 1), ("é", 1), ("", 0), ("a\u200db", 2)]
)
def test_width(text: str, cells: int) -> None:
    assert width(text) == cells


def test_pieces() -> None:
    assert head("abcdef", 4) == "abc…"
    assert tail("abcdef", 4) == "…def"
    assert head("名前名前", 4) == "名…"
    assert visible("a\tb\x7f") == "a␉b␡"
    assert expanded("\ta\t", 0) == "    a   "


# Colour


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "0"}, False),
        ([], {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
    ],
)
def test_colour(
    arguments: list[str],
    environment: dict[str, str],
    coloured: bool,
    run: Run,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    write("s.sql", "SELECT amuont FROM t")
    _, out, err = run("analyze", "s.sql", "-s", SCHEMA, *arguments)
    assert ("\x1b[" in out, "\x1b[" in err) == (coloured, coloured)


def test_colour_may_be_chosen_before_the_command(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT amuont FROM t")
    assert "\x1b[" in run("--color", "always", "analyze", "s.sql").out


# How many


def test_a_summary(run: Run, folder: Path) -> None:
    write("a.sql", "SELECT (; SELECT (; SELECT amuont FROM t")
    write("b.sql", "SELECT a FROM t")
    write("c.sql", "SELECT amuont FROM t")
    err = run("analyze", "a.sql", "b.sql", "c.sql", "-s", SCHEMA).err
    assert err.splitlines()[-1] == "2 errors, 2 warnings in 2 of 3 scripts; headwater explain CODE tells more"
    assert run("analyze", "b.sql", "-s", SCHEMA).err == ""


def test_a_summary_of_one(run: Run, folder: Path) -> None:
    write("c.sql", "SELECT amuont FROM t")
    assert "1 warning in 1 script;" in run("analyze", "c.sql", "-s", SCHEMA).err


def test_quiet_is_one_line_each(run: Run, folder: Path) -> None:
    write("c.sql", "SELECT amuont FROM t")
    code, _, err = run("analyze", "c.sql", "-s", SCHEMA, "-q")
    assert code == 1
    assert err == "c.sql:1:8: warning[unresolved-column] no table in FROM has a column amuont\n"


def test_statistics(run: Run, folder: Path) -> None:
    write("a.sql", "SELECT (; SELECT amuont FROM t; SELECT amnt FROM t")
    err = run("analyze", "a.sql", "-s", SCHEMA, "--statistics", "-q").err
    assert err.splitlines()[-2:] == ["2  warning  unresolved-column", "1  error    syntax-error"]


FINDINGS = "SELECT (; SELECT amuont FROM t"


@pytest.mark.parametrize(
    ("arguments", "codes", "exit_code"),
    [
        (["--select", "syntax-error"], {"syntax-error"}, 1),
        (["--ignore", "syntax-error"], {"unresolved-column"}, 1),
        (["--ignore", "syntax-error,unresolved-column"], set(), 0),
        (["--ignore", "syntax-error", "--ignore", "unresolved-column"], set(), 0),
        (["--select", "syntax-error", "--ignore", "syntax-error"], set(), 0),
        (["--fail-on", "never"], {"syntax-error", "unresolved-column"}, 0),
        (["--fail-on", "error"], {"syntax-error", "unresolved-column"}, 1),
        (["--fail-on", "error", "--ignore", "syntax-error"], {"unresolved-column"}, 0),
    ],
)
def test_which_diagnostics_count(arguments: list[str], codes: set[str], exit_code: int, run: Run, folder: Path) -> None:
    write("s.sql", FINDINGS)
    result = run("analyze", "s.sql", "-s", SCHEMA, *arguments)
    assert result.code == exit_code
    assert {code.value for code in Code if f"[{code.value}]" in result.err} == codes
    out = run("analyze", "s.sql", "-s", SCHEMA, "-f", "json", *arguments).out
    assert {code.value for code in Code if f'"code": "{code.value}"' in out} == codes


# A file that is none


@pytest.mark.parametrize("content", [b"PK\x03\x04\x00\x00", b"\x1f\x8b\x08\x00"])
def test_a_binary_file_does_not_stop_the_run(content: bytes, run: Run, folder: Path) -> None:
    write("dwh/1.sql", content)
    write("dwh/2.sql", "SELECT a FROM t")
    code, out, err = run("analyze", "dwh")
    assert code == 1
    assert "dwh/1.sql: error[unreadable-file]" in err
    assert "1 error in 1 of 2 scripts" in err
    assert "t.a" in out


def test_a_link_that_leads_nowhere(run: Run, folder: Path) -> None:
    write("dwh/2.sql", "SELECT a FROM t")
    Path("dwh/1.sql").symlink_to("gone.sql")
    code, out, err = run("analyze", "dwh")
    assert code == 1
    assert "cannot be read" in line_with(err, "dwh/1.sql: error[unreadable-file]")
    assert "t.a" in out


def test_binary_standard_input(run: Run) -> None:
    code, _, err = run("analyze", "-", stdin=b"\x1f\x8b\x08")
    assert code == 1
    assert line_with(err, "<stdin>: error[unreadable-file]")


def test_every_diagnostic_has_a_place() -> None:
    """What is about no single name is about its statement."""
    (diagnostic,) = analyze("SELECT 1;\nCALL p(1)", "oracle").diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.start >= 10


def test_very_many_diagnostics_are_shown_quickly(run: Run, folder: Path) -> None:
    """Hints at near names are the dear part; a statement gives the first fifty."""
    names = [f"column_{i}" for i in range(1000)]
    schema = '{"t": [' + ", ".join(f'"c{n}"' for n in names) + "]}"
    write("s.sql", f"SELECT {', '.join(names)} FROM t")
    err = run("analyze", "s.sql", "-s", schema).err
    assert err.count("warning[unresolved-column]") == 1000
    assert err.count("did you mean") == 50


def test_diagnostics_on_a_terminal_of_another_encoding(folder: Path) -> None:
    write("s.sql", "SELECT 'größe', 'שלום', amuont FROM t")
    done = subprocess.run(
        [sys.executable, "-m", "headwater", "analyze", "s.sql", "-s", SCHEMA, "-f", "csv"],
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
