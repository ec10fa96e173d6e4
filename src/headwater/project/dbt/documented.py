"""What people wrote about models and columns: types, tags, meta.

An entry of `meta` becomes a tag: `contains_pii: true` is `contains_pii`, `level: strict` is `level=strict`; lists give one tag each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from headwater.project.dbt.document import Document, inner, inners, text, texts, written
from headwater.project.dbt.naming import stored_name
from headwater.sql.dialect import Dialect

Tags = tuple[str, ...]


def documented_columns(node: Document, dialect: Dialect) -> dict[str, str]:
    """The columns of a table, if a project's files name them all, with their types.

    Most files describe only some columns, and a table that is said to have no others would lose them: so this is nothing unless every
    column that is named has a type, as those who declare a whole table write.
    """
    found = {
        stored_name(text(column, "name").strip('"'), is_quoted(column), dialect): text(column, "data_type")
        for column in inners(node, "columns")
        if text(column, "name")
    }
    return found if all(found.values()) else {}


def described_columns(node: Document) -> dict[str, dict[str, Any]]:
    """The columns of a file's entry by name, as templates see them: with all that dbt fills in, in both places that it has for it."""
    return {name: _described(column) for column in inners(node, "columns") if (name := text(column, "name"))}


def _described(column: Document) -> dict[str, Any]:
    config = inner(column, "config")
    meta = {**inner(column, "meta"), **inner(config, "meta")}
    tags = [*dict.fromkeys([*texts(column, "tags"), *texts(config, "tags")])]
    filled: Document = {"description": "", "data_type": None, "constraints": [], "quote": None}
    return {**filled, **column, "meta": meta, "tags": tags, "config": {**config, "meta": meta, "tags": tags}}


def tags_of(node: Document) -> Tags:
    """The tags of an object, its own and its configuration's, in order and once."""
    config = inner(node, "config")
    found = (*texts(node, "tags"), *texts(config, "tags"), *_meta(inner(node, "meta")), *_meta(inner(config, "meta")))
    return tuple(dict.fromkeys(found))


def tags_of_columns(node: Document) -> Mapping[str, Tags]:
    """Tags of a node's columns by name, of the node itself under the empty name; only what has any."""
    found = {"": tags_of(node), **{_name(column): tags_of(column) for column in inners(node, "columns")}}
    return {name: tags for name, tags in found.items() if tags}


def _name(column: Document) -> str:
    """A column as a query would name it."""
    name = text(column, "name")
    return f'"{name}"' if is_quoted(column) and not name.startswith('"') else name


def is_quoted(column: Document) -> bool:
    """Whether the case of a column's name counts."""
    return column.get("quote") is True or text(column, "name").startswith('"')


def _meta(meta: Document) -> Iterator[str]:
    for key, value in meta.items():
        if value is True:
            yield str(key)
        elif isinstance(value, list):
            yield from (f"{key}={item}" for item in map(written, value) if item)
        elif value is not False and written(value):
            yield f"{key}={written(value)}"
