"""Reads the files of captured programs (README.md says what they hold)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Place:
    """Where a program runs."""

    version: str
    """Of PySpark: `3.5`."""
    connect: bool

    @property
    def names(self) -> tuple[str, ...]:
        """What `on=` may call it, the most precise first."""
        mode = "connect" if self.connect else "driver"
        return f"{mode}-{self.version}", mode, self.version


@dataclass(frozen=True)
class Program:
    """A program of a file."""

    file: str
    title: str
    blocks: tuple[tuple[str, str, str], ...]
    """Kind, what `on=` says, and text of each block."""

    def text(self, kind: str, place: Place) -> str | None:
        """The block of a kind that holds at a place."""
        found = {on: text for name, told, text in self.blocks if name == kind for on in told.split(",")}
        return next((found[name] for name in (*place.names, "") if name in found), None)

    def lines(self, kind: str, place: Place) -> list[str]:
        """The lines of such a block."""
        return [" ".join(line.split()) for line in (self.text(kind, place) or "").splitlines() if line.strip()]


def programs(file: str) -> Iterator[Program]:
    """The programs of a file."""
    text = (HERE / f"{file}.md").read_text(encoding="utf-8")
    marks = [*_HEADING.finditer(text)]
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        body = text[mark.end() : following.start() if following else len(text)]
        blocks = tuple(
            (kind, attributes.strip().removeprefix("on="), content)
            for kind, attributes, content in _FENCE.findall(body)
        )
        yield Program(file, mark.group(1).strip(), blocks)
