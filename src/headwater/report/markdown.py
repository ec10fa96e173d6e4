"""A report as Markdown that GitHub renders: tables, folded ones too, and plots of blocks.

What comes from scripts never becomes markup: a plain name is a code span, any other one `<code>` with its punctuation as entities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.report.page import Bars, Block, Cell, Figures, Folded, Grid, Name, Page, Share, Text

_PLAIN = re.compile(r"[\w .:/()=,-]*[\w.:/()=,-]")
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~$&@\"'!^]")
_WIDTH = 30
"""Blocks of the longest bar."""
_BLOCKS = "█▓▒░"


def markdown_page(page: Page) -> str:
    """The page as Markdown."""
    return "\n".join(_lines(page)) + "\n"


def _lines(page: Page) -> Iterator[str]:
    yield f"# {page.title}"
    yield ""
    yield ", ".join(f"{words} {_cell(name)}" for words, name in page.subtitle)
    for chapter in page.chapters:
        yield ""
        yield f"## {chapter.title}"
        for block in chapter.blocks:
            yield ""
            yield from _block(block)
    yield ""
    yield f"*{page.made_by}*"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Text):
        yield _escaped(block.words)
    elif isinstance(block, Figures):
        rows = tuple((words, figure, beside) for figure, words, beside in block.figures)
        yield from _grid(Grid(("what", "how many", ""), rows))
    elif isinstance(block, Grid):
        yield from _grid(block)
    elif isinstance(block, Bars):
        yield from _bars(block)
    else:
        yield from _folded(block)


def _grid(grid: Grid) -> Iterator[str]:
    if not grid.rows:
        yield "None."
        return
    yield _row(grid.header)
    yield _row(["--:" if _is_number(cell) else "---" for cell in grid.rows[-1]])
    last = len(grid.rows) - 1
    for number, row in enumerate(grid.rows):
        sign = "**" if grid.total and number == last else ""
        yield _row([f"{sign}{text}{sign}" if text else "" for text in map(_cell, row)])
    if grid.more > 0:
        yield ""
        yield f"… and {grid.more:,} more."


def _row(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, (int, Share))


def _cell(cell: Cell) -> str:
    if isinstance(cell, tuple):
        return "<br>".join(map(_cell, cell))
    if isinstance(cell, Name):
        return _name(cell)
    if isinstance(cell, Share):
        return cell.shown
    return _escaped(cell) if isinstance(cell, str) else f"{cell:,}"


def _name(name: Name) -> str:
    text = name.shown
    if not text:
        return ""
    return f"`{text}`" if _PLAIN.fullmatch(text) and text[0] != " " else f"<code>{_escaped(text)}</code>"


def _escaped(text: str) -> str:
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", text)


def _bars(block: Bars) -> Iterator[str]:
    """A table whose last column is drawn."""
    if not block.bars:
        return
    longest = max((sum(parts) for _, parts in block.bars), default=0)
    legend = ", ".join(f"{sign} {words}" for sign, words in zip(_BLOCKS, block.legend, strict=False))
    yield _row([f"**{block.title}**", legend if len(block.legend) > 1 else "", ""])
    yield _row(["---", "---", "--:"])
    for label, parts in block.bars:
        whole = sum(parts) if block.whole else longest
        drawn = "".join(_BLOCKS[i] * _length(part, whole) for i, part in enumerate(parts))
        yield _row([_cell(label), drawn, f"{sum(parts):,}"])


def _length(part: int, whole: int) -> int:
    """How many blocks a part has: at least one, if it is there at all."""
    return max(round(_WIDTH * part / whole), 1) if part else 0


def _folded(block: Folded) -> Iterator[str]:
    yield f"<details{' open' if block.open else ''}><summary><code>{_escaped(block.name.shown)}</code> {_escaped(block.words)}</summary>"
    yield ""
    yield from _grid(block.grid)
    yield ""
    yield "</details>"
