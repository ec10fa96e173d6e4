"""Operators of extensions, `a <% b`, `a @@@ b`, `<<-> a`: the grammar reads an operator that it knows in their place.

PostgreSQL and its kin take any run of the operators' characters for one operator, and extensions define many. What an operator
means does not matter here: both operands are sources. A run that the grammar's tokens split is therefore spelled `&`, and `~` where
nothing stands before it. `@` needs the same care where the grammar would read `@ b` as a variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.respell.rule import Tokens, made

_CHARACTERS = frozenset("-+*/<>=~!@#%^&|?")
_RUN = re.compile(r"[-+*/<>=~!@#%^&|?]{2,}|@")
_COMMON = frozenset({"<=", ">=", "<>", "!=", "||", "->", "->>", "--", "/*", "*/", "/*+", "=-", "*-", "+-"})
_QUOTED = frozenset({TokenType.STRING, TokenType.IDENTIFIER, TokenType.NATIONAL_STRING, TokenType.RAW_STRING})
_SIGNS = frozenset({"+", "-"})
_BEFORE_PARAMETER = frozenset({"=", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*", "/", "||"})
_ENDS_OF_OPERANDS = frozenset(
    {TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER, TokenType.R_PAREN, TokenType.R_BRACKET}
    | {TokenType.NULL, TokenType.TRUE, TokenType.FALSE, TokenType.PLACEHOLDER, TokenType.END}
)


def may_have_operators(text: str) -> bool:
    """Whether a text may have an operator that the grammar does not know."""
    return any(run.group() not in _COMMON for run in _RUN.finditer(text))


def with_known_operators(tokens: Tokens) -> Tokens:
    """The tokens with an operator of the grammar in the place of each that it does not know."""
    kept: Tokens = []
    position = 0
    for start, end in _runs(tokens):
        while end - start > 1 and tokens[end - 1].text in _SIGNS:
            end -= 1
        if _is_one_operator(tokens, start, end):
            binary = start > 0 and _ends_operand(tokens[start - 1])
            kind = (TokenType.AMP, "&") if binary else (TokenType.TILDE, "~")
            kept += [*tokens[position:start], made(kind[1], kind[0], tokens[start])]
            position = end
    return kept + tokens[position:] if position else tokens


def _runs(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Stretches of tokens, without space between them, that are made of the operators' characters."""
    start = 0
    while start < len(tokens):
        end = start
        while end < len(tokens) and _is_operator(tokens, end) and (end == start or _adjacent(tokens, end)):
            end += 1
        if end > start:
            yield start, end
        start = max(end, start + 1)


def _is_operator(tokens: Tokens, i: int) -> bool:
    """Whether a token is made of the operators' characters; a `?` without an operand before it is a parameter."""
    token = tokens[i]
    if token.text == "?":
        return i > 0 and _ends_operand(tokens[i - 1])
    return token.token_type not in _QUOTED and bool(token.text) and _CHARACTERS.issuperset(token.text)


def _adjacent(tokens: Tokens, i: int) -> bool:
    return tokens[i - 1].end + 1 == tokens[i].start


def _is_one_operator(tokens: Tokens, start: int, end: int) -> bool:
    """Whether some tokens are an operator that the grammar does not know; `=@v` and `@v` have a client's parameter."""
    names_parameter = tokens[end - 1].text == "@" and end < len(tokens) and tokens[end].token_type is TokenType.VAR
    if names_parameter and _adjacent(tokens, end):
        return end - start > 1 and not (end - start == 2 and tokens[start].text in _BEFORE_PARAMETER)
    return end - start > 1 or tokens[start].text == "@"


def _ends_operand(token: Token) -> bool:
    return token.token_type in _ENDS_OF_OPERANDS
