"""Respellings of Vertica: its clauses for time series, patterns and the first rows of each group, and parameters of its functions."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

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

MODEL = "using_model"
"""What the model among a function's parameters is called: a function of the model's name."""
_OF_MATCH = {"EVENT_NAME": "CLASSIFIER", "MATCH_ID": "MATCH_NUMBER", "PATTERN_ID": "MATCH_SEQUENCE_NUMBER"}
"""Functions of a match, and those of MATCH_RECOGNIZE that tell the same."""


@respells_phrase("PARAMETERS", "vertica")
def parameters(tokens: Tokens, i: int) -> Edit | None:
    """`f(a USING PARAMETERS n=1, model_name='m')`: constants that tell the function how to work; a model is read like a table."""
    if word(tokens, i - 1) != "USING":
        return None
    end = following(tokens, i, lambda n: tokens[n].token_type is TokenType.R_PAREN)
    model = next((n for n in range(i + 1, end - 2) if reads(tokens, n, "MODEL_NAME", "=")), None)
    if model is None:
        return Edit(i - 1, end)
    comma = [made(",", TokenType.COMMA, tokens[i])] if word(tokens, i - 2) != "(" else []
    return Edit(i - 1, end, [*comma, *_call(MODEL, [tokens[model + 2]])])


@respells_phrase("BEST NODES AUTO ROW", "vertica", sign="PARTITION")
def partition_by_engine(tokens: Tokens, i: int) -> Edit | None:
    """`OVER (PARTITION BEST)`, `OVER (PARTITION NODES)`: the engine chooses the partitions."""
    return Edit(i - 1, i + 1) if reads(tokens, i - 2, "(", "PARTITION") else None


@respells_phrase("!", "vertica")
def silent_cast(tokens: Tokens, i: int) -> Edit | None:
    """`a::!INT` is a cast that gives null where it fails."""
    return Edit(i, i + 1) if word(tokens, i - 1) == "::" else None


@respells_phrase("MINUS", "vertica")
def minus(tokens: Tokens, i: int) -> Edit | None:
    """`SELECT … MINUS SELECT …` is EXCEPT."""
    if word(tokens, i + 1) not in ("SELECT", "(", "WITH") or word(tokens, i - 1) in ("", ",", "SELECT", ".", "AS"):
        return None
    return Edit(i, i + 1, [made("EXCEPT", TokenType.EXCEPT, tokens[i])])


@respells_phrase("INTERPOLATE", "vertica")
def event_series_join(tokens: Tokens, i: int) -> Edit | None:
    """`ON a.t INTERPOLATE PREVIOUS VALUE b.t`: the nearest time before it is as good as the same."""
    if word(tokens, i + 1) not in ("PREVIOUS", "NEXT") or word(tokens, i + 2) != "VALUE":
        return None
    return Edit(i, i + 3, [made("=", TokenType.EQ, tokens[i])])


@respells_phrase("LIMIT", "vertica", sign="OVER")
def first_of_partition(tokens: Tokens, i: int) -> Edit | None:
    """`LIMIT 2 OVER (PARTITION BY k ORDER BY d)` is `QUALIFY ROW_NUMBER() OVER (…) <= 2`."""
    if not reads(tokens, i + 2, "OVER", "("):
        return None
    at, end = tokens[i], closing(tokens, i + 3) + 1
    head = [made("QUALIFY", TokenType.QUALIFY, at), made("ROW_NUMBER", TokenType.VAR, at), *_brackets(at)]
    return Edit(i, end, [*head, *tokens[i + 2 : end], made("<=", TokenType.LTE, at), tokens[i + 1]])


def _brackets(at: Token) -> Tokens:
    return [made("(", TokenType.L_PAREN, at), made(")", TokenType.R_PAREN, at)]


@respells("TIMESERIES", "vertica", first="SELECT WITH INSERT CREATE")
def time_series(tokens: Tokens, i: int) -> Tokens:
    """`TIMESERIES st AS '1 minute' OVER (PARTITION BY k ORDER BY t)` groups by k and by slices of t, which it calls st."""
    if not reads(tokens, i + 2, "AS") or not reads(tokens, i + 4, "OVER", "("):
        return tokens
    end = closing(tokens, i + 5)
    order = following(tokens, i + 6, lambda n: word(tokens, n) in ("ORDER", "ORDER BY") or n >= end)
    if order >= end:
        return tokens
    time = tokens[order + len(_by(tokens, order)) : end]
    slices = _call("time_slice", time)
    partition = tokens[i + 6 + len(_by(tokens, i + 6)) : order]
    keys = [*partition, made(",", TokenType.COMMA, tokens[i])] if partition else []
    group = [made("GROUP BY", TokenType.GROUP_BY, tokens[i]), *keys, *slices]
    start = _select_of(tokens, i)
    return [
        *tokens[:start],
        *_with_slices(tokens, start, i, tokens[i + 1].text.upper(), slices),
        *group,
        *tokens[end + 1 :],
    ]


def _by(tokens: Tokens, i: int) -> Sequence[Token]:
    """`PARTITION BY`, `ORDER BY`: one token or two."""
    return tokens[i : i + (1 if word(tokens, i).endswith("BY") else 2)]


def _call(name: str, arguments: Sequence[Token]) -> Tokens:
    opening, closing_ = _brackets(arguments[0])
    return [made(name, TokenType.VAR, arguments[0]), opening, *arguments, closing_]


def _select_of(tokens: Tokens, i: int) -> int:
    """The SELECT whose FROM ends with the i-th token."""
    depth = 0
    while i > 0:
        i -= 1
        kind = tokens[i].token_type
        depth += (kind is TokenType.R_PAREN) - (kind is TokenType.L_PAREN)
        if depth == 0 and kind is TokenType.SELECT:
            return i
    return 0


def _with_slices(tokens: Tokens, start: int, end: int, name: str, slices: Tokens) -> Tokens:
    """The SELECT with the slices in place of their name; one that is an item by itself keeps it."""
    found: Tokens = []
    for n in range(start, end):
        token = tokens[n]
        if word(tokens, n) != name or word(tokens, n - 1) in (".", "AS"):
            found.append(token)
            continue
        found += slices
        if word(tokens, n - 1) in ("SELECT", ",") and word(tokens, n + 1) in (",", "FROM"):
            found += [made("AS", TokenType.ALIAS, token), token]
    return found


@respells("MATCH", "vertica", first="SELECT WITH INSERT CREATE", sign="PATTERN")
def match(tokens: Tokens, i: int) -> Tokens:
    """`MATCH (… DEFINE a AS x PATTERN p AS (a+) ROWS MATCH …)` is MATCH_RECOGNIZE with all rows of a match."""
    if word(tokens, i + 1) != "(":
        return tokens
    end = closing(tokens, i + 1)
    define = following(tokens, i + 2, lambda n: word(tokens, n) == "DEFINE" or n >= end)
    pattern = following(tokens, define, lambda n: word(tokens, n) == "PATTERN" or n >= end)
    if pattern >= end or not reads(tokens, pattern + 2, "AS", "("):
        return tokens
    at = tokens[i]
    inside = [
        *tokens[i + 2 : define],
        *_measures(at),
        *_words("ALL ROWS PER MATCH", at),
        *[made("PATTERN", TokenType.VAR, at), *tokens[pattern + 3 : closing(tokens, pattern + 3) + 1]],
        *tokens[define:pattern],
    ]
    head = [made("MATCH_RECOGNIZE", TokenType.MATCH_RECOGNIZE, at), tokens[i + 1]]
    start = _select_of(tokens, i)
    return [*tokens[:start], *_as_columns(tokens[start:i]), *head, *inside, *tokens[end:]]


def _words(text: str, at: Token) -> Tokens:
    return [made(each, TokenType.ROWS if each == "ROWS" else TokenType.VAR, at) for each in text.split()]


def _measures(at: Token) -> Tokens:
    """`MEASURES CLASSIFIER() AS event_name, …`."""
    found = [made("MEASURES", TokenType.VAR, at)]
    for n, (name, function) in enumerate(_OF_MATCH.items()):
        comma = [made(",", TokenType.COMMA, at)] if n else []
        name_tokens = [made("AS", TokenType.ALIAS, at), made(name.lower(), TokenType.VAR, at)]
        found += [*comma, made(function, TokenType.VAR, at), *_brackets(at), *name_tokens]
    return found


def _as_columns(tokens: Tokens) -> Tokens:
    """Calls of a match's functions as the measures that they are."""
    found: Tokens = []
    n = 0
    while n < len(tokens):
        found.append(tokens[n])
        n += 3 if word(tokens, n) in _OF_MATCH and reads(tokens, n + 1, "(", ")") else 1
    return found


@respells("PROJECTION", "vertica", first="ALTER DROP")
def altered_projection(tokens: Tokens, i: int) -> Tokens:
    """`ALTER PROJECTION p RENAME TO q`, `DROP PROJECTION p`: as for tables."""
    return [tokens[0], made("TABLE", TokenType.TABLE, tokens[1]), *tokens[2:]] if i == 1 else tokens


@respells("SET", "vertica", first="CREATE ALTER", sign="USING")
@respells("DEFAULT", "vertica", first="CREATE ALTER", sign="USING")
def looked_up(tokens: Tokens, i: int) -> Tokens:
    """`c int SET USING (SELECT …)` is a default that is computed again with each refresh."""
    if word(tokens, i + 1) != "USING":
        return tokens
    kept = tokens[: i + 1] if word(tokens, i) == "SET" and word(tokens, i - 2) == "COLUMN" else tokens[:i]
    return [*kept, made("DEFAULT", TokenType.DEFAULT, tokens[i]), *tokens[i + 2 :]]


@respells("INTO", "vertica", first="SELECT WITH", sign="TEMP")
def into_temporary(tokens: Tokens, i: int) -> Tokens:
    """`SELECT … INTO LOCAL TEMP TABLE x ON COMMIT PRESERVE ROWS FROM …`."""
    start = i + 1 + (word(tokens, i + 1) in ("LOCAL", "GLOBAL"))
    if word(tokens, start) not in ("TEMP", "TEMPORARY"):
        return tokens
    end = following(tokens, start, lambda n: reads(tokens, n, "ON", "COMMIT") or word(tokens, n) == "FROM")
    rest = tokens[end + 4 :] if word(tokens, end) == "ON" else tokens[end:]
    return [*tokens[: i + 1], *tokens[start:end], *rest]
