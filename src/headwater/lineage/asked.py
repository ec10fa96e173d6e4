"""Columns that statements ask of what other statements wrote with an open star.

    CREATE VIEW v AS SELECT * FROM t; CREATE VIEW w AS SELECT a FROM v   -- w asks v for a, so v asks t for a

A statement that defines a view or table is asked by those for which that definition is in force: those behind it, as far as the next
definition; and for the last, also those before all definitions. Who adds to a table that others define, or nobody, is asked by all.
Nobody is asked for a column that the table got later.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from headwater.lineage.column_level import Eliminator
from headwater.lineage.matched import with_matched_tables
from headwater.lineage.open_star import STAR, OpenStars
from headwater.model.entity import FILES, PERSISTENT, PSEUDO_ROWS, TableName
from headwater.model.resolution import ORPHANS, EntityRow, Resolution


class _Asked(NamedTuple):
    """An entity as all statements know it."""

    table: TableName
    is_file: bool
    owner: str


class _Ask(NamedTuple):
    """A statement, by its number, asks an entity for a column."""

    entity: _Asked
    name: str
    statement: int


def with_asked_columns(resolutions: Sequence[Resolution]) -> list[Resolution]:
    """The statements of a script, in order, with the columns that they ask of each other."""
    resolutions = with_matched_tables(resolutions)
    stars = {number: found for number, each in enumerate(resolutions) if (found := OpenStars(each)).written}
    if not stars:
        return list(resolutions)
    _Script(resolutions, stars).ask()
    return [stars[number].resolution() if number in stars else each for number, each in enumerate(resolutions)]


class _Script:
    """A script's statements, those among them that write open stars, and where tables are defined."""

    def __init__(self, resolutions: Sequence[Resolution], stars: dict[int, OpenStars]) -> None:
        self._resolutions = resolutions
        self._stars = stars
        self._writers: dict[_Asked, list[tuple[int, int]]] = {}
        for number, found in stars.items():
            for entity in found.written:
                self._writers.setdefault(self._key(number, entity), []).append((number, entity))
        self._definers: dict[TableName, list[int]] = {}
        self._adders: dict[tuple[TableName, str], list[int]] = {}
        for number, each in enumerate(resolutions):
            for table in dict.fromkeys(d.table for d in each.defines if not d.dropped):
                if table in each.replaced:
                    self._definers.setdefault(table, []).append(number)
            for added in dict.fromkeys(each.added):
                self._adders.setdefault(added, []).append(number)

    def _key(self, statement: int, entity: int) -> _Asked:
        return _key(self._resolutions[statement].entities[entity])

    def ask(self) -> None:
        """Ask for everything that is asked, and for what is asked in turn."""
        pending = deque(self._asks())
        seen = set(pending)
        while pending:
            each = pending.popleft()
            for number, entity in self._writers.get(each.entity, ()):
                if self._is_asked(number, each):
                    for behind in self._stars[number].ask(entity, each.name):
                        further = _Ask(self._key(number, behind), each.name, number)
                        if further not in seen:
                            seen.add(further)
                            pending.append(further)

    def _asks(self) -> Iterator[_Ask]:
        """The columns that statements read or write, by name, of what open stars were written into."""
        for number, each in enumerate(self._resolutions):
            named = [column for column in sorted(each.inferred) if self._is_open(each, column)]
            used = _used(each) if named else set()
            for column in named:
                if column in used:
                    entity, name, _ = each.columns[column]
                    yield _Ask(_key(each.entities[entity]), name, number)

    def _is_open(self, resolution: Resolution, column: int) -> bool:
        entity, name, _ = resolution.columns[column]
        row = resolution.entities[entity]
        if entity == ORPHANS or row.kind not in PERSISTENT or name == PSEUDO_ROWS:
            return False
        writers = self._writers.get(_key(row), ())
        if name == STAR:
            return any(not self._stars[number].has_column(owner) for number, owner in writers)
        return bool(writers)

    def _is_asked(self, writer: int, ask: _Ask) -> bool:
        adders = self._adders.get((ask.entity.table, ask.name), [])
        later = bisect_right(adders, writer)
        if later < len(adders) and adders[later] <= ask.statement:
            return False
        definers = self._definers.get(ask.entity.table, [])
        if ask.entity.is_file or writer not in definers:
            return True
        before = bisect_left(definers, ask.statement)
        return definers[before - 1] == writer and not (before == 0 and ask.statement in definers)


def _used(resolution: Resolution) -> set[int]:
    """The columns that the column level of a statement has."""
    found: set[int] = set()
    for target, sources in Eliminator(resolution, literals=False).numbered():
        found.add(target)
        found.update(source for source, _, _ in sources)
    return found


def _key(row: EntityRow) -> _Asked:
    return _Asked(row.table or (row.spelled,), row.kind in FILES, row.owner)
