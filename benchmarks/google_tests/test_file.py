"""A file of GoogleSQL's analyzer tests: its statements, and what the file says about them.

Lines `==` part the tests, lines `--` part a statement from what is expected of it. Before the statement stand comments (`#`) and options in
brackets, of which `[default …]` holds for the rest of the file. `{{a|b}}` in a statement makes one statement of each choice.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CHOICES = 32
"""The statements that are made of one text with choices; a few texts have thousands."""
_TEST = re.compile(r"^==\n", re.MULTILINE)
_PART = re.compile(r"^--\n", re.MULTILINE)
_LEADING = re.compile(r"\s*(?:#.*(?:\n|$)|\[((?:[^\[\]]|\[[^\[\]]*\])*)\])")
_CHOICE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_ESCAPED = re.compile(r"^\\", re.MULTILINE)


class Test(NamedTuple):
    """One statement of a file."""

    number: int
    """Of the test in its file."""
    sql: str
    mode: str
    """`statement`, or what else is tested: an expression, a type."""
    expects_error: bool
    prepares: str
    """The database of which the statement is a part; empty for most."""
    uses: str
    """The database that the statement is analysed with."""


class TestFile(NamedTuple):
    """A file's name and its statements in order."""

    name: str
    tests: list[Test]


def test_files(folder: Path) -> Iterator[TestFile]:
    """All files of a folder, by name."""
    for path in sorted(folder.glob("*.test")):
        yield TestFile(path.stem, list(_tests(path.read_text(encoding="utf-8"))))


def _tests(text: str) -> Iterator[Test]:
    default: dict[str, str] = {}
    for number, test in enumerate(_TEST.split(text), 1):
        given, *expected = _PART.split(test)
        options, sql = _parted(given, default)
        for choice in _choices(sql):
            if choice.strip():
                yield Test(
                    number,
                    choice.strip(),
                    options.get("mode", "statement"),
                    any(part.lstrip().startswith("ERROR:") for part in expected),
                    options.get("prepare_database", ""),
                    options.get("use_database", ""),
                )


def _parted(given: str, default: dict[str, str]) -> tuple[dict[str, str], str]:
    """The options of a test, with those that hold for the whole file, and its statement."""
    options: dict[str, str] = {}
    while (found := _LEADING.match(given)) is not None:
        name, _, value = (found[1] or "").strip().partition("=")
        if name.startswith("default "):
            default[name.removeprefix("default ")] = value
        else:
            options[name] = value
        given = given[found.end() :]
    return {**default, **options}, _ESCAPED.sub("", given)


def _choices(sql: str) -> Iterator[str]:
    """The statements that a text with choices stands for."""
    texts = _CHOICE.split(sql)
    fixed, chosen = texts[::2], [each.split("|") for each in texts[1::2]]
    for choice in itertools.islice(itertools.product(*chosen), CHOICES):
        yield "".join(itertools.chain(*itertools.zip_longest(fixed, choice, fillvalue="")))
