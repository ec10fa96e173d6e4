"""Words for units where the grammar takes them for columns: they become texts."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.date_units import UNITS, UNITS_AND_SHORT
from headwater.sql.respell.rule import Edit, Tokens, following, made, opening, respells_phrase, word

_WITHOUT = ("ansi", "postgres", "oracle", "db2", "teradata", "sqlite", "hive", "trino", "presto", "athena", "bigquery")
"""Dialects that have no such function, or one without a unit; scripts that were written for others call it all the same."""
_UNREAD = ("flink", "druid", "dremio", "drill", "exasol")
"""Dialects that have such functions, in whose grammar the unit looks like a column."""


@respells_phrase("DATEADD DATEDIFF TIMESTAMPADD TIMESTAMPDIFF", *_WITHOUT, *_UNREAD)
@respells_phrase("DATEADD DATEDIFF", "mysql")
@respells_phrase("DATEADD TIMESTAMPADD TIMESTAMPDIFF", "duckdb")
@respells_phrase("TIMESTAMPADD TIMESTAMPDIFF", "redshift", "tsql")
@respells_phrase("TIMESTAMPDIFF TIMESTAMP_DIFF TIMESTAMP_ADD TIMESTAMP_SUB TIMESTAMPSUB DATESUB", "clickhouse")
@respells_phrase("DATE_BUCKET DATEDIFF_BIG", "tsql")
def first_argument(tokens: Tokens, i: int) -> Edit | None:
    """`DATE_BUCKET(WEEK, 2, d)` counts weeks; of `DATEDIFF(day, b)`, as Hive has it, both are dates."""
    units = UNITS_AND_SHORT if word(tokens, i) in ("DATE_BUCKET", "DATEDIFF_BIG") else UNITS
    if word(tokens, i + 1) != "(" or word(tokens, i + 2) not in units or word(tokens, i + 3) != ",":
        return None
    more = following(tokens, i + 4, lambda n: word(tokens, n) in (",", ")"))
    return _as_text(tokens, i + 2) if word(tokens, more) == "," else None


@respells_phrase("GET_FORMAT", "mysql")
def kind_of_format(tokens: Tokens, i: int) -> Edit | None:
    """`GET_FORMAT(DATE, 'USA')` is about dates."""
    kinds = ("DATE", "TIME", "DATETIME", "TIMESTAMP")
    named = word(tokens, i + 1) == "(" and word(tokens, i + 2) in kinds and word(tokens, i + 3) == ","
    return _as_text(tokens, i + 2) if named else None


@respells_phrase("YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND", "snowflake", sign="TRUNC")
def last_argument(tokens: Tokens, i: int) -> Edit | None:
    """`TRUNC(d, MONTH)` is `DATE_TRUNC(MONTH, d)`."""
    if word(tokens, i - 1) != "," or word(tokens, i + 1) != ")":
        return None
    return _as_text(tokens, i) if word(tokens, opening(tokens, i + 1) - 1) == "TRUNC" else None


def _as_text(tokens: Tokens, i: int) -> Edit:
    return Edit(i, i + 1, [made(tokens[i].text, TokenType.STRING, tokens[i])])
