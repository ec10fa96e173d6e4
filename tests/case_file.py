"""Reads the literate case files: headings, prose, fenced blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

CASES = Path(__file__).parent / "cases"
_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its word, its attributes and its lines without blanks and comments."""

    kind: str
    attributes: dict[str, str]
    text: str

    @property
    def lines(self) -> list[str]:
        return [" ".join(line.split()) for line in self.text.splitlines() if line.strip()]


@dataclass(frozen=True)
class Case:
    """One case of a file."""

    path: Path
    title: str
    blocks: dict[str, Block] = field(default_factory=dict)
    is_again: bool = False
    """Whether it is a case that was met before, in another dialect."""

    @property
    def id(self) -> str:
        again = f" ({self.blocks['sql'].attributes['dialect']})" if self.is_again else ""
        return f"{self.path.relative_to(CASES).with_suffix('')}: {self.title}{again}"

    @property
    def sql(self) -> str:
        return self.blocks["sql"].text

    @property
    def schema(self) -> dict[str, dict[str, str]] | None:
        """Tables of the `schema` block, `table: column type, …`."""
        block = self.blocks.get("schema")
        return None if block is None else dict(map(_table, block.lines))


def _table(line: str) -> tuple[str, dict[str, str]]:
    name, _, columns = line.partition(":")
    found: dict[str, str] = {}
    for column in _split_columns(columns):
        column_name, _, kind = column.partition(" ")
        found[column_name] = kind.strip()
    return name.strip(), found


def _split_columns(text: str) -> list[str]:
    """Comma-separated, but commas inside `struct<…>` and `decimal(…)` do not count."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "<([") - (char in ">)]")
        if char == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [p for p in [*parts, text[start:].strip()] if p]


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of one file; one with several dialects is a case in each of them."""
    text = path.read_text(encoding="utf-8")
    marks = [*_HEADING.finditer(text)]
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        body = text[mark.end() : following.start() if following else len(text)]
        blocks: dict[str, Block] = {}
        for kind, attributes, content in _FENCE.findall(body):
            if kind in blocks:
                raise ValueError(f"{path}: {mark.group(1)} has two {kind} blocks")
            blocks[kind] = Block(kind, _attributes(attributes), content)
        yield from _in_each_dialect(Case(path, mark.group(1).strip(), blocks))


def _in_each_dialect(case: Case) -> Iterator[Case]:
    sql = case.blocks.get("sql")
    dialects = sql.attributes.get("dialect", "").split(",") if sql is not None else [""]
    if sql is None or len(dialects) == 1:
        yield case
        return
    for dialect in dialects:
        alone = replace(sql, attributes={**sql.attributes, "dialect": dialect})
        yield replace(case, blocks={**case.blocks, "sql": alone}, is_again=dialect != dialects[0])


def _attributes(text: str) -> dict[str, str]:
    return {key: value for word in text.split() for key, _, value in [word.partition("=")]}


@cache
def case_files() -> dict[str, tuple[Case, ...]]:
    """The cases of every file below the folder, in a stable order."""
    paths = [path for path in sorted(CASES.rglob("*.md")) if path.name != "README.md"]
    return {str(path.relative_to(CASES).with_suffix("")): tuple(read_cases(path)) for path in paths}


def all_cases() -> tuple[Case, ...]:
    """Every case of every file."""
    return tuple(case for cases in case_files().values() for case in cases)
