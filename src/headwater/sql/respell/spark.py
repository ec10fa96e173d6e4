"""Phrases of Spark that the grammar does not read."""

from __future__ import annotations

from sqlglot import tokenize
from sqlglot.tokenizer_core import Token, TokenType

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

_SPARK = ("spark", "databricks")
_NAMES = (TokenType.VAR, TokenType.IDENTIFIER)
_OPERANDS = (*_NAMES, TokenType.L_PAREN)
_UNITS = frozenset(
    {"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND"}
)
_PIECE = "`| piece`"
"""The name of the bins that a row is cut into; no script can have it."""


@respells_phrase("MAX", *_SPARK, sign="RECURSION")
def recursion_limit(tokens: Tokens, i: int) -> Edit | None:
    """`WITH RECURSIVE r MAX RECURSION LEVEL 9 AS (…)`: when to give up."""
    if i + 1 >= len(tokens) or tokens[i + 1].token_type is TokenType.L_PAREN:
        return None
    return Edit(i, i + 4) if reads(tokens, i + 1, "RECURSION", "LEVEL") else None


@respells_phrase("WATERMARK", *_SPARK, sign="DELAY OF")
def watermark(tokens: Tokens, i: int) -> Edit | None:
    """`FROM STREAM(t) WATERMARK ts DELAY OF INTERVAL 10 MINUTES AS x`: for how long late rows are waited for."""
    delay = following(tokens, i + 1, lambda n: reads(tokens, n, "DELAY", "OF"))
    if delay >= len(tokens) or i == 0:
        return None
    end = delay + 2
    if word(tokens, end) == "INTERVAL":
        first = end + 1
        end = first
        while (after := _after_unit(tokens, end)) > end:
            end = after
        end = end if end > first else first + 1
    else:
        end += 1
    return Edit(i, end)


@respells_phrase("STREAM", "spark")
def streamed_table(tokens: Tokens, i: int) -> Edit | None:
    """`FROM STREAM t`, `FROM STREAM(t)`: t, read as it grows. Databricks' grammar reads it."""
    if word(tokens, i - 1) not in ("FROM", "JOIN") or i + 1 >= len(tokens):
        return None
    if reads(tokens, i + 1, "VERSION", "AS", "OF") or reads(tokens, i + 1, "BIN", "BY"):
        return None
    if tokens[i + 1].token_type in _NAMES:
        return Edit(i, i + 1)
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else 0
    name = tokens[i + 2 : end]
    is_name = bool(name) and all(each.token_type in (*_NAMES, TokenType.DOT) for each in name)
    return Edit(i, end + 1, name) if is_name else None


@respells_phrase("STREAM", "databricks")
def table_called_stream(tokens: Tokens, i: int) -> Edit | None:
    """`INSERT INTO stream SELECT …`: here it is the name of a table."""
    if word(tokens, i - 1) not in ("INTO", "TABLE", "UPDATE"):
        return None
    return Edit(i, i + 1, [made(tokens[i].text, TokenType.VAR, tokens[i])])


@respells_phrase("APPROX EXACT", *_SPARK, sign="NEAREST")
def nearest_join(tokens: Tokens, i: int) -> Edit | None:
    """`a JOIN b EXACT NEAREST 2 BY DISTANCE e` chooses pairs of rows by e, as `ON e` does."""
    by = i + 2 if word(tokens, i + 2) == "BY" else i + 3
    if word(tokens, i + 1) != "NEAREST" or not reads(tokens, by, "BY"):
        return None
    return Edit(i, by + 2, [made("ON", TokenType.ON, tokens[i])]) if _is_measure(tokens, by + 1) else None


def _is_measure(tokens: Tokens, i: int) -> bool:
    return word(tokens, i) in ("DISTANCE", "SIMILARITY")


@respells_phrase(">", *_SPARK, sign=">>>")
def unsigned_shift(tokens: Tokens, i: int) -> Edit | None:
    """`a >>> 2` shifts bits, as `a >> 2` does."""
    if i + 1 >= len(tokens) or tokens[i + 1].token_type is not TokenType.GT:
        return None
    if not reads(tokens, i, ">", ">", ">") or tokens[i].start + 2 != tokens[i + 2].start or i + 3 >= len(tokens):
        return None
    operand = tokens[i + 3].token_type
    in_type = any(token.token_type is TokenType.LT for token in tokens[:i])
    return Edit(i, i + 1) if operand is TokenType.NUMBER or (operand in _OPERANDS and not in_type) else None


@respells_phrase("INTERVAL", *_SPARK)
def interval_of_units(tokens: Tokens, i: int) -> Edit | None:
    """`INTERVAL -1 DAY 2 HOURS`: all of it is a constant, so the first unit stands for the others, which may have signs."""
    ends = [i + 1]
    while (end := _after_unit(tokens, ends[-1])) > ends[-1]:
        ends.append(end)
    return Edit(ends[1], ends[-1]) if len(ends) > 2 else None


def _after_unit(tokens: Tokens, i: int) -> int:
    """The token behind a number and its unit; the same one if there are none."""
    number = i + (word(tokens, i) in ("+", "-"))
    is_number = number < len(tokens) and tokens[number].token_type in (TokenType.NUMBER, TokenType.STRING)
    return number + 2 if is_number and word(tokens, number + 1).removesuffix("S") in _UNITS else i


@respells_phrase("SINGLE", *_SPARK)
def single_partition(tokens: Tokens, i: int) -> Edit | None:
    """`f(TABLE(t) WITH SINGLE PARTITION)`: how the rows reach the function."""
    return Edit(i - 1, i + 2) if reads(tokens, i - 1, "WITH", "SINGLE", "PARTITION") else None


@respells("PARTITION BY", *_SPARK, sign="TABLE")
@respells("DISTRIBUTE BY", *_SPARK, sign="TABLE")
def partitioned_argument(tokens: Tokens, i: int) -> Tokens:
    """`f(TABLE(t) PARTITION BY k ORDER BY o)`: all columns of t are arguments anyway."""
    before = opening(tokens, i - 1) - 1 if word(tokens, i - 1) == ")" else 0
    if before < 1 or word(tokens, before) != "TABLE":
        return tokens
    end = following(tokens, i + 1, lambda n: tokens[n].token_type in (TokenType.COMMA, TokenType.R_PAREN))
    return tokens[:i] + tokens[end:]


@respells_phrase("TABLESAMPLE", *_SPARK, sign="TABLE")
def sampled_query(tokens: Tokens, i: int) -> Edit | None:
    """`(SELECT …) TABLESAMPLE (5 ROWS) AS q`: the grammar wants the alias of a subquery before the sample."""
    if word(tokens, i - 1) != ")" or word(tokens, i + 1) != "(":
        return None
    end = alias = closing(tokens, i + 1) + 1
    if reads(tokens, end, "REPEATABLE", "("):
        alias = closing(tokens, end + 1) + 1
    name = alias + (word(tokens, alias) == "AS")
    if name >= len(tokens) or tokens[name].token_type not in _NAMES:
        return None
    return Edit(i, name + 1, [*tokens[alias : name + 1], *tokens[i:end]])


@respells_phrase("REPEATABLE", *_SPARK, sign="TABLE")
def repeatable_sample(tokens: Tokens, i: int) -> Edit | None:
    """`TABLESAMPLE (10 PERCENT) REPEATABLE (7)`: the seed of chance."""
    if word(tokens, i - 1) != ")" or word(tokens, i + 1) != "(":
        return None
    return Edit(i, closing(tokens, i + 1) + 1)


@respells("BIN", *_SPARK)
def bins(tokens: Tokens, i: int) -> Tokens:
    """`t BIN BY (RANGE a TO b BIN WIDTH w DISTRIBUTE UNIFORM (v))`: rows are cut at the borders of bins, v is shared out.

    It is a query over t: the range decides over the pieces of a row, over the share of v, and over the columns about the bin.
    """
    if not reads(tokens, i + 1, "BY", "(", "RANGE"):
        return tokens
    end, at = closing(tokens, i + 2), tokens[i]
    start = _relation(tokens, i)
    to = following(tokens, i + 4, lambda n: word(tokens, n) == "TO")
    width = following(tokens, to, lambda n: word(tokens, n) == "BIN")
    shared = following(tokens, width, lambda n: word(tokens, n) == "UNIFORM") + 1
    if start == 0 or shared >= end:
        return tokens
    limits = [*tokens[i + 4 : to], *_spelled(",", at), *tokens[to + 1 : width]]
    query = [
        *_spelled(f"( SELECT * EXCEPT ({_PIECE}) REPLACE (", at),
        *_shares(tokens[shared + 1 : closing(tokens, shared)], at),
        *_spelled(f"), {_about_bin(tokens[closing(tokens, shared) + 1 : end])} FROM", at),
        *tokens[start:i],
        *_spelled("LATERAL VIEW explode(array(", at),
        *limits,
        *_spelled(f")) `| bins` AS {_PIECE} )", at),
    ]
    return [*tokens[:start], *query, *tokens[end + 1 :]]


def _relation(tokens: Tokens, i: int) -> int:
    """Where the FROM item before a token begins; 0 if there is none."""
    n = i - 1
    while n >= 0 and word(tokens, n) not in ("FROM", "JOIN", "("):
        n = opening(tokens, n) - 1 if tokens[n].token_type is TokenType.R_PAREN else n - 1
    return n + 1


def _shares(names: Tokens, at: Token) -> Tokens:
    """`v * piece AS v`, for each name."""
    made_of: Tokens = []
    for name in names:
        comma = name.token_type is TokenType.COMMA
        made_of += [name] if comma else [name, *_spelled(f"* {_PIECE} AS", at), name]
    return made_of


def _about_bin(aliases: Tokens) -> str:
    """The three columns about the bin, under the names that the clause gives them."""
    columns = []
    for name in ("BIN_START", "BIN_END", "BIN_DISTRIBUTE_RATIO"):
        given = (aliases[n + 2].text for n in range(len(aliases) - 2) if word(aliases, n) == name)
        columns.append(f"{_PIECE} AS `{next(given, name.lower())}`")
    return ", ".join(columns)


@respells_phrase("PIVOT", *_SPARK)
def pivoted_expressions(tokens: Tokens, i: int) -> Edit | None:
    """`PIVOT (avg(a) + 1 AS x FOR …)`: the grammar takes calls alone, so any other expression becomes the argument of one."""
    if word(tokens, i + 1) != "(":
        return None
    stop = following(tokens, i + 2, lambda n: word(tokens, n) == "FOR")
    parts = _between_commas(tokens, i + 2, stop)
    if stop >= len(tokens) or all(_is_call(tokens, *part) for part in parts):
        return None
    spelled: Tokens = []
    for first, last in parts:
        comma = _spelled(",", tokens[first]) if spelled else []
        spelled += [*comma, *_as_call(tokens, first, last)]
    return Edit(i + 2, stop, spelled)


def _between_commas(tokens: Tokens, start: int, stop: int) -> list[tuple[int, int]]:
    parts = []
    while start < stop:
        comma = following(tokens, start, lambda n: n >= stop or tokens[n].token_type is TokenType.COMMA)
        parts.append((start, min(comma, stop)))
        start = comma + 1
    return parts


def _is_call(tokens: Tokens, start: int, stop: int) -> bool:
    """Whether a part is `f(…)` with or without an alias."""
    behind = closing(tokens, start + 1) + 1 if word(tokens, start + 1) == "(" else start
    return behind > start and behind <= stop and stop - behind <= 2 and not _is_operator(tokens, behind, stop)


def _is_operator(tokens: Tokens, i: int, stop: int) -> bool:
    return i < stop and word(tokens, i) != "AS" and tokens[i].token_type not in _NAMES


def _as_call(tokens: Tokens, start: int, stop: int) -> Tokens:
    """An expression as the argument of a call, its alias behind it."""
    if _is_call(tokens, start, stop):
        return tokens[start:stop]
    alias = following(tokens, start, lambda n: n >= stop or word(tokens, n) == "AS")
    at = tokens[start]
    return [*_spelled("`pivoted`(", at), *tokens[start : min(alias, stop)], *_spelled(")", at), *tokens[alias:stop]]


def _spelled(text: str, at: Token) -> Tokens:
    """The tokens of a made-up text, at the place of another token."""
    return [made(each.text, each.token_type, at) for each in tokenize(text, read="spark")]


@respells("OPTIONS", *_SPARK, first="CREATE")
def path_in_options(tokens: Tokens, i: int) -> Tokens:
    """`CREATE TABLE t USING csv OPTIONS (path '/x')` is `… LOCATION '/x'`; so is a temporary view over files."""
    using = next((n for n in range(i) if word(tokens, n) == "USING"), -1)
    if using < 0 or word(tokens, i + 1) != "(":
        return tokens
    end = closing(tokens, i + 1)
    while word(tokens, using + 2) == ".":  # of a class's name the last part is enough
        tokens, i, end = tokens[: using + 1] + tokens[using + 3 :], i - 2, end - 2
    before = [made("TABLE", TokenType.TABLE, t) if word([t], 0) == "VIEW" else t for t in tokens[:using]]
    path = next((n for n in range(i + 2, end) if tokens[n].text.lower() == "path"), end)
    value = path + 1 + (word(tokens, path + 1) == "=")
    if value >= end or tokens[value].token_type is not TokenType.STRING:
        return before + tokens[using:]
    located = [made("LOCATION", TokenType.VAR, tokens[path]), tokens[value]]
    return [*before, *tokens[using : end + 1], *located, *tokens[end + 1 :]]


@respells_phrase("VIEW", *_SPARK, sign="LATERAL")
def columns_of_lateral_view(tokens: Tokens, i: int) -> Edit | None:
    """`LATERAL VIEW explode(xs) v x`: AS may be left out before the columns."""
    if word(tokens, i - 1) != "LATERAL":
        return None
    opened = following(tokens, i, lambda n: word(tokens, n) == "(")
    alias = closing(tokens, opened) + 1 if opened < len(tokens) else opened
    if not all(n < len(tokens) and tokens[n].token_type in _NAMES for n in (alias, alias + 1)):
        return None
    return Edit(alias + 1, alias + 1, [made("AS", TokenType.ALIAS, tokens[alias])])
