"""What a catalog says of lineage, as SQL: the statements that create its views, its generated columns, and its foreign keys.

A definition is shown where its table is, `postgresql://host/db/schema.view`. Unqualified names in it are those of the table's schema,
unless it is described otherwise. Builds make scripts of them; an analysis follows those that it reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from headwater.catalog.catalog import Catalog
from headwater.catalog.description import VIEWS, Spelling, TableDescription
from headwater.catalog.view_sql import written
from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect

_NOWHERE = "catalog"
"""How the place of a catalog begins that does not say where it was read from."""


class Definition(NamedTuple):
    """The lineage of one table of a catalog."""

    name: TableName
    """As the database has it."""
    place: str
    dialect: Dialect
    default_schema: str
    flow: str
    """What makes its columns: the SQL of a view, or the expressions of generated columns."""
    keys: str
    """Its foreign keys."""

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(filter(None, (self.flow, self.keys)))


def definitions_in(catalog: Catalog, spoken: Dialect) -> Iterator[Definition]:
    """The definitions of a catalog; its SQL is in *spoken* where it names no dialect itself."""
    for about, table in catalog.described():
        own = about.spoken(spoken)
        spelling = Spelling.of(own)
        place = f"{about.source or _NOWHERE}/{spelling.table(table.name)}"
        found = Definition(
            table.name, place, own, spelling.table(table.sql_schema), _flow(table, own), _keys(table, own)
        )
        if found.text:
            yield found


def _flow(table: TableDescription, spoken: Dialect) -> str:
    if table.kind in VIEWS:
        return table.sql
    return "\n".join(
        f"ALTER TABLE {written(table.name, spoken)} ADD COLUMN {written((column.name,), spoken)} {column.type}"
        f" GENERATED ALWAYS AS ({column.generated});"
        for column in table.columns
        if column.generated
    )


def _keys(table: TableDescription, spoken: Dialect) -> str:
    if table.kind in VIEWS:
        return ""
    keys = [
        f"ALTER TABLE {written(table.name, spoken)} ADD FOREIGN KEY ({_list(key.columns, spoken)})"
        f" REFERENCES {written(key.table, spoken)} ({_list(key.referred, spoken)});"
        for key in table.foreign_keys
    ]
    return "\n".join(keys)


def _list(columns: tuple[str, ...], spoken: Dialect) -> str:
    return ", ".join(written((column,), spoken) for column in columns)
