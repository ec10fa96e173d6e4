"""The second rule for rows: the cells at the position of a column that sounds like a secret.

```
(name, password) VALUES ('bob', ◊), (name, password) SELECT 'bob', ◊ UNION ALL SELECT 'eve', ◊      INSERT, MERGE, CTEs, views
(name, password) = ('bob', ◊), (name, password) = (SELECT 'bob', ◊)                                 UPDATE
(VALUES ('bob', ◊)) AS t (name, password)
```
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.sql.secrets.tokens import CLOSING, OPENING, argument_end, is_string, is_word

_T = TokenType


def cells_below(
    tokens: Sequence[Any], i: int, pairs: Mapping[int, int], around: Mapping[int, int]
) -> Iterator[tuple[int, int]]:
    """The cells below the name at *i* in a list of columns: behind the list, or before it."""
    opening = around.get(i, -1)
    if (
        opening not in pairs
        or tokens[opening].token_type is not _T.L_PAREN
        or tokens[opening + 1].token_type is _T.SELECT
    ):
        return
    position = 0
    for token in tokens[opening + 1 : i]:
        if token.token_type is _T.COMMA:
            position += 1
        elif not is_word(token):
            return
    rows = _rows_behind(tokens, pairs[opening] + 1, pairs)
    if rows:
        yield from _cells(tokens, rows, position)
        return
    closing = opening - 1
    while closing > opening - 4 and closing > 0 and is_word(tokens[closing]):
        closing -= 1
    first = pairs.get(closing, closing)
    if 0 <= first < closing and tokens[first + 1].text.upper() == "VALUES":
        yield from _cells(tokens, first + 1, position)


def _rows_behind(tokens: Sequence[Any], i: int, pairs: Mapping[int, int]) -> int:
    """The SELECT, VALUES or `=` that stands behind a list of columns; 0 if none does."""
    start, behind_with = i, False
    while i < len(tokens) and (behind_with or i < start + _FAR):
        token = tokens[i]
        kind, word = token.token_type, token.text.upper()
        is_rows = word in ("VALUES", "VALUE") and not is_string(token) and tokens[i + 1 : i + 2]
        if kind is _T.SELECT or (kind is _T.EQ and i == start) or (is_rows and tokens[i + 1].text in ("(", "ROW")):
            return i
        if kind is _T.SEMICOLON or kind is _T.R_PAREN or is_string(token) or (kind is _T.COMMA and not behind_with):
            return 0
        behind_with = behind_with or kind is _T.WITH
        i = pairs.get(i, i) + 1 if behind_with and kind is _T.L_PAREN else i + 1
    return 0


_FAR = 16
"""Tokens between a list of columns and its rows, apart from a WITH clause: OVERRIDING SYSTEM VALUE, OUTPUT inserted.id."""


def _cells(tokens: Sequence[Any], i: int, position: int) -> Iterator[tuple[int, int]]:
    """The cells at a position of the rows that begin at a token: of each bracket, or of each SELECT."""
    is_query = tokens[i].token_type is _T.SELECT
    i += 1
    while i < len(tokens):
        token = tokens[i]
        if is_query:
            end = yield from _cell(tokens, i, position)
            i = _next_select(tokens, end)
        elif token.token_type is _T.L_PAREN:
            if tokens[i + 1 : i + 2] and tokens[i + 1].token_type is _T.SELECT:
                is_query = True
                i += 2
                continue
            end = yield from _cell(tokens, i + 1, position)
            i = _closing(tokens, end) + 1
        elif token.token_type is _T.COMMA or token.text.upper() == "ROW":
            i += 1
        else:
            return


def _cell(tokens: Sequence[Any], i: int, position: int) -> Generator[tuple[int, int], None, int]:
    """The cell at a position of the row whose first cell begins at a token; returns the end of it."""
    for _ in range(position):
        i = item_end(tokens, i)
        if i >= len(tokens) or tokens[i].token_type is not _T.COMMA:
            return i
        i += 1
    end = item_end(tokens, i)
    yield i, end
    return end


_ENDS_LIST = frozenset({_T.FROM, _T.WHERE, _T.UNION, _T.INTO, _T.SEMICOLON, _T.EXCEPT, _T.INTERSECT})


def item_end(tokens: Sequence[Any], i: int) -> int:
    """The token behind an item of a row or a select list."""
    depth = 0
    while i < len(tokens):
        kind = tokens[i].token_type
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
        if depth < 0 or (not depth and (kind is _T.COMMA or kind in _ENDS_LIST)):
            return i
        i += 1
    return i


def _closing(tokens: Sequence[Any], i: int) -> int:
    """The bracket that closes the row in which a token stands."""
    while i < len(tokens) and tokens[i].token_type is _T.COMMA:
        i = argument_end(tokens, i + 1)
    return i


def _next_select(tokens: Sequence[Any], i: int) -> int:
    """The first item of the next SELECT of a UNION; the end if there is none."""
    depth = 0
    while i < len(tokens):
        kind = tokens[i].token_type
        depth += (kind in OPENING) - (kind in CLOSING)
        if depth < 0 or kind is _T.SEMICOLON:
            break
        if kind is _T.UNION and not depth:
            for j in range(i, min(i + 5, len(tokens))):
                if tokens[j].token_type is _T.SELECT:
                    return j + 1
        i += 1
    return len(tokens)
