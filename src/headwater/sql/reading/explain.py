"""EXPLAIN: a plan is shown. Only EXPLAIN ANALYZE runs the statement, and then it moves data like any other."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import Explained
from headwater.sql.reading.reading import Reading, reads, word

_RUNS = frozenset({"postgres", "redshift", "duckdb", "trino", "presto", "athena", "mysql", "clickhouse"})
"""Dialects where EXPLAIN ANALYZE executes the statement."""

_STATEMENTS = frozenset(
    {"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "CREATE", "VALUES", "FROM", "TABLE", "SEL"}
)


def _analyzes(options: list[str]) -> bool:
    """Whether ANALYZE is among the options, and not switched off."""
    if "ANALYZE" not in options:
        return False
    value = options[options.index("ANALYZE") + 1 :][:1]
    return value not in (["FALSE"], ["OFF"], ["0"])


@reads("PROFILE", first=True)
def profile(reading: Reading) -> Any:
    """Vertica's `PROFILE statement` runs the statement."""
    reading.take("PROFILE")
    return Explained(reading.statement(reading.rest())) if reading.word() in _STATEMENTS else None


@reads("EXPLAIN", first=True)
def explain(reading: Reading) -> Any:
    """`EXPLAIN [ANALYZE] [(options)] statement`."""
    reading.take("EXPLAIN")
    options: list[str] = []
    while reading and reading.word() not in _STATEMENTS:
        if reading.at_bracket() and reading.word(1) in _STATEMENTS:
            break
        options += map(word, reading.brackets()) if reading.at_bracket() else [word(reading.token())]
    if not _analyzes(options) or reading.dialect.family not in _RUNS or not reading:
        return Explained()
    return Explained(reading.statement(reading.rest()))
