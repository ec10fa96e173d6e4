"""The names in a list of columns that are written, each as one token: `s.x` and `a[1]` too.

Where tables have nested columns, a dot leads to a field below the column; elsewhere the name of the table stands before it. A subscript
is a part of the column.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect

_FIELDS_BEHIND_DOTS = frozenset({"postgres", "clickhouse", "bigquery", "spark", "databricks", "duckdb"})


def written_names(tokens: Sequence[Token], dialect: Dialect) -> list[Token]:
    """A list of columns, in which each path is one name."""
    names: list[Token] = []
    parts: list[Token] = []
    depth = 0
    is_below = False
    for token in tokens:
        kind = token.token_type
        depth += (kind is TokenType.L_BRACKET) - (kind is TokenType.R_BRACKET)
        if depth or kind is TokenType.R_BRACKET:
            continue
        if kind is TokenType.DOT:
            is_below = True
        elif is_below and kind is not TokenType.COMMA:
            parts.append(token)
            is_below = False
        else:
            names += _as_one(parts, dialect)
            parts = [] if kind is TokenType.COMMA else [token]
            names += [token] if kind is TokenType.COMMA else []
    return [*names, *_as_one(parts, dialect)]


def _as_one(parts: list[Token], dialect: Dialect) -> list[Token]:
    if len(parts) < 2 or dialect.family not in _FIELDS_BEHIND_DOTS:
        return parts[-1:]
    text = ".".join(dialect.fold_column(part.text, part.token_type is TokenType.IDENTIFIER) for part in parts)
    first = parts[0]
    return [Token(TokenType.IDENTIFIER, text, first.line, first.col, first.start, parts[-1].end)]
