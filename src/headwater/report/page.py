"""A report's content, whatever it is written as: chapters of sentences, figures, tables, plots and chains.

What comes from scripts (names, texts, places) is a `Name` and is shown as it is, never as markup; sentences are ours.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.model.visible import visible

_LONGEST = 200
"""Characters of a name that are shown."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name or a text of the corpus."""

    text: str

    @property
    def shown(self) -> str:
        """The text on one line, cut if it is very long."""
        text = visible(self.text).encode("utf-8", "replace").decode()
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole."""

    part: int
    whole: int

    @property
    def shown(self) -> str:
        """In percent, rounded down as the headline is; what is not all is never shown as all, and what is not nothing not as nothing."""
        if not self.whole:
            return "–"
        tenths = max(1000 * self.part // self.whole, 1 if self.part else 0)
        return f"{tenths // 10}.{tenths % 10} %"


Cell = str | int | Name | Share | tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence or two."""

    words: str


@dataclass(frozen=True, slots=True)
class Figures:
    """A few numbers that matter most, each with what it counts and something to compare it with."""

    figures: tuple[tuple[Cell, str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; columns of numbers are known by their cells."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: int = 0
    """How many rows there are besides."""
    total: bool = False
    """Whether the last row sums up the others, and those besides."""


@dataclass(frozen=True, slots=True)
class Bars:
    """A plot: of each thing one bar, of as many parts as the legend has words."""

    title: str
    legend: tuple[str, ...]
    bars: tuple[tuple[Cell, tuple[int, ...]], ...]
    whole: bool = False
    """Whether every bar is as long as the plot is wide, its parts being shares."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A table below a line that tells the most of it."""

    name: Name
    words: str
    grid: Grid
    open: bool = False
    """Whether the table is shown at first."""


Block = Text | Figures | Grid | Bars | Folded


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the page."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A report."""

    title: str
    subtitle: tuple[tuple[str, Name], ...]
    """What was looked at: words and names."""
    chapters: tuple[Chapter, ...]
    made_by: str
