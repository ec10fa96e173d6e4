"""SQL that reads other models.

A merge of models finds each of them in a schema of its name, `orders.model`; a reference says `${ref(orders)}`. Both become the
model's name in double quotes, with blanks up to the length that was there, so that places in the SQL stay what they were.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from headwater.project.objects import Reference
from headwater.project.text import Piece

MODEL_TABLE = "model"
"""The table that a merge finds a model in, unless it is the output of a command, which has a table of its own."""

_TOKEN = re.compile(
    r"""'(?:[^']|'')*'? | --[^\n]* | /\*.*?(?:\*/|$) | "(?:[^"]|"")*"? | [^\W\d]\w* | .""",
    re.VERBOSE | re.DOTALL,
)
"""Strings, comments, names, and any other character. What is not closed reaches to the end."""


def quoted(name: str, length: int = 0) -> str:
    """A model's name as a table of one part, in at least so many characters."""
    return ('"' + name.replace('"', '""') + '"').ljust(length)


def with_references(pieces: Iterable[Piece]) -> tuple[str, tuple[str, ...]]:
    """SQL with models in place of references, and these models."""
    sql = ""
    models: dict[str, None] = {}
    for piece in pieces:
        if isinstance(piece.part, Reference):
            models[piece.part.name] = None
            sql += quoted(piece.part.name, piece.end - piece.start)
        else:
            sql += piece.part if isinstance(piece.part, str) else f"${{{piece.part[0]}}}"
    return sql, tuple(models)


def with_schemas(sql: str, tables: Mapping[str, str]) -> str:
    """The SQL with models in place of the tables that a merge finds them in, by the models' names.

    >>> with_schemas("select o.id from orders.model as o", {"orders": "model"})
    'select o.id from "orders"     as o'
    """
    tokens = [match.group() for match in _TOKEN.finditer(sql)]
    return "".join(_renamed(tokens, {name.lower(): (name, table.lower()) for name, table in tables.items()}))


def _renamed(tokens: list[str], tables: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    at = 0
    only = next(iter(tables.values())) if len(tables) == 1 else None
    while at < len(tokens):
        token, dot, table = (*tokens[at : at + 3], "", "")[:3]
        name, its_table = tables.get(_plain(token), ("", ""))
        qualified = at > 0 and tokens[at - 1] == "."
        if name and dot == "." and not qualified and _plain(table) == its_table:
            yield quoted(name, len(token) + 1 + len(table))
            at += 3
        elif only and dot == "." and not qualified and _plain(token) == only[1]:
            yield quoted(only[0], len(token))  # the table without its schema: there is one only
            at += 1
        else:
            yield token
            at += 1


def _plain(token: str) -> str:
    inside = token[1:-1].replace('""', '"') if token.startswith('"') else token
    return inside.lower()
