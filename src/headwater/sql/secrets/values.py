"""The second rule inside expressions: which literals are their values, and which stand beside a secret.

```
CASE WHEN … THEN ◊ ELSE ◊ END AS password, coalesce(a, ◊) AS password, if(a, ◊, b) AS password       the results, not the conditions
coalesce(password, ◊), nullif(password, ◊), CASE WHEN a THEN password ELSE ◊ END                       beside a name that sounds secret
CASE password WHEN ◊ THEN …
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.model.span import Span
from headwater.sql.secrets.names import sounds_secret
from headwater.sql.secrets.tokens import CLOSING, OPENING, arguments, is_string, is_word, strings_of

_T = TokenType
CHOICES = """
1   coalesce ifnull nvl isnull greatest least cast try_cast trim nullif
2   if iff iif nvl2
"""
"""Functions that choose one of their arguments, and the first that can be chosen."""
COMPARISONS = frozenset({"nullif", "equal_null", "strcmp"})
"""Functions that compare their arguments."""
TYPES = frozenset(
    [
        "TEXT",
        "VARCHAR",
        "VARCHAR2",
        "NVARCHAR",
        "NVARCHAR2",
        "CHAR",
        "NCHAR",
        "CHARACTER",
        "STRING",
        "CLOB",
        "NTEXT",
        "SYSNAME",
        "BINARY",
        "VARBINARY",
        "BYTEA",
        "RAW",
        "BYTES",
        "BLOB",
        "TINYTEXT",
        "MEDIUMTEXT",
        "LONGTEXT",
        "CITEXT",
        "VARIANT",
        "CONSTANT",
        "NATIONAL",
    ]
)
"""First words of the types of variables and columns that hold text."""
OF_TYPES = frozenset(
    [
        "VARYING",
        "CONSTANT",
        "NOT",
        "NULL",
        "MAX",
        "BYTE",
        "CHAR",
        "LARGE",
        "OBJECT",
        "AS",
        "COLLATE",
        "BINARY",
        "UTF8MB4",
        "ENABLE",
        "(",
        ")",
        "%",
        ".",
    ]
)
"""Further words of types."""
_CASTS = frozenset({"::", "AS", "COLLATE"})
_MOST_ARGUMENTS = 100
_MOST_CHOICES = 400
"""Expressions that are looked into; of one that has more, the strings of the others are masked."""


def _first_choices() -> dict[str, int]:
    lines = [line.split() for line in CHOICES.strip().splitlines()]
    return {name: int(first) for first, *names in lines for name in names}


_FIRST_CHOICE = _first_choices()


def brackets(tokens: Sequence[Any]) -> tuple[dict[int, int], dict[int, int]]:
    """Each bracket's partner, with CASE and END as brackets, and the innermost one that is open at each of them and at each word."""
    pairs: dict[int, int] = {}
    around: dict[int, int] = {}
    opened: list[int] = []
    for i, token in enumerate(tokens):
        kind = token.token_type
        if kind is _T.L_PAREN or kind is _T.CASE:
            opened.append(i)
        elif kind is _T.R_PAREN or (kind is _T.END and opened and tokens[opened[-1]].token_type is _T.CASE):
            while kind is _T.R_PAREN and opened and tokens[opened[-1]].token_type is _T.CASE:
                opened.pop()
            if opened:
                partner = opened.pop()
                pairs[partner], pairs[i] = i, partner
        elif opened:
            around[i] = opened[-1]
    return pairs, around


def value_literals(raw: str, tokens: Sequence[Any], start: int, end: int) -> Iterator[Span]:
    """The strings that may be the value of an expression: all of one without columns, otherwise those that it chooses from."""
    pending = [(start, end)]
    for _ in range(_MOST_CHOICES):
        if not pending:
            return
        start, end = pending.pop()
        chosen = _chosen(tokens, start, end)
        if chosen:
            pending += chosen
        elif start + 1 < end and is_string(tokens[start]) and tokens[start + 1].text.upper() in _CASTS:
            yield from strings_of(raw, tokens[start : start + 1])
        elif not any(map(is_column, tokens[start : end - 1], tokens[start + 1 : end])) and not _is_name(
            tokens, start, end
        ):
            yield from strings_of(raw, tokens[start:end])
    yield from (span for start, end in pending for span in strings_of(raw, tokens[start:end]))


def is_choice(tokens: Sequence[Any], first: int, i: int, around: int) -> bool:
    """Whether the name from *first* to *i* is all that a bracket chooses or compares: an argument, a result of CASE, or what it tests."""
    if i + 1 >= len(tokens):
        return False
    before, behind = tokens[first - 1].token_type, tokens[i + 1].token_type
    if tokens[around].token_type is _T.CASE:
        return first == around + 1 or (before in (_T.THEN, _T.ELSE) and behind in (_T.WHEN, _T.ELSE, _T.END))
    function = tokens[around - 1].text.lower() if around else ""
    is_argument = before in (_T.L_PAREN, _T.COMMA) and behind in (_T.R_PAREN, _T.COMMA)
    return is_argument and (function in _FIRST_CHOICE or function in COMPARISONS)


def literals_beside(raw: str, tokens: Sequence[Any], around: int, pairs: Mapping[int, int]) -> Iterator[Span]:
    """The literals of a bracket of which a name that sounds secret is a choice."""
    end = pairs.get(around)
    if end is None:
        return
    if tokens[around].token_type is _T.CASE:
        yield from _whens(raw, tokens, around, end)
        yield from value_literals(raw, tokens, around, end + 1)
        return
    first = _FIRST_CHOICE.get(tokens[around - 1].text.lower(), 1)
    for start, stop in arguments(tokens, around + 1, _MOST_ARGUMENTS)[first - 1 :]:
        yield from value_literals(raw, tokens, start, stop)


def is_column(token: Any, following: Any) -> bool:
    """Whether a token is a name, and not that of a function."""
    is_name = is_word(token) and token.text.upper() not in TYPES | OF_TYPES
    return is_name and following.token_type is not _T.L_PAREN


def _is_name(tokens: Sequence[Any], start: int, end: int) -> bool:
    """Whether the last token of an expression is a column."""
    return end > start and is_word(tokens[end - 1]) and tokens[end - 1].text.upper() not in TYPES | OF_TYPES


def _chosen(tokens: Sequence[Any], start: int, end: int) -> list[tuple[int, int]]:
    """The expressions that an expression chooses from; none if it is none that chooses."""
    if start + 1 >= end:
        return []
    if tokens[start].token_type is _T.CASE:
        return _results(tokens, start, end)
    first = _FIRST_CHOICE.get(tokens[start].text.lower())
    if first and not is_string(tokens[start]) and tokens[start + 1].token_type is _T.L_PAREN:
        return arguments(tokens, start + 2, _MOST_ARGUMENTS)[first - 1 :]
    if tokens[start].token_type is _T.L_PAREN and tokens[end - 1].token_type is _T.R_PAREN:
        return [(start + 1, end - 1)]
    return []


def _results(tokens: Sequence[Any], case: int, end: int) -> list[tuple[int, int]]:
    """What stands behind THEN and ELSE of the CASE at a token."""
    found: list[tuple[int, int]] = []
    depth, result = 0, 0
    for i in range(case, end):
        kind = tokens[i].token_type
        depth += (kind in OPENING) - (kind in CLOSING)
        if result and ((depth == 1 and kind in (_T.WHEN, _T.ELSE)) or depth < 1):
            found.append((result, i))
            result = 0
        if depth == 1 and kind in (_T.THEN, _T.ELSE):
            result = i + 1
        if depth < 1:
            break
    return found


def _whens(raw: str, tokens: Sequence[Any], case: int, end: int) -> Iterator[Span]:
    """The strings behind WHEN of a CASE that compares a name which sounds secret."""
    first = next((i for i in range(case + 1, end) if tokens[i].token_type is _T.WHEN), end)
    if first > case + 1 and sounds_secret(tokens[first - 1].text):
        for i in range(first, end):
            if tokens[i].token_type is _T.WHEN and is_string(tokens[i + 1]):
                yield from strings_of(raw, tokens[i + 1 : i + 2])
