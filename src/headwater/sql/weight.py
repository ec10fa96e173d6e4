"""How heavy a piece is, from its tokens alone: whether it may be parsed in this process.

Three things make a piece heavy: very many tokens; deep nesting, as the compiled parser recurses on the C stack of whichever thread it
runs in; and nested calls of functions that are named like types (`struct(struct(…`, `date(date(…`), which the parser tries first as a
type and then as a call, so that each level doubles its time. A statement pays for some counts over the letters of its tokens; only one
that could be deep is walked.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.work import OutOfTime, current_work
from headwater.sql.token_letters import letters

if TYPE_CHECKING:
    from headwater.sql.split import Piece

MANY_TOKENS = 50_000
"""About half a second of parsing, a hundred megabytes of tree."""
DEEP = 60
"""Open brackets at one place; about 120 kB of C stack, so that the smallest thread can carry it."""
DOUBLINGS = 12
"""Nested calls that look like types: 4,096 attempts at the innermost, less than a tenth of a second."""

_FEW_TOKENS = 400
"""So few cannot nest anything but brackets deeply enough to matter."""
_LIGHT_TOKENS = 2 * DOUBLINGS
"""So few are not heavy."""
_UNLIMITED_TOKENS = 2_000
"""The same where somebody has raised the interpreter's recursion limit, which otherwise stops the parser in time."""
_USUAL_LIMIT = 5_000

_OPEN, _CLOSE, _PREFIX = 1, 2, 3
_MEANING = (
    dict.fromkeys((TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE), _OPEN)
    | dict.fromkeys((TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END), _CLOSE)
    | dict.fromkeys((TokenType.NOT, TokenType.DASH, TokenType.PLUS, TokenType.TILDE), _PREFIX)
)
_TYPES = frozenset(Parser.TYPE_TOKENS)
_INNERMOST = re.compile(r"[(\[{c][^(\[{c)\]}e]*[)\]}e]")
_TYPED = re.compile(r"y[(\[{c]")
_LT, _GT = TokenType.LT, TokenType.GT
_INDEX, _INDEXED = TokenType.L_BRACKET, TokenType.R_BRACKET
_TURNS = frozenset(_MEANING) | {_LT, _GT}
"""Kinds of tokens that can begin or end a level."""


def is_heavy(piece: Piece) -> bool:
    """Whether a piece needs a process of its own."""
    return _is_heavy(piece.kinds, piece.letters)


def refuse_heavy(tokens: Sequence[Token], sql: str) -> None:
    """End the turn before the parser meets what is heavy in the user's process: a text inside of a statement that was light without it."""
    work = current_work()
    if sql is work.light_text or len(tokens) <= _LIGHT_TOKENS or not work.is_here:
        return
    kinds = [token.token_type for token in tokens]
    if _is_heavy(kinds, letters(kinds)):
        raise OutOfTime


def _is_heavy(kinds: Sequence[TokenType], text: str) -> bool:
    count = len(kinds)
    if count > MANY_TOKENS or (count > _UNLIMITED_TOKENS and sys.getrecursionlimit() > _USUAL_LIMIT):
        return True
    brackets = text.count("(") + text.count("[") + text.count("{")
    if count <= _FEW_TOKENS and brackets <= DOUBLINGS:
        return False
    levels = brackets + text.count("c")
    if levels > DEEP:
        levels -= len(_INNERMOST.findall(text)) - 1  # no more than one of these is open at one place
    if levels <= DEEP and max(map(text.count, "-<[")) <= DEEP and not _may_double(text):
        return False
    return _is_deep(kinds)


def _may_double(text: str) -> bool:
    """Whether brackets follow enough names of types to nest deeply, given the letters."""
    return text.count("y") > DOUBLINGS and len(_TYPED.findall(text)) > DOUBLINGS


def _is_deep(kinds: Sequence[TokenType]) -> bool:
    """Whether brackets, CASEs, prefix operators, types or type-like calls nest too deeply, or indexes follow indexes."""
    depth = prefixes = doublings = angles = indexes = 0
    typed: list[bool] = []
    for before, kind in pairwise((None, *kinds)):
        if kind not in _TURNS:
            prefixes = 0
            continue
        meaning = _MEANING.get(kind)
        if meaning is None:
            prefixes = 0
            if kind is _LT and before in _TYPES:
                angles += 1
                if angles > DEEP:
                    return True
            elif kind is _GT and angles:
                angles -= 1
        elif meaning == _OPEN:
            depth += 1
            typed.append(before in _TYPES)
            doublings += typed[-1]
            indexes += kind is _INDEX and before is _INDEXED
            if depth > DEEP or doublings > DOUBLINGS or indexes > DEEP:
                return True
        elif meaning == _CLOSE and typed:
            depth -= 1
            doublings -= typed.pop()
        elif meaning == _PREFIX:
            prefixes += 1
            if prefixes > DEEP:
                return True
    return False
