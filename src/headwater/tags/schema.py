"""The tags in a catalog: a column that is described may have `tags`, and a `comment` or `description` with marks in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from headwater.catalog import Catalog
from headwater.sql.dialect import Dialect
from headwater.sql.spelled_name import split_name
from headwater.tags.declared import Declared, declared_tags


def schema_tags(catalog: Catalog, spoken: Dialect) -> Iterator[Declared]:
    """All tags of a catalog, by folded names; names are in *spoken* where the catalog names no dialect itself."""
    for about, name, said in catalog.as_given():
        own = about.spoken(spoken)
        table = tuple(own.spelled_table(part) for part in split_name(name))
        if isinstance(said, Mapping) and isinstance(said.get("columns"), (Mapping, list)):
            yield from declared_tags(table, None, said.get("tags"), _comment(said))
            said = said["columns"]
        for column, told in _columns(said):
            yield from declared_tags(table, own.spelled_column(column), told.get("tags"), _comment(told))


def _columns(said: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The columns of a table of which more is said than their types."""
    if isinstance(said, Mapping):
        yield from ((str(name), told) for name, told in said.items() if isinstance(told, Mapping))
    elif isinstance(said, Iterable) and not isinstance(said, str):
        for told in said:
            if isinstance(told, Mapping):
                yield str(told.get("name") or told.get("column") or told.get("column_name")), told


def _comment(told: Mapping[str, Any]) -> str:
    return str(told.get("comment") or told.get("description") or "")
