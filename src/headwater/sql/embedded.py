"""SQL inside a string of a statement: read by the dialect that understands it, its nodes placed where they stand in the script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token

from headwater.sql.dialect import Dialect, dialect
from headwater.sql.grammar import parse_statement
from headwater.sql.place import Places
from headwater.sql.placeholder import filled, has_placeholders
from headwater.sql.tokens import tokenise


def embedded_query(places: Places, literal: Any, dialects: Sequence[str]) -> Any:
    """The tree of the statement that a string literal holds, by the first dialect that can read it; None if none can."""
    span = places.span(literal)
    raw = places.raw(span) if span is not None else ""
    for name in dialects:
        try:
            tokens = embedded_tokens(literal.name, raw, span.start if span is not None else 0, dialect(name))
            tree = parse_statement(tokens, literal.name, dialect(name))
        except (ParseError, TokenError, RecursionError):
            continue
        if tree is not None and not isinstance(tree, (exp.Command, exp.Alias, exp.Condition)):
            return tree
    return None


def embedded_tokens(text: str, raw: str, start: int, chosen: Dialect) -> list[Token]:
    """The tokens of a string's *text*, at their places in the script, where the string stands as *raw* from *start* on."""
    tokens = filled_tokens(text, chosen)
    offsets = _offsets(text, raw)
    for token in tokens:
        token.start, token.end = start + offsets[token.start], start + offsets[min(token.end, len(text) - 1)]
    return tokens


def filled_tokens(text: str, chosen: Dialect, semicolons: bool = True) -> list[Token]:
    """The tokens of a text that may have placeholders; these are names, spelled as written."""
    readable = filled(text, chosen) if has_placeholders(text, chosen) else text
    return tokenise(readable, chosen, text, semicolons=semicolons)


def _offsets(text: str, raw: str) -> list[int]:
    """For each character of a string's text its offset in the string as written, quotes, tags and escapes taken into account."""
    begin = raw.find(text)
    if begin >= 0:
        return list(range(begin, begin + len(text)))
    found: list[int] = []
    at = 1
    for character in text:
        while at < len(raw) and raw[at] != character:
            at += 1
        found.append(min(at, max(len(raw) - 1, 0)))
        at += 2 if raw[at : at + 2] in ("''", '""') else 1
    return found
