"""Who owns the columns of an executed plan: tables by their names, files by their paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headwater.analyzers.catalyst.catalogs import SPARK_CATALOG
from headwater.analyzers.catalyst.places import PROGRAM, Place
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import attributes
from headwater.analyzers.select import Unread
from headwater.model.entity import EntityKind
from headwater.resolve.builder import Builder, Table
from headwater.resolve.location import files, path_from_text
from headwater.sql.jdbc_names import Database


class Owners:
    """The tables and files of one plan, found by what the plan and Spark's objects say."""

    def __init__(self, builder: Builder, places: Mapping[int, Place]) -> None:
        self._builder = builder
        self._places = places

    def query_at(self, node: Node) -> tuple[str, Database] | None:
        """The query of a relation that another database answers, and that database."""
        return self._place(node).query

    def of(self, node: Node) -> list[Table]:
        """What a relation reads: one table, or files under one or more paths."""
        described = next(
            (node.fields[key] for key in ("catalogTable", "tableMeta", "desc") if node.fields.get(key)), None
        )
        if described:
            table = self.table(parts_of(described["identifier"]), self._place(node).state)
            if node.name == "View":
                row = self._builder.entities[table.entity]
                row.kind, row.type = EntityKind.VIEW, "view"
            return [self._known(table, node)]
        return [self._known(each, node) for each in self.at(self._place(node))]

    def _place(self, node: Node) -> Place:
        listed = attributes(node)
        return self._places.get(listed[0].id, Place()) if listed else Place()

    def is_made(self, node: Node) -> bool:
        """Whether the program made the rows of a relation."""
        return self._place(node).format == PROGRAM

    def _known(self, table: Table, node: Node) -> Table:
        """Spark vouches for the columns that it names."""
        fold = self._builder.dialect.fold_column
        table.schema = {**(table.schema or {}), **{fold(a.label, False): "" for a in attributes(node)}}
        return table

    def at(self, place: Place) -> list[Table]:
        """What lies at a place."""
        if place.table:
            return [self.table(place.table, place.state)]
        if not place.paths:
            raise Unread(f"a {place.format or 'data'} source without a name or a path")
        return [self.path(each, place.format, place.state) for each in place.paths]

    def path(self, uri: str, format: str, state: str = "") -> Table:
        """The files under a path, with columns of their own whatever their format: Spark knows these by name."""
        return files(self._builder, path_from_text(uri, None, format), True, state)

    def table(self, parts: tuple[str, ...], state: str = "") -> Table:
        """The table of a name with all its parts."""
        lasting = parts[1:] if parts[0] in (SPARK_CATALOG, "") else parts
        name = tuple(self._builder.dialect.spelled_table(f"`{part}`") for part in lasting)
        return self._builder.table_named(name, state)


def parts_of(identifier: Mapping[str, Any]) -> tuple[str, ...]:
    """The parts of a table's name in a plan's JSON."""
    return tuple(str(identifier[key]) for key in ("catalog", "database", "table") if identifier.get(key))
