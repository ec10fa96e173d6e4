"""Tables and views that a query makes."""

from __future__ import annotations

from headwater.model.entity import EntityKind
from headwater.model.resolution import Definition
from headwater.resolve.builder import Table
from headwater.resolve.location import Files
from headwater.resolve.scope import ResultSet
from headwater.resolve.write import write_by_position


def made_by_query(
    table: Table, result: ResultSet, names: list[str], types: list[str], view: bool = False, temporary: bool = False
) -> None:
    """Write a result set into the table or view that it makes, under the query's names or those of a column list."""
    builder = table.builder
    row = builder.entities[table.entity]
    if view:
        row.kind, row.type = EntityKind.VIEW, "view"
    row.temporary = row.temporary or temporary
    names = names or [name for name, _ in result.outputs]
    write_by_position(builder, table, names, result, None)
    if not isinstance(table, Files):
        builder.defines.append(Definition(table.name, dict(zip(names, types, strict=False)), row.temporary, view))
