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
from headwater.sql.string_offsets import string_offsets
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
    offsets = string_offsets(text, raw)
    for token in tokens:
        token.start, token.end = start + offsets[token.start], start + offsets[min(token.end, len(text) - 1)]
    return tokens


def filled_tokens(text: str, chosen: Dialect, semicolons: bool = True) -> list[Token]:
    """The tokens of a text that may have placeholders; these are names, spelled as written."""
    readable = filled(text, chosen) if has_placeholders(text, chosen) else text
    return tokenise(readable, chosen, text, semicolons=semicolons)
