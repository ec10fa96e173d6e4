"""Respellings of Transact-SQL."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Tokens, closing, made, respells, word

_OPERATORS = frozenset({"+", "-", "*", "/", "%", "&", "|", "^"})
_CHANGES = frozenset({"DELETE", "UPDATE", "INSERT", "MERGE"})


@respells("=", "tsql", first="UPDATE MERGE WITH SELECT SET")
def compound_assignment(tokens: Tokens, i: int) -> Tokens:
    """`SET a += b` is `SET a = a + b`; `@v += b` is `@v = @v + b`."""
    operator = tokens[i - 1] if i > 2 else None
    if operator is None or operator.text not in _OPERATORS or operator.end + 1 != tokens[i].start:
        return tokens
    first = i - 2
    if tokens[first - 1].token_type is TokenType.PARAMETER:
        return [*tokens[: i - 1], tokens[i], *tokens[first - 1 : i], *tokens[i + 1 :]]
    while first > 1 and tokens[first - 1].token_type is TokenType.DOT:
        first -= 2
    if word(tokens, first - 1) not in ("SET", ",", "="):
        return tokens
    name = tokens[first : i - 1]
    if len(name) == 1:
        name = [*_target(tokens, first), *name]
    return [*tokens[: i - 1], tokens[i], *name, operator, *tokens[i + 1 :]]


@respells("TOP", "tsql", first="DELETE UPDATE INSERT MERGE")
def changed_rows(tokens: Tokens, i: int) -> Tokens:
    """`DELETE TOP (10) FROM t`: how many rows are changed, not which."""
    if word(tokens, i - 1) not in _CHANGES or word(tokens, i + 1) != "(":
        return tokens
    end = closing(tokens, i + 1) + 1
    return [*tokens[:i], *tokens[end + (word(tokens, end) == "PERCENT") :]]


def _target(tokens: Tokens, i: int) -> Tokens:
    """The name of the table that the UPDATE around the i-th token changes, and a dot: its column is meant, nobody else's."""
    while i and word(tokens, i) != "SET":
        i -= 1
    before = tokens[i - 1]
    if i < 2 or word(tokens, i - 1) == "UPDATE" or before.token_type is TokenType.R_PAREN:
        return []
    return [before, made(".", TokenType.DOT, before)]
