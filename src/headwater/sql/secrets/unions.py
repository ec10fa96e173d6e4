"""The second rule across UNION, EXCEPT and INTERSECT: the first SELECT names what the others give.

`SELECT name, password FROM u UNION ALL SELECT 'bob', ◊`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.model.span import Span
from headwater.sql.secrets.columns import item_end
from headwater.sql.secrets.names import sounds_secret
from headwater.sql.secrets.tokens import CLOSING, OPENING, is_string
from headwater.sql.secrets.values import value_literals

_T = TokenType
_SET_OPERATORS = frozenset({_T.UNION, _T.EXCEPT, _T.INTERSECT})
_BEFORE_ITEMS = frozenset({_T.ALL, _T.DISTINCT})


def union_secrets(raw: str, tokens: Sequence[Any]) -> Iterator[Span]:
    """The literals of later SELECTs below a column of the first that sounds like a secret."""
    for first, *others in _chains(tokens):
        is_secret = [_sounds_secret(tokens, *item) for item in _items(tokens, first)]
        for other in others if any(is_secret) else ():
            for (start, end), secret in zip(_items(tokens, other), is_secret, strict=False):
                if secret:
                    yield from value_literals(raw, tokens, start, end)


def _items(tokens: Sequence[Any], select: int) -> Iterator[tuple[int, int]]:
    """The items of a SELECT."""
    start = select + 1
    start += start < len(tokens) and tokens[start].token_type in _BEFORE_ITEMS
    while start < len(tokens):
        end = item_end(tokens, start)
        yield start, end
        if end >= len(tokens) or tokens[end].token_type is not _T.COMMA:
            return
        start = end + 1


def _sounds_secret(tokens: Sequence[Any], start: int, end: int) -> bool:
    """Whether the name of an item, its last word, sounds like a secret."""
    return end > start and not is_string(tokens[end - 1]) and sounds_secret(tokens[end - 1].text)


def _chains(tokens: Sequence[Any]) -> Iterator[list[int]]:
    """The SELECTs that set operators join, two and more."""
    if not any(token.token_type in _SET_OPERATORS for token in tokens):
        return
    levels: list[list[int]] = [[]]
    joined = [False]
    for i, token in enumerate(tokens):
        kind = token.token_type
        if kind in _SET_OPERATORS:
            joined[-1] = True
        elif kind is _T.SELECT:
            if not joined[-1]:
                yield from _long(levels[-1])
                levels[-1] = []
            levels[-1].append(i)
            joined[-1] = False
        elif kind is _T.SEMICOLON:
            yield from (chain for level in levels for chain in _long(level))
            levels, joined = [[]], [False]
        elif kind in OPENING:
            levels.append([])
            joined.append(False)
        elif kind in CLOSING and len(levels) > 1:
            chain = levels.pop()
            joined.pop()
            if joined[-1] or (not levels[-1] and tokens[i + 1 : i + 2] and tokens[i + 1].token_type in _SET_OPERATORS):
                levels[-1] += chain
                joined[-1] = False
            else:
                yield from _long(chain)
    yield from (chain for level in levels for chain in _long(level))


def _long(chain: list[int]) -> list[list[int]]:
    return [chain] if len(chain) > 1 else []
