"""Queries of our own about some tables of a schema: `:schema` and `:names` are filled in, so many names at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection

AT_ONCE = 500
"""Names that one query asks for."""
_MORE_AT_ONCE = {"mysql": 10_000, "mariadb": 10_000}
"""Where a query looks at every table of the schema, however many it asks for."""


def rows_about(connection: Connection, query: str, schema: str, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The rows of a query; `{schema}` in it is the schema's name in quotes."""
    from sqlalchemy import bindparam, text

    quoted = connection.dialect.identifier_preparer.quote_identifier(schema)
    statement = text(query.replace("{schema}", quoted)).bindparams(bindparam("names", expanding=True))
    for some in in_parts(names, _MORE_AT_ONCE.get(connection.dialect.name, AT_ONCE)):
        values: dict[str, Any] = {"names": list(some)}
        if ":schema" in query:
            values["schema"] = schema
        yield from (tuple(row) for row in connection.execute(statement, values))


def in_parts(names: Sequence[str], at_once: int = AT_ONCE) -> Iterator[Sequence[str]]:
    """Names, so many at a time."""
    for start in range(0, len(names), at_once):
        yield names[start : start + at_once]
