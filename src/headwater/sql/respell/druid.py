"""Druid's phrases: how ingested rows are stored, which rows they replace, and the columns of external data."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, following, made, respells, respells_phrase, word

_NAMES = (TokenType.VAR, TokenType.IDENTIFIER)


@respells("PARTITIONED BY", "druid", first="INSERT REPLACE")
@respells("CLUSTERED", "druid", first="INSERT REPLACE")
def segments(tokens: Tokens, i: int) -> Tokens:
    """`INSERT INTO t SELECT … PARTITIONED BY DAY CLUSTERED BY a`: how the rows are stored."""
    is_clause = word(tokens, i) == "PARTITIONED BY" or word(tokens, i + 1) == "BY"
    return tokens[:i] if is_clause and following(tokens, 0, i.__eq__) == i else tokens


@respells("OVERWRITE", "druid", first="REPLACE")
def overwritten(tokens: Tokens, i: int) -> Tokens:
    """`REPLACE INTO t OVERWRITE WHERE c SELECT …` is `INSERT INTO t REPLACE WHERE c SELECT …`; with ALL, no condition decides."""
    if word(tokens, 1) != "INTO" or word(tokens, i + 1) not in ("ALL", "WHERE"):
        return tokens
    insert = made("INSERT", TokenType.INSERT, tokens[0])
    if word(tokens, i + 1) == "ALL":
        return [insert, *tokens[1:i], *tokens[i + 2 :]]
    return [insert, *tokens[1:i], made("REPLACE", TokenType.REPLACE, tokens[i]), *tokens[i + 1 :]]


@respells_phrase("EXTEND", "druid")
def extended(tokens: Tokens, i: int) -> Edit | None:
    """`TABLE(EXTERN(…)) EXTEND (a VARCHAR, b BIGINT) AS x` is `TABLE(EXTERN(…)) AS x (a, b)`."""
    if word(tokens, i - 1) != ")" or word(tokens, i + 1) != "(":
        return None
    end = closing(tokens, i + 1)
    names = [tokens[n] for n in range(i + 2, end) if tokens[n - 1].token_type in (TokenType.L_PAREN, TokenType.COMMA)]
    listed = [part for name in names for part in (made(",", TokenType.COMMA, name), name)][1:]
    start = end + 1 + (word(tokens, end + 1) == "AS")
    is_alias = start < len(tokens) and tokens[start].token_type in _NAMES
    alias = tokens[start] if is_alias else made("extended", TokenType.VAR, tokens[i])
    brackets = made("(", TokenType.L_PAREN, tokens[i]), made(")", TokenType.R_PAREN, tokens[end])
    found = [made("AS", TokenType.ALIAS, tokens[i]), alias, brackets[0], *listed, brackets[1]]
    return Edit(i, start + 1 if is_alias else end + 1, found)
