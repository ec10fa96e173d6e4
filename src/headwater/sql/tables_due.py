"""The names in a statement that may be those of tables, at first sight: quick, since it is made for each statement.

It takes in too much: `EXTRACT(year FROM d)` has a column behind FROM. `mentions.due` takes the closer look.

The words behind which a table is due, and the brackets of a list, are found in the text of `token_letters`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

_MOVES = frozenset(
    {
        *(TokenType.SELECT, TokenType.FROM, TokenType.INSERT, TokenType.MERGE, TokenType.UPDATE),
        *(TokenType.COPY, TokenType.LOAD),
    }
)
DUE = "fjupit"
"""Words behind which a table is due."""
LISTS = "fup"
"""Those behind which a list of tables may stand."""
GROUPS = "fj"
"""Those behind which a bracket may hold tables: `FROM (t CROSS JOIN u)`."""
_FLAT = re.compile(r"(?:[^()]+|\([^()]*\))*")
"""Up to a bracket that closes, or that holds others: most hold none."""
_CONDITION = re.compile(r"[^(\[{,;)\]}jsqip]*")
"""Up to a comma, a bracket, another join, or a word that ends the tables of FROM or UPDATE."""
MARKS = frozenset({"#", "##", "@"})
"""Before the names of temporary tables and table variables."""
_BEHIND_PATHS = frozenset("(),;")

Closings = dict[int, int]
"""The bracket that closes each one that opens."""


class Due(NamedTuple):
    """What the tokens of a statement say at first sight."""

    names: frozenset[str]
    """The last parts of names that may be those of tables, in lower case."""
    moves: bool
    """Whether the statement may move data."""


NOTHING = Due(frozenset(), False)


def tables_due(tokens: Sequence[Token], kinds: Sequence[TokenType], text: str) -> Due:
    """The names that stand where tables are due, given the tokens, their kinds and letters; more than there are, none less."""
    if _MOVES.isdisjoint(kinds):
        return NOTHING
    found: set[str] = set()
    closings: Closings = {}
    for due in DUE:
        i = text.rfind(due)
        while i >= 0:
            at, is_list = i + 1, due in LISTS
            while at:
                here = text[at]
                if here == "n" and text[at + 1] != ".":  # as most are
                    found.add(tokens[at].text.lower())
                elif here in ";)s":
                    break
                elif here in "(tb":
                    if here == "(" and due in GROUPS:
                        _add_grouped(found, tokens, text, at)
                    at -= 1
                else:
                    at = _add_other(found, tokens, text, at)
                if is_list:
                    at = at + 2 if text[at + 1] == "," else next_item(text, at + 1, closings)
                elif due == "j":
                    at, is_list = behind_join(text, at + 1, closings), True
                else:
                    break
            i = text.rfind(due, 0, i)
    return Due(frozenset(found), True)


def _add_grouped(found: set[str], tokens: Sequence[Token], text: str, at: int) -> None:
    """Add the first name in brackets, where these hold no query: `FROM (t CROSS JOIN u)`."""
    while text[at] == "(":
        at += 1
    if text[at] == "n":
        _add_other(found, tokens, text, at)


def _add_other(found: set[str], tokens: Sequence[Token], text: str, at: int) -> int:
    """Add the last part of a name that has dots, marks or quotes; gives where it ends."""
    mark = ""
    while tokens[at].text in MARKS and at + 1 < len(tokens):
        mark += tokens[at].text
        at += 1
    while text[at + 1] == "." and at + 2 < len(tokens):
        at += 2
    name = tokens[at].text
    if name[:1].isidentifier() or tokens[at].token_type is TokenType.IDENTIFIER:
        found.add(mark + name.lower())
    return behind_path(tokens, at + 1) - 1 if mark else at


def behind_path(tokens: Sequence[Token], at: int) -> int:
    """The token behind the path of a stage, `@s/a/b.csv`, whose parts have no blanks between."""
    while at < len(tokens) and tokens[at].start == tokens[at - 1].end + 1 and tokens[at].text not in _BEHIND_PATHS:
        at += 1
    return at


def next_item(text: str, at: int, closings: Closings) -> int:
    """Where the next table of a list begins, behind what follows the name of the one before, and a comma; 0 if none follows.

    *closings* remembers the brackets that were passed. Lists further inside must be asked for first: so no bracket is passed twice.
    """
    here = text[at]
    if here not in ",na(twb":  # as at the end of most lists
        return 0
    if here == "a":
        at += 1
        here = text[at]
    if here == "n":
        at += 1
        here = text[at]
    if here in "(twb":
        at = _behind_brackets(text, at, closings)
        here = text[at]
    return at + 1 if here == "," else 0


def behind_join(text: str, at: int, closings: Closings) -> int:
    """Where the table behind a join, its condition and a comma begins: `c` of `a JOIN b ON a.i = b.i, c`; 0 if none follows."""
    while True:
        passed = _CONDITION.match(text, at)
        at = passed.end() if passed else at
        here = text[at]
        if here == "(":
            if at not in closings:
                closings[at] = _closing(text, at, closings)
            at = closings[at] + 1
        elif here in "[{":
            at = _behind_list(text, at)
        else:
            return at + 1 if here == "," else 0


def _behind_list(text: str, at: int) -> int:
    """The token behind a list in square or curly brackets: `[1, f(2)]`."""
    depth = 1
    while depth and at < len(text) - 2:
        at += 1
        depth += (text[at] in "[{(") - (text[at] in "]})")
    return at + 1


def _behind_brackets(text: str, at: int, closings: Closings) -> int:
    """The end of an item with brackets, or with words behind it: `f(x) AS g (a, b)`, `(SELECT …) s`, `t WITH (NOLOCK)`."""
    before = "n"
    while text[at] in "(twban" and text[at] + before != "nn":  # `FROM t REDUCE a, b USING …`: two names are no alias
        before = text[at]
        if before == "(":
            if at not in closings:
                closings[at] = _closing(text, at, closings)
            at = closings[at]
        at += 1
    return at


def _closing(text: str, opening: int, closings: Closings) -> int:
    """The bracket that closes another one; where none does, the last token."""
    depth, at = 1, opening + 1
    while depth and at < len(text):
        flat = _FLAT.match(text, at)
        at = flat.end() if flat else at
        if text[at : at + 1] == "(":
            depth += at not in closings
            at = closings.get(at, at)
        else:
            depth -= 1
        at += 1
    return min(at - 1, len(text) - 2)
