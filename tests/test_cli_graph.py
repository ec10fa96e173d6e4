"""`headwater path`, `impact`, `unused`, `search`, `diff`: what they print, and how they end."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from command import Run, line_with
from headwater.graph.diagnostics import _remark
from headwater.graph.scripts import Scripts
from stores import make_store
from test_graph_changes import LINES
from test_graph_questions import READ


@pytest.fixture
def store(folder: Path) -> Path:
    """A store in the usual place."""
    return make_store(folder / "lineage", LINES).path


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# Path


def test_path_spells_ways_out(run: Run, store: Path) -> None:
    code, out, _ = run("path", "d.a.y", "d.u.y")
    assert code == 0
    assert [line.split("  ")[0] for line in out.splitlines()[:4]] == ["d.a.y", "", "", ""]
    assert "u.sql:1" in line_with(out, "-> d.u.y")
    assert "1 way over 4 columns" in out


def test_path_says_that_there_is_none(run: Run, store: Path) -> None:
    assert "no way leads" in run("path", "d.u.y", "d.a.y").out


def test_path_as_json_and_csv(run: Run, store: Path) -> None:
    found = json.loads(run("path", "d.a.y", "d.u.y", "--format", "json").out)
    assert (len(found["paths"]), len(found["paths"][0]), found["complete"]) == (1, 4, True)
    assert [row["target"] for row in rows(run("path", "d.a.y", "d.u.y", "--format", "csv").out)] == [
        "d.v.y",
        "d.t.y",
        "d.u.y",
    ]


# Impact


def test_impact_ends_with_1_if_something_breaks(run: Run, store: Path) -> None:
    code, out, _ = run("impact", "d.a.x")
    assert code == 1
    assert "breaking" in line_with(out, "d.v.x", "v.sql:1")
    assert "breaking" in line_with(out, "d.s.x  comes from d.a.x through *")
    assert "breaking" in line_with(out, "q.x", "uses d.s.x")


def test_impact_ends_with_0_if_nothing_breaks(run: Run, store: Path) -> None:
    assert run("impact", "d.a.x", "--change", "retype").code == 0
    assert "nothing uses it" in run("impact", "d.u.y").out


def test_impact_as_json_csv_and_table(run: Run, store: Path) -> None:
    found = json.loads(run("impact", "d.a.x", "--format", "json").out)
    assert (found["breaking"], found["change"], found["hits"][0]["severity"]) == (True, "drop", "high")
    assert {row["verdict"] for row in rows(run("impact", "d.a.x", "--format", "csv").out)} == {"breaking", "maybe"}
    assert "verdict" in run("impact", "d.a.x", "--format", "table").out.splitlines()[0]


# Unused


def test_unused_lists_columns_and_ends_with_1(run: Run, folder: Path) -> None:
    make_store(folder / "lineage", READ)
    code, out, _ = run("unused")
    assert code == 1
    assert "nobody reads it" in line_with(out, "d.a.never")
    assert "through * only" in line_with(out, "d.a.starred")
    assert "d.a.handed_on" not in out
    assert "nobody reads anything of: d.b, d.k" in out
    assert "d.a.handed_on" in run("unused", "--stars").out


def test_unused_of_what_is_all_used_ends_with_0(run: Run, folder: Path) -> None:
    make_store(folder / "lineage", READ)
    code, out, _ = run("unused", "d.a.used")
    assert (code, out) == (0, "every column of the tables that are read is read\n")
    assert json.loads(run("unused", "d.a.never", "--format", "json").out)["columns"][0]["use"] == "none"


# Search


def test_search(run: Run, store: Path) -> None:
    assert run("search", "d.a.?").out.split() == ["d.a.x", "d.a.y", "d.a.z"]
    assert "more" in run("search", "d", "--limit", "2").out
    assert "nothing has a name like that" in run("search", "zebra").out
    assert rows(run("search", "d.v", "--format", "csv").out)[0]["kind"] == "view"
    assert json.loads(run("search", "d.v", "--format", "json").out)["total"] == 3


# Diff


def test_diff_of_stores_shows_what_breaks_first(run: Run, folder: Path) -> None:
    make_store(folder / "old", "d.a.x -> d.b.x\nd.a.y -> d.b.x")
    make_store(folder / "new", "d.a.x -> d.b.x\nd.c.z -> d.b.x\ncolumn d.a.y")
    code, out, _ = run("diff", "old", "new")
    assert code == 1
    assert out.splitlines()[0].startswith("- relation d.b.x <- d.a.y")
    assert "breaking: no data flows any more" in out.splitlines()[0]
    assert json.loads(run("diff", "old", "new", "--format", "json").out)["breaking"] is True
    assert rows(run("diff", "old", "new", "--format", "csv").out)[0]["breaking"] == "yes"


def test_diff_of_snapshots(run: Run, folder: Path) -> None:
    first = make_store(folder / "lineage", "d.a.x -> d.b.x").snapshot().name
    make_store(folder / "lineage", "d.a.x -> d.b.x\nd.a.y -> d.b.x")
    code, out, _ = run("diff", first, "current")
    assert code == 0
    assert "+ relation d.b.x <- d.a.y" in out
    assert run("diff", "current", "current").out == "nothing changed\n"


def test_diff_with_something_else_is_one_line_and_2(run: Run, store: Path) -> None:
    code, _, err = run("diff", "nowhere", "current")
    assert code == 2
    assert "nowhere is neither a store" in err


# All of them


@pytest.mark.parametrize(
    "arguments",
    [("path", "a", "b"), ("impact", "a"), ("unused",), ("search", "a"), ("diff", "a", "b"), ("downstream", "a")],
)
def test_without_a_store_it_is_one_line_and_2(run: Run, folder: Path, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("command", ["upstream", "downstream", "path", "impact", "unused", "search", "diff"])
def test_help_has_examples(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"headwater {command}" in out.partition("Examples:")[2]


def test_a_store_of_another_format_is_refused(run: Run, store: Path) -> None:
    (store / "store.json").write_text('{"format": 99}')
    code, _, err = run("search", "a")
    assert code == 2
    assert "format 99" in err


@pytest.mark.slow
def test_importing_headwater_loads_no_arrays() -> None:
    code = "import sys, headwater.cli.main; print({'numpy', 'pyarrow'} & sys.modules.keys())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


# Diagnostics


DIAGNOSTICS = """
d.a.x -> d.v.x @ a.sql:1
warning a.sql:1 unresolved-column no table has y
info a.sql:1 included-file other.sql is included here
error b.sql:7 syntax-error not SQL
"""


@pytest.fixture
def doubtful(folder: Path) -> Path:
    """A store with diagnostics."""
    return make_store(folder / "lineage", DIAGNOSTICS).path


def test_diagnostics_lists_errors_first_and_ends_with_1(run: Run, doubtful: Path) -> None:
    code, out, _ = run("diagnostics")
    assert code == 1
    assert out.splitlines() == [
        "b.sql:7:1: error[syntax-error] not SQL",
        "a.sql:1:1: warning[unresolved-column] no table has y",
        "a.sql:1:1: info[included-file] other.sql is included here",
        "3 diagnostics: included-file 1, syntax-error 1, unresolved-column 1",
    ]


def test_diagnostics_can_be_narrowed(run: Run, doubtful: Path) -> None:
    code, out, _ = run("diagnostics", "a.sql", "--severity", "warning")
    assert (code, len(out.splitlines())) == (0, 2)
    assert [row["path"] for row in rows(run("diagnostics", "--code", "syntax-error", "-f", "csv").out)] == ["b.sql"]
    assert run("diagnostics", "no such thing").out == "no diagnostics\n"


def test_diagnostics_says_what_it_leaves_out(run: Run, doubtful: Path) -> None:
    assert "; 1 listed here, --limit 3 lists all" in run("diagnostics", "--limit", "1").out
    assert json.loads(run("diagnostics", "--limit", "1", "-f", "json").out)["total"] == 3


def test_diagnostics_refuses_an_unknown_code(run: Run, doubtful: Path) -> None:
    code, _, err = run("diagnostics", "--code", "nonsense")
    assert code == 2
    assert "nonsense is no diagnostic" in err


def test_what_is_said_of_a_file_in_a_store_has_no_place() -> None:
    """Neither a statement nor a stretch of the text: only the path is known."""
    words = {"code": "unreadable-file", "severity": "error", "message": "", "subject": "", "hint": ""}
    whole = {**words, "script_id": 1, "statement_id": 0, "start": 0, "end": 0, "line": 1, "column": 1}

    class Paths(Scripts):
        def __init__(self) -> None:
            """Knows one path, and no snapshot."""

        def path(self, script: int) -> str:
            return "a.sql"

    assert _remark(whole, Paths()).is_of_file
    assert not _remark({**whole, "end": 3}, Paths()).is_of_file
    assert not _remark({**whole, "statement_id": 7}, Paths()).is_of_file
