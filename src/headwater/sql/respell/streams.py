"""Respellings of streaming databases: Materialize and RisingWave."""

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

_STREAMS = ("materialize", "risingwave")


@respells("SOURCE", *_STREAMS, first="ALTER DROP")
@respells("SINK", *_STREAMS, first="ALTER DROP")
def altered_stream(tokens: Tokens, i: int) -> Tokens:
    """`ALTER SOURCE s RENAME TO r`, `DROP SINK s`: as for tables; `ALTER SINK s SET FROM v` and `ADD SUBSOURCE` are not."""
    if i != 1 or any(word(tokens, n) in ("SUBSOURCE", "FROM") for n in range(2, len(tokens))):
        return tokens
    return [tokens[0], made("TABLE", TokenType.TABLE, tokens[1]), *tokens[2:]]


@respells_phrase("OPTIONS", "materialize")
def group_sizes(tokens: Tokens, i: int) -> Edit | None:
    """`OPTIONS (AGGREGATE INPUT GROUP SIZE = 1000)`: how much memory a query gets."""
    return Edit(i, closing(tokens, i + 1) + 1) if word(tokens, i + 1) == "(" else None


@respells("MUTUALLY", "materialize")
def mutual_recursion(tokens: Tokens, i: int) -> Tokens:
    """`WITH MUTUALLY RECURSIVE (…) c (a int, b text) AS (…)`: a recursive WITH whose columns are declared with types."""
    if not reads(tokens, i - 1, "WITH", "MUTUALLY", "RECURSIVE"):
        return tokens
    n = i + 2
    if word(tokens, n) == "(":
        n = closing(tokens, n) + 1
    found = [*tokens[:i], tokens[i + 1]]
    while n + 1 < len(tokens) and word(tokens, n + 1) == "(":
        end = closing(tokens, n + 1)
        found += [tokens[n], tokens[n + 1], *_names(tokens, n + 2, end), tokens[end]]
        body = following(tokens, end + 1, lambda k: word(tokens, k) == "(")
        n = closing(tokens, body) + 1 if body < len(tokens) else body
        found += tokens[end + 1 : n]
        if word(tokens, n) != ",":
            break
        found.append(tokens[n])
        n += 1
    return found + tokens[n:]


def _names(tokens: Tokens, start: int, end: int) -> Tokens:
    """The names of a list of names and types."""
    found: Tokens = []
    while start < end:
        comma = following(tokens, start, lambda n: n >= end or tokens[n].token_type is TokenType.COMMA)
        found += [tokens[start], *tokens[comma : min(comma + 1, end)]]
        start = comma + 1
    return found


@respells_phrase("EMIT", "risingwave")
def emitted(tokens: Tokens, i: int) -> Edit | None:
    """`EMIT ON WINDOW CLOSE`: when rows come out, not which."""
    return Edit(i, i + 4) if reads(tokens, i + 1, "ON", "WINDOW", "CLOSE") else None


@respells_phrase("PROCTIME", "risingwave")
def current_state(tokens: Tokens, i: int) -> Edit | None:
    """`JOIN t FOR SYSTEM_TIME AS OF PROCTIME()`: t as it is when a row of the other side arrives."""
    start = i - 3 - (word(tokens, i - 4) == "FOR")
    return Edit(start, i + 3) if reads(tokens, i - 3, "SYSTEM_TIME", "AS", "OF") else None


@respells_phrase("SESSION", "risingwave")
def session_frame(tokens: Tokens, i: int) -> Edit | None:
    """`OVER (… ORDER BY t SESSION WITH GAP INTERVAL '1 hour')`: the order tells which rows are near."""
    if not reads(tokens, i + 1, "WITH", "GAP"):
        return None
    return Edit(i, following(tokens, i, lambda n: tokens[n].token_type is TokenType.R_PAREN))


@respells_phrase("CHANGELOG", "risingwave")
def change_log(tokens: Tokens, i: int) -> Edit | None:
    """`WITH c AS changelog FROM t`: the rows of t as they change, with the operation beside their columns."""
    if not reads(tokens, i - 1, "AS", "CHANGELOG", "FROM") or i + 2 >= len(tokens):
        return None
    end = i + 3
    while word(tokens, end) == ".":
        end += 2
    at = tokens[i]
    extra = [made(",", TokenType.COMMA, at), made("0", TokenType.NUMBER, at), made("AS", TokenType.ALIAS, at)]
    chosen = [
        *[made("(", TokenType.L_PAREN, at), made("SELECT", TokenType.SELECT, at), made("*", TokenType.STAR, at)],
        *[*extra, made("changelog_op", TokenType.VAR, at), *extra, made("_changelog_row_id", TokenType.VAR, at)],
    ]
    return Edit(i, end, [*chosen, *tokens[i + 1 : end], made(")", TokenType.R_PAREN, at)])


@respells_phrase("AGGREGATE", "risingwave")
def aggregate_of_scalar(tokens: Tokens, i: int) -> Edit | None:
    """`AGGREGATE:array_sum(v)`: a function of arrays over the values of all rows."""
    return Edit(i, i + 3, [made("array_agg", TokenType.VAR, tokens[i])]) if word(tokens, i + 1) == ":" else None


@respells_phrase("|", "risingwave")
def lambda_of_array(tokens: Tokens, i: int) -> Edit | None:
    """`array_transform(a, |x| x + n)`: x is an element of a, so a stands for it."""
    if word(tokens, i + 2) != "|" or word(tokens, i - 1) != ",":
        return None
    start = opening(tokens, following(tokens, i, lambda n: tokens[n].token_type is TokenType.R_PAREN)) + 1
    end = following(tokens, i, lambda n: tokens[n].token_type is TokenType.R_PAREN)
    array = tokens[start : following(tokens, start, lambda n: tokens[n].token_type is TokenType.COMMA)]
    name = tokens[i + 1].text.upper()
    body = [
        each
        for n in range(i + 3, end)
        for each in (array if word(tokens, n) == name and word(tokens, n - 1) != "." else [tokens[n]])
    ]
    return Edit(i, end, body)


@respells_phrase("SCATTER", "greenplum")
def scattered(tokens: Tokens, i: int) -> Edit | None:
    """`f(TABLE(SELECT … SCATTER BY a))`: which segment gets which row."""
    if word(tokens, i + 1) not in ("BY", "RANDOMLY"):
        return None
    return Edit(i, following(tokens, i, lambda n: tokens[n].token_type is TokenType.R_PAREN))
