"""Lines that begin a routine: where a script goes on, whatever stands before.

A body whose BEGIN has lost its END, a statement without its semicolon, a bracket or a loop that nobody closes: all of these would take the
rest of the script with them. A reader sees a line with CREATE PROCEDURE at the outermost column and knows that something new begins; so
does the splitter. In front of the first token of such a line a *boundary* is put, a semicolon that nobody wrote: it ends any statement, and
the block in front of it unless that is closed further down (see `blocks`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.possessive import compile_possessive
from headwater.sql.source import Source
from headwater.sql.tokens import is_swallowed
from headwater.sql.words import word

_LINE = compile_possessive(
    r"^(?P<indent>[ \t]*+)(?P<verb>CREATE|REPLACE|ALTER)\s++(?:OR\s++(?:REPLACE|ALTER)\s++)?"
    r"(?:DEFINER\s*+=\s*+\S++\s++)?(?:(?!AS\b|ON\b|TABLE\b|VIEW\b|CREATE\b|ALTER\b)\w++\s++){0,3}?(?:TABLE\s++)?"
    r"(?:PROCEDURE|PROC|FUNCTION|TRIGGER|PACKAGE|MACRO|TYPE\s++BODY)\s++(?!(?:TO|ON)\b)[^\s,;]",
    re.IGNORECASE | re.MULTILINE,
)
"""The head of a routine up to its name; GRANT's `CREATE PROCEDURE TO u` is none."""
_VERBS = ("CREATE", "REPLACE", "ALTER")
_HOLD_STATEMENT = frozenset({"TASK", "EVENT", "ALERT", "PREPARE"})
"""What has a statement of any kind behind its AS or DO."""
_FARTHEST_HEAD = 60
"""How many tokens may stand before that AS or DO."""


def routine_lines(text: str, dialect: Dialect) -> frozenset[int]:
    """The offsets of the words that begin a routine, as far as they stand at the outermost column at which any does."""
    if not any(map(text.upper().__contains__, _VERBS)):
        return frozenset()
    found = [m for m in _LINE.finditer(text) if dialect.alters_routines or m.group("verb").upper() != "ALTER"]
    outermost = min((len(m.group("indent")) for m in found), default=0)
    return frozenset(m.start("verb") for m in found if len(m.group("indent")) == outermost)


def bounded_tokens(source: Source, dialect: Dialect, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of a stretch of a script, with its boundaries; their offsets count from its start. Raises `TokenError`."""
    tokens = source.tokens(dialect, start, end)
    lines = routine_lines(source.stretch(start, end), dialect)
    if not lines:
        return tokens
    if _are_hidden(lines, tokens):
        tokens = source.tokens(dialect, start, end, semicolons=False)
    return _with_boundaries(tokens, lines)


def _with_boundaries(tokens: list[Token], lines: frozenset[int]) -> list[Token]:
    """The tokens with a boundary before each that begins a routine, but for the first of all."""
    found: list[Token] = []
    for token in tokens:
        if token.start in lines and found and not _is_asked_for(found):
            found.append(Token(TokenType.SEMICOLON, "", token.line, token.col, token.start, token.start - 1))
        found.append(token)
    return found


def _are_hidden(lines: frozenset[int], tokens: Sequence[Token]) -> bool:
    """Whether some lines are inside of what the tokeniser took for the argument of a command."""
    swallowed = ((before.end, token.end) for before, token in pairwise(tokens) if is_swallowed(token))
    return any(start < line <= end for start, end in swallowed for line in lines)


def is_boundary(token: Token) -> bool:
    """Whether a token is a semicolon that nobody wrote."""
    return token.token_type is TokenType.SEMICOLON and not token.text


def _is_asked_for(before: Sequence[Token]) -> bool:
    """Whether the tokens end with what a statement must follow: `CREATE TASK t … AS`."""
    if word(before[-1]) not in ("AS", "DO"):
        return False
    for token in reversed(before[-_FARTHEST_HEAD:]):
        if token.token_type is TokenType.SEMICOLON:
            return False
        if word(token) in _HOLD_STATEMENT:
            return True
    return False
