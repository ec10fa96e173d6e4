"""What the rules ask of tokens: strings, words, brackets, and the part of a token that is its value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.model.span import Span

STRINGS = frozenset(kind for kind in TokenType if "STRING" in kind.name)
OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE})
_SHORTEST_NUMBER = 4
"""Digits of a number that may be a secret."""
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END})


def is_string(token: Any) -> bool:
    """Whether a token is a literal of any kind of string."""
    return token.token_type in STRINGS


def is_word(token: Any) -> bool:
    """Whether a token is a word or a name."""
    return token.token_type is TokenType.IDENTIFIER or (not is_string(token) and token.text[:1].isalpha())


def value_of(raw: str, token: Any) -> Span:
    """What is secret of a token: a plain string keeps its quotes, anything else goes whole."""
    start, end = token.start, token.end
    quote = raw[start : start + 1]
    if quote in ("'", '"') and raw[end : end + 1] == quote and raw[start + 1 : start + 3] != quote * 2:
        return Span(start + 1, end)
    return Span(start, end + 1)


def strings_of(raw: str, tokens: Sequence[Any]) -> Iterator[Span]:
    """The values of the strings among some tokens."""
    return (value_of(raw, token) for token in tokens if token.token_type in STRINGS)


def literals_of(raw: str, tokens: Sequence[Any], start: int, end: int) -> Iterator[Span]:
    """The strings of an expression, and the number that is all of it."""
    yield from strings_of(raw, tokens[start:end])
    if (
        end == start + 1
        and tokens[start].token_type is TokenType.NUMBER
        and len(tokens[start].text) >= _SHORTEST_NUMBER
    ):
        yield value_of(raw, tokens[start])
    if start < end and tokens[start].text == "0" and tokens[start + 1 : start + 2]:  # 0x0200A1, in other dialects
        following = tokens[start + 1]
        if following.start == tokens[start].end + 1 and following.text[:1] in "xX":
            yield Span(tokens[start].start, following.end + 1)


def expression_end(tokens: Sequence[Any], i: int) -> int:
    """The token behind an expression that begins at a token.

    It ends at a comma, a semicolon, a bracket that was not opened in it, or a word behind a complete operand:
    `'x' AND …`, `'x' DEFAULT_ROLE = …`.
    """
    depth, complete = 0, False
    while i < len(tokens):
        token = tokens[i]
        kind = token.token_type
        if kind in CLOSING:
            depth -= 1
            if depth < 0:
                return i
            complete = True
        elif kind in OPENING:
            if complete and kind is TokenType.CASE and not depth:
                return i
            depth += 1
        elif not depth:
            if kind in (TokenType.COMMA, TokenType.SEMICOLON):
                return i
            if is_word(token):
                if complete:
                    return i
                complete = True
            elif kind in STRINGS or kind is TokenType.NUMBER:
                complete = True
            else:
                complete = False
        i += 1
    return i


def arguments(tokens: Sequence[Any], start: int, most: int) -> list[tuple[int, int]]:
    """The first arguments from a token on, each by its first token and the one behind its last."""
    found: list[tuple[int, int]] = []
    while start < len(tokens) and len(found) < most:
        end = argument_end(tokens, start)
        found.append((start, end))
        if end == len(tokens) or tokens[end].token_type is not TokenType.COMMA:
            break
        start = end + 1
    return found


def argument_end(tokens: Sequence[Any], i: int) -> int:
    """The comma, semicolon or closing bracket behind an argument."""
    depth = 0
    while i < len(tokens):
        kind = tokens[i].token_type
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
            if depth < 0:
                return i
        elif (not depth and kind is TokenType.COMMA) or kind is TokenType.SEMICOLON:
            return i
        i += 1
    return i
