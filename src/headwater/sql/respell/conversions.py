"""Conversions with a format or a default that the grammar does not read: these are arguments of a call.

```sql
CAST(a AS STRING FORMAT f AT TIME ZONE z)                 -- BigQuery
CAST(a AS DATE DEFAULT b ON CONVERSION ERROR, f)          -- Oracle; CAST(a AS DATE, f)
TO_NUMBER(a DEFAULT b ON CONVERSION ERROR, f)             -- Oracle
```
"""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import (
    Edit,
    Tokens,
    closing,
    following,
    made,
    reads,
    respells,
    respells_phrase,
    word,
)

_TYPES = frozenset({"STRING", "BYTES", "NUMERIC", "BIGNUMERIC", "DECIMAL", "BIGDECIMAL"})
"""BigQuery's types with parameters."""


@respells("CAST", "bigquery", sign="FORMAT")
@respells("SAFE_CAST", "bigquery", sign="FORMAT")
def cast_by_format(tokens: Tokens, i: int) -> Tokens:
    """`CAST(a AS STRING FORMAT f)` is a call of the cast value and the format; the grammar reads formats that are literals."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else i
    format_ = following(tokens, i + 2, lambda n: n >= end or word(tokens, n) == "FORMAT")
    zone = following(tokens, format_, lambda n: n >= end or reads(tokens, n, "AT", "TIME", "ZONE"))
    if format_ >= end or tokens[format_ + 1].token_type is TokenType.STRING or word(tokens, format_ - 1) == "AS":
        return tokens
    given = [tokens[format_ + 1 : min(zone, end)], *([tokens[zone + 3 : end]] if zone < end else [])]
    return [*tokens[:i], *_called(tokens[i:format_], given), *tokens[end + 1 :]]


@respells("CAST", "oracle")
def cast_with_default(tokens: Tokens, i: int) -> Tokens:
    """`CAST(a AS DATE DEFAULT b ON CONVERSION ERROR, f)` is a call of the cast value, the default and the format."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else i
    stop = following(tokens, i + 2, lambda n: n >= end or word(tokens, n) in ("DEFAULT", ","))
    on = following(tokens, stop, lambda n: n >= end or reads(tokens, n, "ON", "CONVERSION", "ERROR"))
    if stop >= end:
        return tokens
    given = [tokens[stop + 1 : min(on, end)]]
    given += [tokens[on + 4 : end]] if on < end and word(tokens, on + 3) == "," else []
    return [*tokens[:i], *_called(tokens[i:stop], given), *tokens[end + 1 :]]


def _called(cast: Tokens, given: list[Tokens]) -> Tokens:
    """`FORMAT(CAST(a AS STRING), f)`, given the tokens of the cast without its closing bracket."""
    at = cast[0]
    opened, closed, comma = (
        made("(", TokenType.L_PAREN, at),
        made(")", TokenType.R_PAREN, at),
        made(",", TokenType.COMMA, at),
    )
    arguments = [token for each in given for token in (comma, *each)]
    return [made("FORMAT", TokenType.VAR, at), opened, *cast, closed, *arguments, closed]


@respells_phrase("DEFAULT", "oracle", sign="CONVERSION")
def default_argument(tokens: Tokens, i: int) -> Edit | None:
    """`TO_NUMBER(a DEFAULT b ON CONVERSION ERROR, f)` is `TO_NUMBER(a, b, f)`; that of a CAST is not an argument."""
    on = following(tokens, i + 1, lambda n: word(tokens, n) in ("ON", ")"))
    start = i
    while start > 0 and word(tokens, start - 1) not in ("(", "AS"):
        start -= 1
    if not reads(tokens, on, "ON", "CONVERSION", "ERROR") or word(tokens, start - 1) == "AS":
        return None
    return Edit(i, on + 3, [made(",", TokenType.COMMA, tokens[i]), *tokens[i + 1 : on]])


@respells_phrase(" ".join(sorted(_TYPES)), "bigquery", sign="ARRAY<")
@respells_phrase(" ".join(sorted(_TYPES)), "bigquery", sign="STRUCT<")
def element_type(tokens: Tokens, i: int) -> Edit | None:
    """`ARRAY<STRING(5)>[a]`: the grammar takes no lengths of elements and fields."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else 0
    if not end or word(tokens, end + 1) not in (">", ",", ">>"):
        return None
    before = i
    while before > 0 and word(tokens, before - 1) not in ("<", "(", "["):
        before -= 1
    is_element = word(tokens, before - 1) == "<" and word(tokens, before - 2) in ("ARRAY", "STRUCT")
    return Edit(i + 1, end + 1) if is_element else None
