"""Phrases of Hive and of those that read its dialect."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Edit, Tokens, opening, respells_phrase, word

_HINTS = frozenset(
    {"SHUFFLE", "NOSHUFFLE", "BROADCAST", "STRAIGHT_JOIN", "CLUSTERED", "NOCLUSTERED", "BUCKET", "COLOCATE"}
)
_UNITS = "YEAR YEARS MONTH MONTHS WEEK WEEKS DAY DAYS HOUR HOURS MINUTE MINUTES SECOND SECONDS"


@respells_phrase("[", "hive", "mysql")
def hint(tokens: Tokens, i: int) -> Edit | None:
    """`JOIN [BROADCAST] t`, `INSERT INTO t [SHUFFLE] SELECT …` (Impala, StarRocks, Doris): advice to the engine."""
    return Edit(i, i + 3) if word(tokens, i + 1) in _HINTS and word(tokens, i + 2) == "]" else None


@respells_phrase(_UNITS, "hive")
def bare_interval(tokens: Tokens, i: int) -> Edit | None:
    """`d - 2 months`, `d + (n) DAY`: the unit says what the number counts."""
    if i < 3 or word(tokens, i + 1) in ("(", "."):
        return None
    before = tokens[i - 1].token_type
    first = (
        i - 1
        if before in (TokenType.NUMBER, TokenType.STRING)
        else opening(tokens, i - 1)
        if before is TokenType.R_PAREN
        else 0
    )
    return Edit(i, i + 1) if first and word(tokens, first - 1) in ("+", "-") else None
