"""CREATE TYPE with fields or elements: PostgreSQL's rows, Oracle's objects and collections, DuckDB's structs, T-SQL's table types.

```sql
CREATE TYPE addr AS (street text, city text)                      -- PostgreSQL, Db2, Teradata
CREATE TYPE addr AS OBJECT (street VARCHAR2(10), MEMBER FUNCTION f RETURN NUMBER)
CREATE TYPE addr AS ROW (street VARCHAR(10), city VARCHAR(10))    -- Db2
CREATE TYPE addrs AS TABLE OF addr                                -- Oracle; VARRAY(10) OF too
CREATE TYPE addr AS STRUCT(street VARCHAR, city VARCHAR)          -- DuckDB, which takes any type
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import CreateType, struct
from headwater.sql.reading.created import creates
from headwater.sql.reading.listed import comma_separated
from headwater.sql.reading.reading import Reading, reads, word
from headwater.sql.reading.table_elements import table_elements

_METHODS = frozenset(
    {"MEMBER", "STATIC", "CONSTRUCTOR", "MAP", "ORDER", "FINAL", "NOT", "INSTANTIABLE", "OVERRIDING", "PRAGMA"}
)
"""Words that begin what is no field of an object."""
_NO_FIELDS = frozenset({"ENUM", "RANGE", "OPAQUE"})


@reads("CREATE")
def create_type(reading: Reading) -> Any:
    """The type in full; None for one that has neither fields nor elements."""
    if not creates(reading, "TYPE") or reading.word() == "BODY":
        return None
    name = reading.name()
    while reading and reading.word() not in ("AS", "IS", "UNDER"):
        reading.token()
    under = reading.spelled_name() if reading.take("UNDER") and reading else ""
    if not (reading.take_any("AS", "IS") or under) or reading.word() in _NO_FIELDS:
        return None
    kind = _kind(reading)
    return CreateType(name, kind, under) if kind is not None else None


def _kind(reading: Reading) -> Any:
    if reading.word() in ("OBJECT", "TABLE", "ROW") and reading.word(1) == "(":
        reading.token()
    if reading.at_bracket():
        return struct(_fields(reading.brackets(), reading))
    of = reading.find("OF")
    if reading.word() in ("TABLE", "VARRAY", "VARYING", "ARRAY") and of >= 0:
        element = _type(reading.tokens[of + 1 :], reading)
        return None if element is None else exp.DataType(this=exp.DType.ARRAY, expressions=[element], nested=True)
    return _type(reading.rest(), reading)


def _fields(tokens: Sequence[Token], reading: Reading) -> list[Any]:
    parts = [part for part in comma_separated(tokens) if part and word(part[0]) not in _METHODS]
    return [each for part in parts for each in table_elements(part, reading) if isinstance(each, exp.ColumnDef)]


def _type(tokens: Sequence[Token], reading: Reading) -> Any:
    """A type by itself, read as that of a column."""
    if not tokens:
        return None
    at = tokens[0]
    found = table_elements([Token(TokenType.VAR, "x", at.line, at.col, at.start, at.end), *tokens], reading)
    return found[0].args.get("kind") if found and isinstance(found[0], exp.ColumnDef) else None
