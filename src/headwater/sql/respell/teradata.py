"""Teradata's phrases in brackets behind an expression: `a (NAMED b)`, `a (FORMAT 'X9')`, `a (INTEGER)`."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, made, respells, respells_phrase, word

_PHRASES = frozenset({"NAMED", "FORMAT", "TITLE", "CASESPECIFIC", "CS", "UPPERCASE"})
_VALUE_ENDS = frozenset(
    {TokenType.VAR, TokenType.IDENTIFIER, TokenType.R_PAREN, TokenType.STRING, TokenType.NUMBER, TokenType.END}
)
_TYPES = frozenset(
    {"INTEGER", "INT", "SMALLINT", "BIGINT", "BYTEINT", "DECIMAL", "DEC", "NUMERIC", "NUMBER", "FLOAT", "REAL", "CHAR"}
    | {"VARCHAR", "CHARACTER", "DATE", "TIME", "TIMESTAMP", "BYTE", "VARBYTE"}
)


@respells_phrase("(", "teradata")
def phrase(tokens: Tokens, i: int) -> Edit | None:
    """`a (INTEGER, FORMAT '9', NAMED b)` is `a::INTEGER AS b`; a title or a format alone changes nothing that flows."""
    first = word(tokens, i + 1)
    if first == "NOT" and word(tokens, i + 2) in ("CASESPECIFIC", "CS") and word(tokens, i + 3) == ")":
        return Edit(i, i + 4)
    if first not in _PHRASES and first not in _TYPES:
        return None
    end = closing(tokens, i)
    parts = _parts(tokens, i, end)
    if i == 0 or not parts or not all(word(p, 0) in _PHRASES for p in parts[first in _TYPES :]):
        return None
    if first in _TYPES and not _converts(tokens, i, parts[0]):
        return None
    spelled: Tokens = []
    for part in parts:
        if word(part, 0) == "NAMED" and len(part) == 2:
            spelled += [made("AS", TokenType.ALIAS, part[0]), part[1]]
        elif word(part, 0) in _TYPES:
            spelled = [made("::", TokenType.DCOLON, part[0]), *part, *spelled]
    return Edit(i, end + 1, spelled)


def _parts(tokens: Tokens, opening: int, end: int) -> list[list[Token]]:
    """What stands between the commas of a bracket."""
    parts: list[list[Token]] = [[]]
    i = opening + 1
    while i < end:
        stop = closing(tokens, i) if word(tokens, i) == "(" else i
        if word(tokens, i) == ",":
            parts.append([])
        else:
            parts[-1].extend(tokens[i : stop + 1])
        i = stop + 1
    return [p for p in parts if p]


def _converts(tokens: Tokens, i: int, kind: list[Token]) -> bool:
    """Whether a type in brackets converts what stands before: a value, and a space between, unlike a call's bracket."""
    before = tokens[i - 1]
    value = before.token_type in _VALUE_ENDS
    plain = len(kind) == 1 or word(kind, 1) == "("
    return value and plain and before.end + 1 < tokens[i].start


@respells("INSERT", "teradata")
@respells("INS", "teradata")
def values_without_the_word(tokens: Tokens, i: int) -> Tokens:
    """`INSERT INTO t (1, 'x')`, in MERGE `INSERT (s.a, s.b)`: one bracket, and it holds the values."""
    name = i + 2 if word(tokens, i + 1) == "INTO" else i + 1
    opening = name
    if i == 0:
        opening = name + 1
        while word(tokens, opening) == ".":
            opening += 2
    if word(tokens, opening) != "(":
        return tokens
    end = closing(tokens, opening)
    if end + 1 < len(tokens) and word(tokens, end + 1) != "WHEN":
        return tokens
    return [*tokens[:opening], made("VALUES", TokenType.VALUES, tokens[opening]), *tokens[opening:]]
