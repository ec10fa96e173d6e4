"""SQLFlow's metadata: what its tools read from a database, as a catalog.

    {"physicalInstance": "srv", "databases": [{"name": "db", "tables": [{"schema": "s", "name": "t", "columns": [{"name": "a"}]}]}]}

The instance is the cluster, and no part of a name. Tables may stand below `schemas` of a database, and databases below `servers`; a table's
columns are called `columns` or `column`. Names are those of the database itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from headwater.catalog.description import TABLE, VIEW
from headwater.sql.spelled_name import in_quotes, split_name

_MISSING = "default"
"""What SQLFlow calls a database or schema that was not named."""
_SIGNS = frozenset('."`[]')


def is_metadata(content: Mapping[str, Any]) -> bool:
    """Whether a JSON object holds SQLFlow's metadata, and not tables by their names."""
    holders = [*_objects(content, "servers"), content]
    return any(
        isinstance(each.get(word), list)
        for holder in holders
        for database in _objects(holder, "databases")
        for each in (database, *_objects(database, "schemas"))
        for word in ("tables", "views")
    )


def tables_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of such metadata, by their dotted names, each described; those without columns are unknown."""
    found: dict[str, Any] = {}
    for holder in (*_objects(content, "servers"), content):
        for database in _objects(holder, "databases"):
            outer = _part(database.get("name"))
            for schema in (database, *_objects(database, "schemas")):
                inner = () if schema is database else _part(schema.get("name"))
                for word, kind in (("tables", TABLE), ("views", VIEW)):
                    found.update(_described(each, outer, inner, kind) for each in _objects(schema, word))
    return {name: described for name, described in found.items() if name and described["columns"]}


def _described(table: Mapping[str, Any], outer: tuple[str, ...], inner: tuple[str, ...], kind: str) -> tuple[str, Any]:
    """A table's name, with the database and schema that it or what is around it names, and what is said of it."""
    name = str(table.get("name") or "")
    own = tuple(map(_quoted, split_name(name))) if name else ()
    before = (_part(table.get("database")) or outer) + (_part(table.get("schema")) or inner)
    whole = before[: max(len(before) + 1 - len(own), 0)] + own if own else ()
    is_view = str(table.get("isView")).lower() == "true" or str(table.get("type")).lower() == VIEW
    described = {
        "kind": VIEW if is_view else kind,
        "columns": [_column(each) for word in ("columns", "column") for each in _objects(table, word)],
        "comment": str(table.get("comment") or ""),
    }
    return ".".join(whole), described


def _column(column: Mapping[str, Any]) -> dict[str, Any]:
    type = column.get("dataType") or column.get("data_type") or column.get("type") or ""
    return {
        "name": _quoted(str(column.get("name") or "?")),
        "type": str(type),
        "comment": str(column.get("comment") or ""),
    }


def _objects(holder: Mapping[str, Any], word: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a list."""
    listed = holder.get(word)
    return (each for each in listed if isinstance(each, Mapping)) if isinstance(listed, list) else iter(())


def _part(name: Any) -> tuple[str, ...]:
    return (_quoted(str(name)),) if name and str(name).lower() != _MISSING else ()


def _quoted(name: str) -> str:
    """A name in quotes where a sign in it would mean something."""
    return in_quotes(name) if _SIGNS & set(name) else name
