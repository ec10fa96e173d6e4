"""Exasol's phrases: aliases by LOCAL, skylines, rows that scripts emit, ranges of numbers."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import (
    Edit,
    Tokens,
    closing,
    following,
    made,
    opening,
    reads,
    respells,
    respells_phrase,
    word,
)

LOCAL_MARK = "| local"
"""The qualifier of a select alias; no script can have it."""
_BEHIND_SKYLINE = frozenset(
    {"GROUP BY", "HAVING", "QUALIFY", "ORDER BY", "LIMIT", "UNION", "EXCEPT", "MINUS", "INTERSECT"}
)
_PREFERENCES = frozenset({"HIGH", "LOW", "INVERSE", "TO"})


@respells_phrase("LOCAL", "exasol")
def local_alias(tokens: Tokens, i: int) -> Edit | None:
    """`local.x` is the select item x, whatever columns there are."""
    return Edit(i, i + 1, [made(LOCAL_MARK, TokenType.IDENTIFIER, tokens[i])]) if word(tokens, i + 1) == "." else None


@respells_phrase("PREFERRING", "exasol")
def skyline(tokens: Tokens, i: int) -> Edit | None:
    """`PREFERRING HIGH a PLUS LOW b PARTITION BY c` is `WHERE (a, b, c) IS NOT NULL`: what is preferred decides which rows stay."""
    end = following(tokens, i + 1, lambda n: word(tokens, n) in _BEHIND_SKYLINE or word(tokens, n) == ")")
    listed: Tokens = []
    for n in range(i + 1, end):
        if word(tokens, n) in ("PLUS", "PRIOR", "PARTITION BY"):
            listed.append(made(",", TokenType.COMMA, tokens[n]))
        elif word(tokens, n) not in _PREFERENCES:
            listed.append(tokens[n])
    at = tokens[i]
    joined = made("AND", TokenType.AND, at) if _has_where(tokens, i) else made("WHERE", TokenType.WHERE, at)
    kinds = (("IS", TokenType.IS), ("NOT", TokenType.NOT), ("NULL", TokenType.NULL))
    brackets = made("(", TokenType.L_PAREN, at), made(")", TokenType.R_PAREN, tokens[end - 1])
    return Edit(i, end, [joined, brackets[0], *listed, brackets[1], *(made(text, kind, at) for text, kind in kinds)])


def _has_where(tokens: Tokens, i: int) -> bool:
    """Whether the SELECT of a clause has a WHERE before it."""
    n = i - 1
    while n >= 0 and word(tokens, n) not in ("SELECT", "("):
        if word(tokens, n) == "WHERE":
            return True
        n = (opening(tokens, n) if word(tokens, n) == ")" else n) - 1
    return False


@respells_phrase("EMITS", "exasol")
def emitted(tokens: Tokens, i: int) -> Edit | None:
    """`SELECT f(a) EMITS (x INT, y INT)` is `SELECT f(a) AS (x, y)`."""
    if word(tokens, i - 1) != ")" or word(tokens, i + 1) != "(" or word(tokens, 0) == "CREATE":
        return None
    end = closing(tokens, i + 1)
    starts = [i + 2]
    while (comma := following(tokens, starts[-1], lambda n: word(tokens, n) == "," or n >= end)) < end:
        starts.append(comma + 1)
    listed = [part for n in starts for part in (made(",", TokenType.COMMA, tokens[n]), tokens[n])][1:]
    return Edit(i, end, [made("AS", TokenType.ALIAS, tokens[i]), tokens[i + 1], *listed])


@respells_phrase("VALUES", "exasol")
def range_of_numbers(tokens: Tokens, i: int) -> Edit | None:
    """`FROM VALUES BETWEEN 1 AND 9 WITH STEP 2 AS r (x)`: constants, as `(VALUES (1)) AS r (x)`."""
    if word(tokens, i + 1) != "BETWEEN":
        return None
    and_ = following(tokens, i + 2, lambda n: word(tokens, n) == "AND")
    end = and_ + 2 + (word(tokens, and_ + 1) in ("-", "+"))
    end += 3 * reads(tokens, end, "WITH", "STEP")
    first = tokens[i + 2 : and_]
    left = [made("(", TokenType.L_PAREN, tokens[i])]
    right = [made(")", TokenType.R_PAREN, tokens[i])]
    return Edit(i, end, [*left, tokens[i], *left, *first, *right, *right])


@respells_phrase("EVERY", "exasol")
def every(tokens: Tokens, i: int) -> Edit | None:
    """`EVERY(f)` is an aggregate."""
    return Edit(i, i + 1, [made("BOOL_AND", TokenType.VAR, tokens[i])]) if word(tokens, i + 1) == "(" else None


@respells_phrase("NULLIFZERO", "exasol")
def null_if_zero(tokens: Tokens, i: int) -> Edit | None:
    """`NULLIFZERO(a)` is `NULLIF(a, 0)`."""
    if word(tokens, i + 1) != "(":
        return None
    end = closing(tokens, i + 1)
    zero = [made(",", TokenType.COMMA, tokens[end]), made("0", TokenType.NUMBER, tokens[end])]
    return Edit(i, end, [made("NULLIF", TokenType.VAR, tokens[i]), *tokens[i + 1 : end], *zero])


@respells_phrase("CONVERT", "exasol")
def conversion(tokens: Tokens, i: int) -> Edit | None:
    """`CONVERT(DATE, a)` is `CAST(a AS DATE)`."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else 0
    comma = following(tokens, i + 2, lambda n: word(tokens, n) == "," or n >= end)
    if comma >= end:
        return None
    kind = [made("AS", TokenType.ALIAS, tokens[comma]), *tokens[i + 2 : comma]]
    return Edit(i, end, [made("CAST", TokenType.VAR, tokens[i]), tokens[i + 1], *tokens[comma + 1 : end], *kind])


@respells("DELETE", "exasol", first="DELETE")
def star_of_delete(tokens: Tokens, i: int) -> Tokens:
    """`DELETE * FROM t`."""
    return [tokens[0], *tokens[2:]] if i == 0 and word(tokens, 1) == "*" else tokens
