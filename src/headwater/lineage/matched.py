"""Tables that fit a wildcard: a statement that reads `events_*` says what that holds, column by column.

    INSERT INTO ds.events_20240101 SELECT a FROM t
    SELECT a FROM `ds.events_*`      -- reads events_*.a, which comes from events_20240101.a

All tables that the script names, and those of the catalog, are tried. What a reader of the wildcard writes itself is none of its parts:
it would be its own source.

A stage and its places are alike, but what is written at one place must not arrive at another by way of the stage. So a statement that
reads a stage reads the places below it as well, itself:

    COPY INTO @s/a/ FROM t
    COPY INTO u FROM @s      -- u.* comes from @s.* and from @s/a/.*
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from headwater.lineage.open_star import STAR
from headwater.model.entity import PSEUDO_ROWS, EntityKind, TableName
from headwater.model.kind import MOVED
from headwater.model.resolution import EntityRow, Resolution, Wildcard

VIRTUAL = frozenset({"_table_suffix", "_table", "_database"})
"""Columns that only the wildcard has: they name the table of a row."""

_Columns = Mapping[TableName, frozenset[str] | None]
"""The columns of tables; None where they are not known."""


def with_matched_tables(resolutions: Sequence[Resolution]) -> Sequence[Resolution]:
    """The statements of a script, with what flows from tables into the wildcards that they read."""
    if not any(each.wildcards for each in resolutions):
        return resolutions
    tables = _tables(resolutions)
    made = _made_of_wildcards(resolutions)
    places = _written_places(resolutions)
    return [_with_matched(each, tables, made, places) if each.wildcards else each for each in resolutions]


def _written_places(resolutions: Sequence[Resolution]) -> list[TableName]:
    """The places of stages that statements name, but for those that they only read."""
    found: dict[TableName, None] = {}
    for each in resolutions:
        read = {wildcard.entity for wildcard in each.wildcards}
        for number, row in enumerate(each.entities):
            if row.kind is EntityKind.STAGE and row.table and number not in read:
                found[row.table] = None
    return sorted(found)


def _tables(resolutions: Sequence[Resolution]) -> _Columns:
    """The tables and views that statements name; those that they define may have the columns of any definition."""
    found: dict[TableName, frozenset[str] | None] = {}
    defined: dict[TableName, set[str] | None] = {}
    wildcards = {each.entities[w.entity].table for each in resolutions for w in each.wildcards}
    for each in resolutions:
        for row in each.entities:
            if row.kind in (EntityKind.TABLE, EntityKind.VIEW) and row.table and not row.temporary:
                found.setdefault(row.table, None)
        for d in each.defines:
            if not d.dropped:
                before = defined.setdefault(d.table, set())
                defined[d.table] = None if d.columns is None or before is None else before | set(d.columns)
    found |= {table: frozenset(names) for table, names in defined.items() if names and table in found}
    return {table: names for table, names in found.items() if table not in wildcards}


def _made_of_wildcards(resolutions: Sequence[Resolution]) -> set[tuple[TableName | None, TableName | None]]:
    """Pairs of a wildcard and a table that a reader of it writes."""
    return {
        (each.entities[wildcard.entity].table, each.entities[written].table)
        for each in resolutions
        for wildcard in each.wildcards
        for written in each.written
    }


def _with_matched(
    resolution: Resolution,
    tables: _Columns,
    made: set[tuple[TableName | None, TableName | None]],
    places: Sequence[TableName],
) -> Resolution:
    statement = _Statement(resolution)
    for wildcard in resolution.wildcards:
        if wildcard.is_place:
            for place in filter(wildcard.fits, places):
                statement.read_place(wildcard.entity, place)
            continue
        own = resolution.entities[wildcard.entity].table
        for table, columns in _fitting(wildcard, tables):
            if (own, table) not in made:
                statement.fill(wildcard.entity, table, columns)
    return statement.resolution()


def _fitting(wildcard: Wildcard, tables: _Columns) -> Iterator[tuple[TableName, frozenset[str] | None]]:
    """The tables that fit a wildcard, by name; what the script defines hides the catalog's columns."""
    known: dict[TableName, frozenset[str] | None] = {table: frozenset(names) for table, names in wildcard.known}
    for table, columns in tables.items():
        if wildcard.fits(table):
            known[table] = columns or known.get(table)
    yield from sorted(known.items(), key=lambda each: each[0])


class _Statement:
    """A statement that reads wildcards, while these are filled."""

    def __init__(self, resolution: Resolution) -> None:
        self._before = resolution
        self._entities = list(resolution.entities)
        self._columns = list(resolution.columns)
        self._edges = list(resolution.edges)
        self._inferred = set(resolution.inferred)
        self._read = dict.fromkeys(resolution.read)
        self._written = dict.fromkeys(resolution.written)
        self._numbers = {(entity, name): number for number, (entity, name, _) in enumerate(self._columns)}
        self._owners = {row.table: number for number, row in enumerate(self._entities) if row.table}

    def fill(self, wildcard: int, table: TableName, columns: frozenset[str] | None) -> None:
        """Add what a table gives to the columns of a wildcard that the statement reads, and to its rows."""
        owner = self._owner(table)
        self._read[owner] = self._written[wildcard] = None
        asked = [name for entity, name, _ in self._before.columns if entity == wildcard and name not in VIRTUAL]
        names = dict.fromkeys([*asked, *(sorted(columns) if columns and STAR in asked else ())])
        for name in names:
            if columns is None or name in columns or name in (STAR, PSEUDO_ROWS):
                target = self._column(wildcard, name, True)
                self._edges.append((target, self._column(owner, name, columns is None), MOVED, None))

    def read_place(self, stage: int, place: TableName) -> None:
        """Read a place wherever the statement reads a stage, or another place of it, that meets this one."""
        owner = self._owner(place, EntityKind.STAGE)
        if owner in self._written:
            return
        self._read[owner] = None
        for target, source, kind, at in self._before.edges:
            entity, name, _ = self._before.columns[source]
            if entity == stage and self._before.columns[target][0] != stage:
                column = self._column(owner, name if name == PSEUDO_ROWS else STAR, False)
                self._edges.append((target, column, kind, at))

    def _owner(self, table: TableName, kind: EntityKind = EntityKind.TABLE) -> int:
        found = self._owners.get(table)
        if found is None:
            found = self._owners[table] = len(self._entities)
            row = EntityRow(kind, kind.value, None, table, ".".join(table))
            row.by_position = kind is EntityKind.STAGE
            self._entities.append(row)
        return found

    def _column(self, entity: int, name: str, inferred: bool) -> int:
        found = self._numbers.get((entity, name))
        if found is None:
            found = self._numbers[entity, name] = len(self._columns)
            self._columns.append((entity, name, None))
            if inferred and name != PSEUDO_ROWS:
                self._inferred.add(found)
        return found

    def resolution(self) -> Resolution:
        """The statement with what fills its wildcards."""
        return self._before._replace(
            entities=self._entities,
            columns=self._columns,
            edges=self._edges,
            inferred=frozenset(self._inferred),
            read=list(self._read),
            written=list(self._written),
        )
