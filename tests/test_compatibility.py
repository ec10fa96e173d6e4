"""docs/compatibility.md: each promise has a proof that exists, a command that prints what the page says, or a deviation."""

from __future__ import annotations

import ast
import re
import shlex
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from case_file import read_cases
from command import Run

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "compatibility.md"

PROMISES = {
    "SQLFlow's model": 347,
    "sql-glider": 27,
    "The GoogleSQL demo": 69,
    "Visivo's design": 104,
    "The Spark and Hive notes": 100,
}
"""How many promises each document makes: the page may list more, never fewer."""

_CASE = re.compile(r"`(tests/[\w/]+\.md): ([^`]+)`")
_TEST = re.compile(r"`(tests/\w+\.py)::(\w+)`")
_COMMAND = re.compile(r"`headwater ([^`]+)` prints `([^`]+)`")
_MEASURE = re.compile(r"`python (benchmarks/\w+\.py)` measures it")
_PENDING = re.compile(r"seeds: item (\d+)")
"""The place of a proof that is still being made."""
_DEVIATION = re.compile(r"Deviation: .+, because .+\.")
_BETWEEN = re.compile(r"[\s;,]*")


class Row(NamedTuple):
    """A line of the page's tables."""

    system: str
    line: int
    promise: str
    proof: str


def _rows() -> list[Row]:
    system, found = "", []
    for number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("## "):
            system = line[3:].strip()
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] if line.startswith("|") else []
        if not cells or cells[0] == "promise" or set(cells[0]) == {"-"}:
            continue
        assert len(cells) == 2, f"line {number} has {len(cells)} cells"
        found.append(Row(system, number, *(cell.replace(r"\|", "|") for cell in cells)))
    return found


ROWS = _rows()
COMMANDS = sorted({found for row in ROWS for found in _COMMAND.findall(row.proof)})


@cache
def _headings(path: str) -> frozenset[str]:
    return frozenset(case.title for case in read_cases(ROOT / path))


@cache
def _test_names(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("system", PROMISES)
def test_no_promise_is_forgotten(system: str) -> None:
    assert len([row for row in ROWS if row.system == system]) >= PROMISES[system]


def test_every_table_belongs_to_a_document() -> None:
    assert {row.system for row in ROWS} == set(PROMISES)


def test_no_promise_is_listed_twice() -> None:
    listed = [(row.system, row.promise) for row in ROWS]
    assert sorted({each for each in listed if listed.count(each) > 1}) == []


def test_every_promise_has_a_proof_or_a_deviation() -> None:
    assert [row for row in ROWS if not row.promise or not _is_proof(row.proof)] == []


def _is_proof(text: str) -> bool:
    left = text
    for form in (_CASE, _TEST, _COMMAND, _MEASURE, _PENDING, _DEVIATION):
        left = form.sub("", left)
    return left != text and _BETWEEN.fullmatch(left) is not None


def test_every_case_that_is_named_exists() -> None:
    named = {found for row in ROWS for found in _CASE.findall(row.proof)}
    assert sorted((path, heading) for path, heading in named if heading not in _headings(path)) == []


def test_every_test_that_is_named_exists() -> None:
    named = {found for row in ROWS for found in _TEST.findall(row.proof)}
    assert sorted((path, name) for path, name in named if name not in _test_names(path)) == []


@pytest.mark.parametrize(("command", "expected"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_a_command_prints_what_the_page_says(
    command: str, expected: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    found = run(*shlex.split(command))
    assert found.code in (0, 1), found.err
    assert expected in " ".join((found.out + found.err).split())
