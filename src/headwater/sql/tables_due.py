"""The names in a statement that may be those of tables, at first sight: quick, since it is made for each statement.

It takes in too much: `EXTRACT(year FROM d)` has a column behind FROM. `mentions.due` takes the closer look.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

DUE = frozenset({TokenType.FROM, TokenType.JOIN, TokenType.INTO, TokenType.UPDATE, TokenType.USING, TokenType.TABLE})
"""Words behind which a table is due."""
_MOVES = frozenset(
    {TokenType.SELECT, TokenType.INSERT, TokenType.MERGE, TokenType.UPDATE, TokenType.COPY, TokenType.LOAD}
)
END = TokenType.SEMICOLON
"""Stands behind the last token."""
_NO_NAMES = frozenset(
    {
        TokenType.L_PAREN,
        TokenType.SET,
        TokenType.SELECT,
        TokenType.TABLE,
        TokenType.LATERAL,
        TokenType.UNNEST,
        TokenType.VALUES,
        END,
    }
)
MARKS = frozenset({"#", "##", "@"})
"""Before the names of temporary tables and table variables."""
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_FROM, _DOT, _COMMA, _ALIAS = TokenType.FROM, TokenType.DOT, TokenType.COMMA, TokenType.ALIAS


class Due(NamedTuple):
    """What the tokens of a statement say at first sight."""

    names: frozenset[str]
    """The last parts of names that may be those of tables, in lower case."""
    moves: bool
    """Whether the statement may move data."""


NOTHING = Due(frozenset(), False)


def tables_due(tokens: Sequence[Token], kinds: Sequence[TokenType]) -> Due:
    """The names that stand where tables are due, given the tokens and their kinds; more than there are, none less."""
    if _MOVES.isdisjoint(kinds):
        return NOTHING
    kinds = [*kinds, END]
    found: set[str] = set()
    for i in compress(count(), map(DUE.__contains__, kinds)):
        at = i + 1
        while at and kinds[at] not in _NO_NAMES:
            name = tokens[at].text
            if name[:1].isidentifier() and kinds[at + 1] is not _DOT:  # as most are
                found.add(name.lower())
            else:
                at = _add_other(found, tokens, kinds, at)
            at = next_item(kinds, at + 1) if kinds[i] is _FROM else 0
    return Due(frozenset(found), True)


def _add_other(found: set[str], tokens: Sequence[Token], kinds: Sequence[TokenType], at: int) -> int:
    """Add the last part of a name that has dots, marks or quotes; gives where it ends."""
    mark = ""
    while tokens[at].text in MARKS and kinds[at + 1] is not END:
        mark += tokens[at].text
        at += 1
    while kinds[at + 1] is _DOT and kinds[at + 2] is not END:
        at += 2
    name = tokens[at].text
    if name[:1].isidentifier() or kinds[at] is TokenType.IDENTIFIER:
        found.add(mark + name.lower())
    return at


def next_item(kinds: Sequence[TokenType], at: int) -> int:
    """Where the next table of a FROM list begins, behind the alias at a token and a comma; 0 if none follows. The last kind is `END`."""
    if kinds[at] is _ALIAS:
        at += 1
    if kinds[at] in _NAMES:
        at += 1
    return at + 1 if kinds[at] is _COMMA else 0
