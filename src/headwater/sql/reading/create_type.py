"""CREATE TYPE with fields: composite types, object types, row types, table types, and collections of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import NamedType
from headwater.sql.reading.created import creates
from headwater.sql.reading.reading import Reading, identifier, reads, word

_METHODS = frozenset(
    {"MEMBER", "STATIC", "CONSTRUCTOR", "OVERRIDING", "FINAL", "INSTANTIABLE", "NOT", "MAP", "ORDER", "PRAGMA"}
)
_CONSTRAINTS = frozenset({"PRIMARY", "UNIQUE", "CHECK", "INDEX", "CONSTRAINT"})
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})


@reads("CREATE", first=True)
def create_type(reading: Reading) -> Any:
    """`CREATE TYPE t AS (a int)`, `… AS OBJECT (…)`, `… AS ROW (…)`, `… AS TABLE (…)`, `… AS TABLE OF e`; None for one without fields."""
    if not creates(reading, "TYPE") or reading.word() == "BODY":
        return None
    name = reading.name()
    if not (reading.skip_to("AS") or reading.skip_to("IS")):
        return None
    reading.token()
    kind = reading.take_any("OBJECT", "ROW", "TABLE", "STRUCT", "VARRAY", "VARYING")
    if reading.find("OF") >= 0:
        reading.skip_to("OF")
        reading.token()
        own = bool(reading) and reading.tokens[reading.at].token_type in _NAMES
        return NamedType(name, "collection", element=reading.name() if own else None)
    if not reading.at_bracket():
        return None
    fields = tuple(_field(reading, part) for part in _parts(reading.brackets()) if _is_field(part))
    return NamedType(name, "table" if kind == "TABLE" else "row", fields)


def _parts(tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens between commas outside of brackets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += token.text.count("(") - token.text.count(")")
        if depth == 0 and token.token_type is TokenType.COMMA:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _is_field(part: Sequence[Token]) -> bool:
    return len(part) > 1 and word(part[0]) not in _METHODS | _CONSTRAINTS


def _field(reading: Reading, part: Sequence[Token]) -> tuple[str, str]:
    name = identifier(part[0])
    folded = reading.dialect.column(name)
    return folded, reading.sql[part[1].start : part[-1].end + 1]
