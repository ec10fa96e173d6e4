"""Lists of columns that are written, with more than plain names in them: `INSERT INTO t (s.x, a[1])`, `INSERT INTO t (t.a)`."""

from __future__ import annotations

from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.sql.reading.reading import Reading, reads
from headwater.sql.reading.written_names import written_names

_NO_ALIASES = frozenset({"", "SELECT", "VALUES", "SET", "WITH", "DEFAULT"})
_ODD = frozenset({TokenType.DOT, TokenType.L_BRACKET})


@reads("INSERT", "REPLACE", "WITH")
def insert_with_paths(reading: Reading) -> Any:
    """The INSERT, with the path of each column as one name."""
    if not reading.skip_to("INTO"):
        return None
    reading.token()
    reading.take("TABLE")
    reading.name()
    if not reading.at_bracket() and reading.word() not in _NO_ALIASES:
        reading.take("AS")
        reading.token()
    if not reading.at_bracket():
        return None
    start = reading.at + 1
    listed = reading.brackets()
    if _ODD.isdisjoint(token.token_type for token in listed):
        return None
    end = reading.at - 1
    return reading.statement([*reading.tokens[:start], *written_names(listed, reading.dialect), *reading.tokens[end:]])
