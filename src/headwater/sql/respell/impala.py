"""Phrases of Impala that Hive does not have."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, made, reads, respells_phrase, word


@respells_phrase("IREGEXP", "impala")
def regexp_of_any_case(tokens: Tokens, i: int) -> Edit | None:
    """`a IREGEXP 'x'` compares as REGEXP does."""
    return Edit(i, i + 1, [made("RLIKE", TokenType.RLIKE, tokens[i])]) if i + 1 < len(tokens) else None


@respells_phrase("SYSTEM_VERSION", "impala")
def as_of_version(tokens: Tokens, i: int) -> Edit | None:
    """`FOR SYSTEM_VERSION AS OF 3` is FOR VERSION AS OF."""
    if not reads(tokens, i - 1, "FOR", "SYSTEM_VERSION", "AS", "OF"):
        return None
    return Edit(i, i + 1, [made("VERSION", TokenType.VAR, tokens[i])])


@respells_phrase("EXTRACT", "impala")
def extracted_part(tokens: Tokens, i: int) -> Edit | None:
    """`EXTRACT(ts, 'year')` is `DATE_PART('year', ts)`."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else 0
    if end < i + 5 or tokens[end - 1].token_type is not TokenType.STRING or word(tokens, end - 2) != ",":
        return None
    name = made("DATE_PART", TokenType.VAR, tokens[i])
    return Edit(i, end, [name, tokens[i + 1], tokens[end - 1], tokens[end - 2], *tokens[i + 2 : end - 2]])
