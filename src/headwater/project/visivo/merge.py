"""SQL that reads other models. Those are entities called by the project, `model` and their name: `"shop"."model"."orders"`.

A merge of models finds each of them in a schema of its name, `orders.model`. That becomes the model's name in double quotes, with
blanks up to the length that was there, so that places in the SQL stay what they were; the schema that it is in is the merge's default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from headwater.model.entity import TableName
from headwater.project.objects import Reference
from headwater.project.text import Path, Piece, Variable

MODEL_TABLE = "model"
"""The table that a merge finds a model in, unless it is the output of a command, which has a table of its own."""

_BACKTICKS = frozenset({"bigquery", "mysql"})
_TOKEN = re.compile(
    r"""'(?:[^']|'')*'? | --[^\n]* | /\*.*?(?:\*/|$) | "(?:[^"]|"")*"? | [^\W\d]\w* | .""",
    re.VERBOSE | re.DOTALL,
)
"""Strings, comments, names, and any other character. What is not closed reaches to the end."""


def models_schema(project: str) -> TableName:
    """What stands before the names of a project's models."""
    return _entity(project), "model"


def with_references(found: Iterable[Piece], project: str, dialect: str) -> str:
    """SQL with models in place of references."""
    mark = "`" if dialect in _BACKTICKS else '"'
    return "".join(_written(piece.part, models_schema(project), mark) for piece in found)


def _written(part: str | Reference | Variable | Path, schema: TableName, mark: str) -> str:
    if isinstance(part, Reference):
        return ".".join(f"{mark}{name}{mark}" for name in (*schema, _entity(part.name)))
    if isinstance(part, str):
        return part
    return f"${{{part.text}}}" if isinstance(part, Path) else part.name


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
            yield f'"{_entity(name)}"'.ljust(len(token) + 1 + len(table))
            at += 3
        elif only and dot == "." and not qualified and _plain(token) == only[1]:
            yield f'"{_entity(only[0])}"'.ljust(len(token))  # the table without its schema: there is one only
            at += 1
        else:
            yield token
            at += 1


def _entity(name: str) -> str:
    return name.lower().replace(".", "_").replace('"', "_")


def _plain(token: str) -> str:
    inside = token[1:-1].replace('""', '"') if token.startswith('"') else token
    return inside.lower()
