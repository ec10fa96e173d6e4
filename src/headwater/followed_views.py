"""The lineage behind the tables that scripts read: a catalog's views, by their own SQL, down to base tables, and generated columns.

Each definition is a script of its own, in the dialect and with the default schema of its database, as in a build. It knows the catalog and
nothing that the scripts define: the database made it without them. What the scripts define themselves is not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from headwater.analysis import analyze
from headwater.catalog import Catalog
from headwater.catalog.definitions import Definition, definitions_in
from headwater.catalog.wanted import folded
from headwater.lineage.lineage import Lineage
from headwater.model.entity import TableName
from headwater.model.work import MAX_COLUMNS, MAX_RELATIONS
from headwater.sql.dialect import Dialect


def with_followed_views(
    lineages: Iterable[Lineage],
    catalog: Catalog,
    spoken: Dialect,
    *,
    timeout: float | None = 60,
    memory: int = 2048,
    max_columns: int | None = MAX_COLUMNS,
    max_relations: int | None = MAX_RELATIONS,
) -> Iterator[Lineage]:
    """Lineages of scripts in a dialect, and behind them those of what the catalog defines of the tables that they read."""
    followed = _Followed(catalog, spoken)
    for lineage in lineages:
        followed.note(lineage)
        yield lineage
    while definition := followed.next():
        lineage = analyze(
            definition.flow,
            definition.dialect.name,
            catalog,
            definition.default_schema or None,
            path=definition.place,
            timeout=timeout,
            memory=memory,
            max_columns=max_columns,
            max_relations=max_relations,
        )
        followed.note_read(lineage)
        yield lineage


class _Followed:
    """Which definitions are still to be followed."""

    def __init__(self, catalog: Catalog, spoken: Dialect) -> None:
        found = ((folded(each.name, spoken), each) for each in definitions_in(catalog, spoken) if each.flow)
        self._left: dict[TableName, Definition] = dict(found)
        self._read: dict[TableName, None] = {}

    def note(self, lineage: Lineage) -> None:
        """Remember what a script reads; what it defines is its own."""
        for statement in lineage.statements:
            for defined in statement.resolution.defines:
                self._left.pop(defined.table, None)
        self.note_read(lineage)

    def note_read(self, lineage: Lineage) -> None:
        """Remember what a lineage reads."""
        for statement in lineage.statements:
            resolution = statement.resolution
            for entity in (resolution.entities[number] for number in resolution.read):
                if entity.table in self._left:
                    self._read.setdefault(entity.table)

    def next(self) -> Definition | None:
        """The next definition, in the order in which they were met."""
        while self._read:
            name = next(iter(self._read))
            del self._read[name]
            found = self._left.pop(name, None)
            if found is not None:
                return found
        return None
