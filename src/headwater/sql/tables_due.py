"""The names in a statement that may be those of tables, at first sight: quick, since it is made for each statement.

It takes in too much: `EXTRACT(year FROM d)` has a column behind FROM. `mentions.due` takes the closer look.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

DUE = frozenset({TokenType.FROM, TokenType.JOIN, TokenType.INTO, TokenType.UPDATE, TokenType.USING, TokenType.TABLE})
"""Words behind which a table is due."""
_MOVES = frozenset(
    {TokenType.SELECT, TokenType.INSERT, TokenType.MERGE, TokenType.UPDATE, TokenType.COPY, TokenType.LOAD}
)
_NO_NAMES = frozenset(
    {
        TokenType.L_PAREN,
        TokenType.SET,
        TokenType.SELECT,
        TokenType.TABLE,
        TokenType.LATERAL,
        TokenType.UNNEST,
        TokenType.VALUES,
    }
)
MARKS = frozenset({"#", "##", "@"})
"""Before the names of temporary tables and table variables."""
_ALIASES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_KIND = attrgetter("token_type")


class Due(NamedTuple):
    """What the tokens of a statement say at first sight."""

    names: frozenset[str]
    """The last parts of names that may be those of tables, in lower case."""
    moves: bool
    """Whether the statement may move data."""


NOTHING = Due(frozenset(), False)


def tables_due(tokens: Sequence[Token]) -> Due:
    """The names that stand where tables are due; more than there are, none less."""
    kinds = list(map(_KIND, tokens))
    if _MOVES.isdisjoint(kinds):
        return NOTHING
    last = len(tokens) - 1
    found: set[str] = set()
    for i in [i for i, kind in enumerate(kinds) if kind in DUE]:
        at = i + 1
        while at <= last and kinds[at] not in _NO_NAMES:
            mark = ""
            while at < last and tokens[at].text in MARKS:
                mark += tokens[at].text
                at += 1
            while at < last - 1 and kinds[at + 1] is TokenType.DOT:
                at += 2
            if tokens[at].text[:1].isidentifier() or kinds[at] is TokenType.IDENTIFIER:
                found.add(mark + tokens[at].text.lower())
            if kinds[i] is not TokenType.FROM:
                break
            at = next_item(kinds, at + 1)
    return Due(frozenset(found), True)


def next_item(kinds: Sequence[TokenType], at: int) -> int:
    """Where the next table of a FROM list begins, behind the alias at a token and a comma; behind all tokens if none follows."""
    last = len(kinds) - 1
    if at <= last and kinds[at] is TokenType.ALIAS:
        at += 1
    if at <= last and kinds[at] in _ALIASES:
        at += 1
    return at + 1 if at <= last and kinds[at] is TokenType.COMMA else last + 1
