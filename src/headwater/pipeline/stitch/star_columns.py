"""Columns that units ask of what other units write with an open star: relations that no unit can see for itself.

    CREATE VIEW v AS SELECT * FROM t       -- the unit with the star, and its template
    CREATE VIEW w AS SELECT a FROM v       -- the unit that asks, and so the other one asks t for a

Each unit has said what it writes with stars (`star_template`); the names that others ask of that are put in. A unit that defines a table
is asked by the units that need it; one that adds to a table, by all; neither for a column that an ALTER gave the table later
(`altered_tables`). What comes out are more records of the units with the stars, in a
folder of their own: they hang on all units together, so they are worked out anew in each build, from what each unit says on its own.
Where no star is open, there is nothing to do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.lineage.open_star import STAR, ambiguous
from headwater.model.diagnostic import SEVERITY
from headwater.model.entity import PSEUDO_ROWS
from headwater.model.kind import MOVED
from headwater.pipeline.extract.extracted import Extracted
from headwater.pipeline.extract.kind_text import packed_kind
from headwater.pipeline.extract.records import RecordBuilder
from headwater.pipeline.extract.star_template import SAME
from headwater.pipeline.ids import Ids, Only
from headwater.pipeline.packed import Chunks
from headwater.pipeline.plan.units import Pieces, Units
from headwater.pipeline.stitch.altered_tables import AlteredTables, Writer, altered_tables
from headwater.pipeline.stitch.matched_tables import Matched, MetPlaces, matched_tables, met_places
from headwater.store.identity import column_id, identify

ASKED_OF = pa.schema([("unit_id", pa.int64()), ("key", pa.int64()), ("entities", pa.list_(pa.int64()))])
"""What each unit was asked for, behind its open stars, as a number; and the entities whose columns were found there."""

_RELATION = ("process_id", "kind", "expression", "start", "end")


class StarColumns(NamedTuple):
    """The records of columns behind open stars, by kind; and what units were asked for (`ASKED_OF`)."""

    records: Mapping[str, pa.Table]
    asked: pa.Table


class _Ask(NamedTuple):
    """A unit asks an entity for a column."""

    entity: int
    name: str
    unit: int
    item: int | None = None
    """Its statement in the unit, where that is known."""


@dataclass(slots=True)
class _Star:
    """An open star: the unit that writes it, what it stands for, and the names that it was asked for."""

    unit: int
    alone: bool
    """Whether its statement is the only one of the unit."""
    statement: Mapping[str, Any]
    said: Mapping[str, Any]
    elsewhere: frozenset[str]
    templates: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    @property
    def entity(self) -> int:
        """What it is written into."""
        found: int = self.said["entity_id"]
        return found

    @property
    def writer(self) -> Writer:
        """Its statement."""
        return Writer(self.unit, self.said["item"])

    def behind(self, name: str) -> list[Mapping[str, Any]]:
        """The templates of what a column of that name comes from."""
        if name in self.elsewhere:
            return []
        return self.templates.get(name) or self.templates.get(SAME, [])

    def is_ambiguous(self, name: str) -> bool:
        """Whether there is something to say of a name."""
        own = name if name in self.templates else SAME
        return name not in self.said["said"] and own in self.said["ambiguous"]


def star_columns(extracted: Extracted, pieces: Pieces, units: Units, user: Ids, definer: Ids) -> StarColumns:
    """Find the columns behind open stars, where units need each other like this."""
    opened = extracted.memo.pairs("open", units)[0]
    stars: list[_Star] = []
    readers = np.unique(units.ids[extracted.memo.pairs("wildcards", units)[0]])
    matched, places = matched_tables(extracted, readers), met_places(extracted, readers)
    if len(opened) or matched:
        stars = [*_stars(extracted, np.unique(units.ids[opened])), *map(_of_wildcard, matched)]
        altered = altered_tables(extracted, pieces, units, user, definer)
        asks = [
            _Ask(each.said["entity_id"], name, each.unit, each.said["item"]) for each in matched for name in each.names
        ]
        _Asking(stars, altered).run([*_asks(extracted, stars), *asks])
    asked = sorted((star for star in stars if star.asked), key=lambda star: star.unit)
    return StarColumns(_records(asked, places) if asked or places else {}, _keys(asked, places))


def _of_wildcard(matched: Matched) -> _Star:
    """What flows into a wildcard from the tables that fit, as a star of the statement that reads it."""
    row = matched.said
    said = {"item": row["item"], "entity_id": row["entity_id"], "defines": False, "ambiguous": [], "said": []}
    place = {"expression": "", "start": None, "end": None}
    flow = {"source": SAME, "process_id": row["process_id"], "kind": packed_kind(MOVED), **place}
    star = _Star(matched.unit, False, {}, said, frozenset())
    for name in (*matched.names, *([SAME] if STAR in matched.names else [])):
        star.templates[name] = [{"source_id": table, **flow} for table in matched.having(name)]
    return star


def _stars(extracted: Extracted, ids: Ids) -> list[_Star]:
    """The open stars of some units, in no order that hangs on files."""
    only = Only.of("unit_id", ids)
    records = extracted.chunks_with(only)
    statements, templates, stars = (_by_unit(records, name, only) for name in ("statements", "behind_stars", "stars"))
    found = [
        star
        for unit, said in stars.items()
        for star in _stars_of(unit, said, statements[unit], templates.get(unit, []))
    ]
    return sorted(found, key=lambda star: (star.unit, star.said["item"], star.entity))


def _by_unit(records: Chunks, name: str, only: Only) -> dict[int, list[Mapping[str, Any]]]:
    found: dict[int, list[Mapping[str, Any]]] = {}
    for row in records.table(name, only).to_pylist():
        found.setdefault(row["unit_id"], []).append(row)
    return found


def _stars_of(
    unit: int, stars: list[Mapping[str, Any]], statements: list[Mapping[str, Any]], templates: list[Mapping[str, Any]]
) -> Iterator[_Star]:
    by_item = {each["item"]: each for each in statements}
    for said in stars:
        statement = by_item[said["item"]]
        star = _Star(unit, len(by_item) == 1, statement, said, frozenset(said["elsewhere"]))
        for template in templates:
            if (template["entity_id"], template["process_id"]) == (star.entity, statement["process_id"]):
                star.templates.setdefault(template["name"], []).append(template)
        yield star


def _asks(extracted: Extracted, stars: list[_Star]) -> list[_Ask]:
    """The columns that units name, and that no schema vouches for, of what open stars are written into."""
    opened = Only.of("entity_id", np.array([star.entity for star in stars], np.int64))
    rows = extracted.chunks_with(opened).table("columns", opened)
    rows = rows.filter(pc.and_(rows.column("inferred"), pc.not_equal(rows.column("name"), PSEUDO_ROWS)))
    columns = (rows.column(name).to_pylist() for name in ("entity_id", "name", "unit_id"))
    return list(dict.fromkeys(_Ask(*each) for each in zip(*columns, strict=True)))


class _Asking:
    """Names on their way from star to star."""

    def __init__(self, stars: list[_Star], altered: AlteredTables) -> None:
        self._altered = altered
        self._writers: dict[int, list[_Star]] = {}
        for star in stars:
            self._writers.setdefault(star.entity, []).append(star)

    def run(self, asks: list[_Ask]) -> None:
        """Ask, and ask in turn, until all that is asked for has been asked for."""
        seen = set(asks)
        pending = deque(seen)
        while pending:
            ask = pending.popleft()
            for star in self._writers[ask.entity]:
                for further in self._further(star, ask):
                    if further not in seen:
                        seen.add(further)
                        pending.append(further)

    def _further(self, star: _Star, ask: _Ask) -> Iterator[_Ask]:
        behind = star.behind(ask.name)
        if not behind or ask.name in star.asked or not self._is_asked(star, ask):
            return
        star.asked.add(ask.name)
        for template in behind:
            if template["source"] == SAME and template["source_id"] in self._writers and ask.name != PSEUDO_ROWS:
                yield _Ask(template["source_id"], ask.name, *star.writer)

    def _is_asked(self, star: _Star, ask: _Ask) -> bool:
        """Whether a star is what a unit means, and had the column when it was written."""
        defines = star.said["defines"]
        if defines and not self._is_meant(star, ask):
            return False
        return not self._altered.is_new(ask.entity, ask.name, star.writer, defines, ask.unit)

    def _is_meant(self, star: _Star, ask: _Ask) -> bool:
        if ask.unit != star.unit:
            return star.unit in self._altered.reached(ask.unit, ask.entity)
        return not star.alone and self._is_in_force(star, ask)

    def _is_in_force(self, star: _Star, ask: _Ask) -> bool:
        """Whether a definition is in force for a statement of the same unit; one of which the place is not known may mean any."""
        if ask.item is None:
            return True
        here = (each for each in self._writers[ask.entity] if each.unit == star.unit and each.said["defines"])
        items = sorted(each.writer.item for each in here)
        before = bisect_left(items, ask.item)
        return items[before - 1] == star.writer.item and not (before == 0 and ask.item in items)


def _keys(stars: list[_Star], places: list[MetPlaces]) -> pa.Table:
    """What each unit was asked for, or reads of other places, as a number."""
    asked: dict[int, list[str]] = {}
    entities: dict[int, set[int]] = {}
    for star in stars:
        sources = {name: [each["source_id"] for each in star.behind(name)] for name in sorted(star.asked)}
        what = (str(star.said["item"]), str(star.entity), *(f"{name} {ids}" for name, ids in sources.items()))
        asked.setdefault(star.unit, []).append(str(identify("asked", *what)))
        entities.setdefault(star.unit, set()).update(*sources.values())
    for met in places:
        what = (str(met.said["item"]), str(met.said["entity_id"]), *map(str, met.places))
        asked.setdefault(met.unit, []).append(str(identify("places", *what)))
        entities.setdefault(met.unit, set()).update(met.places)
    keys = [identify("asked", *each) for each in asked.values()]
    lists = [sorted(each) for each in entities.values()]
    columns = (list(asked), keys, lists)
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, ASKED_OF, strict=True)], schema=ASKED_OF)


def _records(stars: list[_Star], places: list[MetPlaces]) -> Mapping[str, pa.Table]:
    """The records of stars, and of places that are read with their stage."""
    records = RecordBuilder()
    stars_of: dict[int, list[_Star]] = {}
    places_of: dict[int, list[MetPlaces]] = {}
    for star in stars:
        stars_of.setdefault(star.unit, []).append(star)
    for met in places:
        places_of.setdefault(met.unit, []).append(met)
    for unit in sorted({*stars_of, *places_of}):
        for star in stars_of.get(unit, ()):
            for name in sorted(star.asked):
                _add(records, star, name)
        _add_ambiguous(records, stars_of.get(unit, ()))
        for met in places_of.get(unit, ()):
            _add_places(records, met)
        records.close(unit)
    return {name: table for name, table in records.tables().items() if len(table)}


def _add_places(records: RecordBuilder, met: MetPlaces) -> None:
    """Add what a statement reads of the places that meet its stage: all that it reads of the stage."""
    rows = column_id(met.said["entity_id"], PSEUDO_ROWS)
    for place in met.places:
        for relation in met.relations:
            name = PSEUDO_ROWS if relation["source_id"] == rows else STAR
            source = column_id(place, name)
            records.column((source, place, name, None, False, None))
            records.relation((source, relation["target_id"], *(relation[each] for each in _RELATION)))


def _add(records: RecordBuilder, star: _Star, name: str) -> None:
    """Add what a star says of a name."""
    target = star.entity
    records.column((column_id(target, name), target, name, None, name != PSEUDO_ROWS, None))
    for template in star.behind(name):
        source, entity = template["source"] or name, template["source_id"]
        if template["source"] == SAME:
            records.column((column_id(entity, source), entity, source, None, source != PSEUDO_ROWS, None))
        ends = (column_id(entity, source), column_id(target, name))
        records.relation((*ends, *(template[each] for each in _RELATION)))


def _add_ambiguous(records: RecordBuilder, stars: Iterable[_Star]) -> None:
    """Add a diagnostic for each statement that has names which several of its stars may have."""
    unsure: dict[int, tuple[Mapping[str, Any], set[str]]] = {}
    for star in stars:
        of_star = [name for name in star.asked if star.is_ambiguous(name)]
        if of_star:
            unsure.setdefault(star.statement["item"], (star.statement, set()))[1].update(of_star)
    for at, names in (unsure[item] for item in sorted(unsure)):
        found = ambiguous(names)
        words = (found.code.value, SEVERITY[found.code].value, found.message, found.subject, found.hint)
        records.diagnostic((at["item"], *words, *(at[each] for each in ("start", "end", "line", "column"))))
