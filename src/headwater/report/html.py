"""A report as one HTML page that needs nothing else: no script, no font, no picture from elsewhere, and a policy that says so."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from headwater.report.page import Bars, Block, Cell, Chapter, Figures, Folded, Grid, Name, Page, Share, Text

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_SHORT = 24
"""Characters of a cell that stays on one line."""


def html_page(page: Page) -> str:
    """The page as HTML."""
    return "\n".join(_lines(page)) + "\n"


def _lines(page: Page) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f'<meta name="generator" content="{escape(page.made_by)}">'
    yield f"<title>{escape(page.title)}</title>"
    yield f"<style>\n{files('headwater.report').joinpath('page.css').read_text(encoding='utf-8').strip()}\n</style>"
    yield "</head>"
    yield "<body>"
    yield f"<header><h1>{escape(page.title)}</h1>"
    yield f"<p>{' · '.join(f'{escape(words)} {_cell(name)}' for words, name in page.subtitle)}</p>"
    yield f"<nav>{''.join(_link(number, chapter) for number, chapter in enumerate(page.chapters))}</nav></header>"
    yield "<main>"
    for number, chapter in enumerate(page.chapters):
        yield f'<section id="chapter-{number}"><h2>{escape(chapter.title)}</h2>'
        yield from _blocks(chapter.blocks)
        yield "</section>"
    yield "</main>"
    yield f"<footer>{escape(page.made_by)}</footer>"
    yield "</body>"
    yield "</html>"


def _link(number: int, chapter: Chapter) -> str:
    return f'<a href="#chapter-{number}">{escape(chapter.title)}</a>'


def _blocks(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Text):
            yield f"<p>{escape(block.words)}</p>"
        elif isinstance(block, Figures):
            yield from _figures(block)
        elif isinstance(block, Grid):
            yield from _grid(block)
        elif isinstance(block, Bars):
            yield from _bars(block)
        else:
            yield from _folded(block)


def _figures(block: Figures) -> Iterator[str]:
    yield '<div class="figures">'
    for figure, words, beside in block.figures:
        yield f"<div><strong>{_cell(figure)}</strong><span>{escape(words)}</span><small>{escape(beside)}</small></div>"
    yield "</div>"


def _grid(grid: Grid) -> Iterator[str]:
    if not grid.rows:
        yield "<p>None.</p>"
        return
    yield f'<div class="grid"><table{" class=total" if grid.total else ""}><thead><tr>'
    yield "".join(
        f"<th{_class(cell)}>{escape(word)}</th>" for cell, word in zip(grid.rows[-1], grid.header, strict=True)
    )
    yield "</tr></thead><tbody>"
    for row in grid.rows:
        yield f"<tr>{''.join(f'<td{_class(cell)}>{_cell(cell)}</td>' for cell in row)}</tr>"
    yield "</tbody></table></div>"
    if grid.more > 0:
        yield f'<p class="more">… and {grid.more:,} more.</p>'


def _class(cell: Cell) -> str:
    if isinstance(cell, (int, Share)):
        return ' class="number"'
    return ' class="short"' if isinstance(cell, str) and len(cell) <= _SHORT else ""


def _cell(cell: Cell) -> str:
    if isinstance(cell, tuple):
        return "<br>".join(map(_cell, cell))
    if isinstance(cell, Name):
        return f"<code>{escape(cell.shown)}</code>" if cell.text else ""
    if isinstance(cell, Share):
        return escape(cell.shown)
    return escape(cell) if isinstance(cell, str) else f"{cell:,}"


def _bars(block: Bars) -> Iterator[str]:
    if not block.bars:
        return
    longest = max(sum(parts) for _, parts in block.bars)
    yield f'<figure><figcaption>{escape(block.title)}{"".join(_key(block))}</figcaption><div class="bars">'
    for label, parts in block.bars:
        whole = sum(parts) if block.whole else longest
        yield f'<span class="label">{_cell(label)}</span>{_bar(block, parts, whole)}<span class="number">{sum(parts):,}</span>'
    yield "</div></figure>"


def _key(block: Bars) -> Iterator[str]:
    if len(block.legend) > 1:
        for number, words in enumerate(block.legend):
            yield f'<span class="key"><svg viewBox="0 0 1 1"><rect class="part-{number}" width="1" height="1"/></svg>{escape(words)}</span>'


def _bar(block: Bars, parts: tuple[int, ...], whole: int) -> str:
    """A bar as a drawing that is stretched to its place."""
    drawn, at = [], 0.0
    for number, (part, words) in enumerate(zip(parts, block.legend, strict=True)):
        width = 100 * part / whole if whole else 0.0
        if part:
            title = f"<title>{part:,} {escape(words)}</title>"
            drawn.append(
                f'<rect class="part-{number}" x="{at:.3f}" width="{max(width, 0.3):.3f}" height="1">{title}</rect>'
            )
        at += width
    told = ", ".join(f"{part:,} {escape(words)}" for part, words in zip(parts, block.legend, strict=True))
    return f'<svg viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="{told}">{"".join(drawn)}</svg>'


def _folded(block: Folded) -> Iterator[str]:
    yield f"<details{' open' if block.open else ''}><summary>{_cell(block.name)} {escape(block.words)}</summary>"
    yield from _grid(block.grid)
    yield "</details>"
