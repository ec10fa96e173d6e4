"""The rows of INSERT … VALUES: literals as placeholders, rows of nothing else as one.

A literal stays where another row has an expression in its column, because lineage shows a column in the words of its first cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sqlglot.tokenizer_core import TokenType

from headwater.sql.fingerprint.walk import LITERAL, OTHER, START, Walk, means, spaced
from headwater.sql.fingerprint.words import CLOSING, OPENING
from headwater.sql.fingerprint.words import kinds as kinds_of

Cell = tuple[int, int, bool]
"""A cell: its first token, the one behind it, and whether it is a literal."""

_COMMA, _OPEN, _CLOSE = TokenType.COMMA, TokenType.L_PAREN, TokenType.R_PAREN


@means(kinds_of("VALUES"))
def values(walk: Walk, i: int) -> None:
    """The rows of INSERT … VALUES, if that is all: what to do with rows in conflict is shown in terms of the cells."""
    if not walk.inserts or walk.clause != START or walk.stack or walk.kinds[i + 1] is not _OPEN:
        return
    walk.clause = OTHER
    rows = _rows_from(walk.kinds, i + 1, walk.literal)
    end = rows[-1][-1][1] if rows else 0
    if not rows or (end + 1 < len(walk.tokens) and walk.kinds[end + 1] is not TokenType.RETURNING):
        return

    def text(start: int, end: int) -> str:
        return spaced(walk.raw, walk.tokens, start, end) if start < end else ""

    walk.write(i)
    walk.parts.extend(_canonical_rows(rows, text))
    walk.run = end + 1
    walk.go_behind(end)


def _rows_from(kinds: Sequence[TokenType], i: int, literal: Callable[[int], int]) -> list[list[Cell]]:
    """The rows from a bracket on, of tokens that end with a few that mean nothing; none if a bracket is not closed.

    *literal* gives the token behind the literal that begins at a token, or 0.
    """
    rows = [_row(kinds, i, literal)]
    end = rows[0][-1][1]
    while kinds[end] is _CLOSE and kinds[end + 1] is _COMMA and kinds[end + 2] is _OPEN:
        rows.append(_row(kinds, end + 2, literal))
        end = rows[-1][-1][1]
    return rows if kinds[end] is _CLOSE else []


def _row(kinds: Sequence[TokenType], i: int, literal: Callable[[int], int]) -> list[Cell]:
    """The cells of a row that begins with a bracket."""
    cells: list[Cell] = []
    while True:
        start = i + 1
        i = literal(start)
        plain = i > 0 and kinds[i] in (_COMMA, _CLOSE)
        i = i if plain else _cell_end(kinds, start)
        cells.append((start, i, plain))
        if kinds[i] is not _COMMA:
            return cells


def _cell_end(kinds: Sequence[TokenType], i: int) -> int:
    """The comma or bracket that ends a cell; the end of the statement if none does."""
    depth = 0
    while kinds[i] is not TokenType.SEMICOLON:
        if not depth and (kinds[i] is _COMMA or kinds[i] is _CLOSE):
            return i
        depth += (kinds[i] in OPENING) - (kinds[i] in CLOSING)
        i += 1
    return i


def _canonical_rows(rows: list[list[Cell]], text: Callable[[int, int], str]) -> Iterator[str]:
    """The rows' texts, given what the script says between two tokens; equal rows of placeholders that follow each other are one."""
    kept = {column for row in rows for column, cell in enumerate(row) if not cell[2]}
    last = 0
    for row in rows:
        if not kept.isdisjoint(range(len(row))):
            cells = (text(start, end) if n in kept else LITERAL for n, (start, end, _) in enumerate(row))
            yield f"({', '.join(cells)})"
            last = 0
        elif len(row) != last:
            last = len(row)
            yield f"({', '.join([LITERAL] * last)})"
