"""What PIVOT may hold and the grammar does not read: an expression behind BigQuery's FOR, and Oracle's PIVOT XML."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.form import PIVOT_XML
from headwater.sql.respell.rule import Edit, Tokens, closing, following, made, respells, respells_phrase, word

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER, TokenType.DOT})


@respells_phrase("FOR", "bigquery", sign="PIVOT")
def pivoted_by_expression(tokens: Tokens, i: int) -> Edit | None:
    """`PIVOT (sum(a) FOR b + 1 IN (1, 2))`: the grammar takes a name, a call or brackets."""
    in_ = following(tokens, i + 1, lambda n: word(tokens, n) in ("IN", ")"))
    if word(tokens, in_) != "IN" or not _is_pivot(tokens, i):
        return None
    first = following(tokens, i + 1, lambda n: tokens[n].token_type not in _NAMES)
    behind = closing(tokens, first) + 1 if word(tokens, first) == "(" else first
    if behind >= in_:
        return None
    brackets = made("(", TokenType.L_PAREN, tokens[i + 1]), made(")", TokenType.R_PAREN, tokens[in_ - 1])
    return Edit(i + 1, in_, [brackets[0], *tokens[i + 1 : in_], brackets[1]])


def _is_pivot(tokens: Tokens, i: int) -> bool:
    """Whether the bracket around a token is that of a PIVOT."""
    depth = 0
    while i > 0 and depth >= 0:
        i -= 1
        depth += (tokens[i].token_type is TokenType.R_PAREN) - (tokens[i].token_type is TokenType.L_PAREN)
    return word(tokens, i - 1) == "PIVOT"


@respells("XML", "oracle", sign="PIVOT")
def pivot_as_xml(tokens: Tokens, i: int) -> Tokens:
    """`PIVOT XML (sum(a) FOR (b, c) IN (ANY, ANY))`: the resolver knows it by an aggregate of that name."""
    for_ = following(tokens, i + 2, lambda n: word(tokens, n) in ("FOR", ")"))
    in_ = following(tokens, for_, lambda n: word(tokens, n) in ("IN", ")"))
    if word(tokens, i - 1) != "PIVOT" or word(tokens, i + 1) != "(" or word(tokens, in_ + 1) != "(":
        return tokens
    at, end = tokens[for_], closing(tokens, in_ + 1)
    brackets = made("(", TokenType.L_PAREN, at), made(")", TokenType.R_PAREN, at)
    marked = [made(",", TokenType.COMMA, at), made(PIVOT_XML, TokenType.VAR, at), *brackets]
    values = tokens[in_ + 2 : in_ + 3] if word(tokens, in_ + 2) == "ANY" else tokens[in_ + 2 : end]
    return [*tokens[:i], *tokens[i + 1 : for_], *marked, *tokens[for_ : in_ + 2], *values, *tokens[end:]]
