"""Predicates and operators that are words, in those of the grammar: `a IS DOCUMENT`, `b MEMBER OF c`."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, made, respells_phrase, word

_NORMAL_FORMS = frozenset({"NFC", "NFD", "NFKC", "NFKD"})


@respells_phrase("DOCUMENT NORMALIZED", "postgres")
@respells_phrase("NAN INFINITE EMPTY SET DANGLING", "oracle")
@respells_phrase("DOCUMENT VALIDATED", "db2")
def is_predicate(tokens: Tokens, i: int) -> Edit | None:
    """`a IS DOCUMENT`, `a IS NOT A SET`, `a IS NFC NORMALIZED`: like `a IS NULL`, it asks for nothing but a."""
    start = i - (word(tokens, i - 1) in _NORMAL_FORMS or (word(tokens, i - 1) == "A" and word(tokens, i) == "SET"))
    return Edit(start, i + 1, [made("NULL", TokenType.NULL, tokens[i])]) if _follows_is(tokens, start) else None


def _follows_is(tokens: Tokens, i: int) -> bool:
    return word(tokens, i - 1 - (word(tokens, i - 1) == "NOT")) == "IS"


@respells_phrase("OF", "oracle")
def is_of_type(tokens: Tokens, i: int) -> Edit | None:
    """`a IS OF TYPE (ONLY t)`: which type an object has."""
    opening = i + 1 + (word(tokens, i + 1) == "TYPE")
    if word(tokens, opening) != "(" or not _follows_is(tokens, i):
        return None
    return Edit(i, closing(tokens, opening) + 1, [made("NULL", TokenType.NULL, tokens[i])])


@respells_phrase("STRICT LAX", "oracle")
def is_json(tokens: Tokens, i: int) -> Edit | None:
    """`a IS JSON STRICT`: how exactly it is looked at."""
    return Edit(i, i + 1) if word(tokens, i - 1) == "JSON" and _follows_is(tokens, i - 1) else None


@respells_phrase("MEMBER SUBMULTISET", "oracle")
def member_of(tokens: Tokens, i: int) -> Edit | None:
    """`a NOT MEMBER OF b`, `a SUBMULTISET OF b` compare two values, as `a = b` does."""
    end = i + 1 + (word(tokens, i + 1) == "OF")
    if not _stands_between_operands(tokens, i, end):
        return None
    start = i - (word(tokens, i - 1) == "NOT")
    return Edit(start, end, [made("=", TokenType.EQ, tokens[i])])


@respells_phrase("MULTISET", "oracle")
def multiset_union(tokens: Tokens, i: int) -> Edit | None:
    """`a MULTISET UNION DISTINCT b` makes one collection of two, as `a || b` makes one text."""
    end = i + 2 + (word(tokens, i + 2) in ("ALL", "DISTINCT"))
    if word(tokens, i + 1) not in ("UNION", "INTERSECT", "EXCEPT") or not _stands_between_operands(tokens, i, end):
        return None
    return Edit(i, end, [made("||", TokenType.DPIPE, tokens[i])])


_OPERANDS = frozenset({TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER})


def _stands_between_operands(tokens: Tokens, start: int, end: int) -> bool:
    """Whether values stand before and behind these tokens, so that they are no name of something."""
    if start < 1 or end >= len(tokens):
        return False
    before, behind = tokens[start - 1].token_type, tokens[end].token_type
    ends = before in (*_OPERANDS, TokenType.R_PAREN, TokenType.NOT)
    return ends and behind in (*_OPERANDS, TokenType.L_PAREN)


@respells_phrase("TRANSLATE", "oracle")
def other_character_set(tokens: Tokens, i: int) -> Edit | None:
    """`TRANSLATE(a USING NCHAR_CS)`: the character set is a word."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else 0
    return Edit(end - 2, end) if word(tokens, end - 2) == "USING" and end < len(tokens) else None
