"""Names in quotes, as a dialect writes them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from sqlglot import exp

from headwater.sql.dialect import Dialect


def quoted(name: str, dialect: Dialect) -> str:
    """A name in quotes.

    >>> from headwater.sql.dialect import dialect
    >>> print(quoted("my table", dialect("duckdb")), quoted("my table", dialect("bigquery")))
    "my table" `my table`
    """
    return _quoted(name, dialect.grammar_name)


def quoted_table(parts: Iterable[str], dialect: Dialect) -> str:
    """A qualified name, each part in quotes."""
    return ".".join(quoted(part, dialect) for part in parts)


@lru_cache(maxsize=16_384)
def _quoted(name: str, grammar: str) -> str:
    return str(exp.to_identifier(name, quoted=True).sql(dialect=grammar))


def bare_name(column: str) -> str:
    """A column that a schema spells, without the quotes that it has where its case counts."""
    in_quotes = len(column) > 1 and column[0] == column[-1] == '"'
    return column[1:-1].replace('""', '"') if in_quotes else column
