"""Tables of the user's session, as a statement finds them there.

Statements over tables of a format that has an analysis of its own (Delta Lake, Iceberg, any catalog that is not Spark's) are analysed
in a copy of the user's session, so that versions, branches, paths and metadata are what they are there. Others are analysed with tables
of the same columns that are declared for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from headwater.analyzers.catalyst.jvm import Jvm
from headwater.analyzers.catalyst.places import Place, place_of, table_at
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import attributes
from headwater.analyzers.select import Unread
from headwater.model.entity import EntityKind, TableName
from headwater.resolve.builder import Builder, Table
from headwater.resolve.location import FILE_FORMATS, files, path_from_text
from headwater.resolve.time_travel import state_in_name

PATHS = "delta"
"""The format whose tables may be named by their path: its log tells their columns, no file has to be read."""
_TABLES_OF_CATALOGS = frozenset({"DataSourceV2Relation", "StreamingRelationV2"})


class UserTable(NamedTuple):
    """A table or view of the user's session."""

    columns: Mapping[str, str]
    place: Place
    """How plans tell it from others."""
    is_temporary: bool = False
    has_analysis: bool = False
    """Whether its format has an analysis of its own."""

    @classmethod
    def of(cls, jvm: Jvm, columns: Mapping[str, str], plan: Any) -> UserTable:
        """A table, by the plan that reads it."""
        while str(plan.nodeName()) == "SubqueryAlias":
            plan = plan.child()
        kind = str(plan.getClass().getSimpleName())
        if kind == "View":
            return cls(columns, table_at(plan.desc().identifier()), bool(plan.isTempView()))
        place = place_of(jvm, plan)
        has_analysis = kind in _TABLES_OF_CATALOGS or place.format == PATHS
        if kind == "LogicalRelation" and plan.catalogTable().isDefined():
            place = table_at(plan.catalogTable().get().identifier())
        return cls(columns, place, has_analysis=has_analysis)


class SeenTables:
    """The tables of the user's session that a statement names."""

    def __init__(self, tables: Mapping[TableName, UserTable]) -> None:
        self._meant = {name: _meant(name, table.place) for name, table in tables.items()}
        self._names = {_key(table.place): self._meant[name] for name, table in tables.items()}
        self.places: dict[int, Place] = {}
        """Where the relations of the statement's plans lie, by the id of their first column."""

    def meant(self, name: TableName) -> TableName:
        """The table of a name: a branch is a version of its table."""
        return self._meant.get(name, name)

    def owner(self, builder: Builder, node: Node) -> Table:
        """The table that a relation reads, under the name that the statement gives it."""
        listed = attributes(node)
        place = self.places.get(listed[0].id, Place()) if listed else Place()
        described = next((node.fields[key] for key in ("catalogTable", "desc") if node.fields.get(key)), None)
        if described:
            parts = tuple(described["identifier"].get(key) or "" for key in ("catalog", "database", "table"))
            place = Place(parts, state=place.state)
        name = self._names.get(_key(place))
        if name is None:
            raise Unread("a table that the statement does not name")
        return owner_named(builder, name, node.name == "View", place.state)


def _meant(name: TableName, place: Place) -> TableName:
    is_branch = bool(state_in_name(name)) and bool(place.table) and place.table[-1].lower() != name[-1].lower()
    return name[:-1] if is_branch else name


def owner_named(builder: Builder, name: TableName, view: bool = False, state: str = "") -> Table:
    """The table of a name; the files of a path; *state* says which state of it is read."""
    if is_path(name):
        return files(builder, path_from_text(name[1], None, name[0]), True, state)
    table = builder.table_named(name, state)
    if view:
        row = builder.entities[table.entity]
        row.kind, row.type = EntityKind.VIEW, "view"
    return table


def is_path(parts: tuple[str, ...]) -> bool:
    """Whether a name is a path behind its format."""
    return len(parts) == 2 and parts[0].lower() in FILE_FORMATS and "/" in parts[1]


def may_exist(parts: tuple[str, ...]) -> bool:
    """Whether the session may be asked for a table of a name: of other files than Delta's it would read some."""
    return not is_path(parts) or parts[0].lower() == PATHS


def _key(place: Place) -> tuple[str, ...]:
    """The same for all spellings of a place."""
    if not place.table:
        return place.paths
    catalog, *rest = place.table if len(place.table) > 2 else ("", *place.table)
    return tuple(part.lower() for part in (catalog or "spark_catalog", *rest))
