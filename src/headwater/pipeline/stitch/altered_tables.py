"""Tables that ALTER changes between the unit that fills them with an open star and the one that asks for a column.

    CREATE TABLE o AS SELECT * FROM t      -- the star
    ALTER TABLE o ADD COLUMN x int         -- needs the first unit
    INSERT INTO p SELECT a, x FROM o       -- needs the second one: o.a comes through the star, o.x does not

A unit means the definitions that it needs; behind one that only alters the table, also those that this one needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from headwater.pipeline.extract.extracted import Extracted
from headwater.pipeline.ids import Ids, Only
from headwater.pipeline.plan.units import Pieces, Units


class Writer(NamedTuple):
    """A statement that fills a table, or adds a column to it: its unit, and its number there."""

    unit: int
    item: int


class AlteredTables:
    """Who alters which tables, and who needs whom."""

    def __init__(self, rows: Iterable[Mapping[str, Any]], needs: Mapping[int, list[int]], places: Places) -> None:
        """*rows* are records of alterations; *needs* are, for a unit, those that it needs."""
        self._needs = needs
        self._places = places
        self._alterers: dict[int, set[int]] = {}
        self._adders: dict[tuple[int, str], list[Writer]] = {}
        self._reached: dict[tuple[int, int], frozenset[int]] = {}
        for row in rows:
            self._alterers.setdefault(row["entity_id"], set()).add(row["unit_id"])
            if row["name"]:
                adder = Writer(row["unit_id"], row["item"])
                self._adders.setdefault((row["entity_id"], row["name"]), []).append(adder)

    def reached(self, unit: int, entity: int) -> frozenset[int]:
        """The units whose definition of an entity a unit means, and those that altered it since."""
        found = self._reached.get((unit, entity))
        if found is None:
            found = self._reached[unit, entity] = frozenset(self._reach(unit, self._alterers.get(entity, set())))
        return found

    def _reach(self, unit: int, alterers: set[int]) -> set[int]:
        found: set[int] = set()
        stack = [unit]
        while stack:
            for each in self._needs.get(stack.pop(), ()):
                if each not in found:
                    found.add(each)
                    stack += [each] if each in alterers else []
        return found

    def is_new(self, entity: int, name: str, writer: Writer, defines: bool, unit: int) -> bool:
        """Whether a table got a column after a statement had written the table, or *defined* it, and before a unit asks for the column."""
        for adder in self._adders.get((entity, name), ()):
            if adder.unit == writer.unit:
                between = writer.item < adder.item
            elif defines:
                asked = unit == adder.unit or adder.unit in self.reached(unit, entity)
                between = asked and writer.unit in self.reached(adder.unit, entity)
            else:
                between = self._places.is_between(writer.unit, adder.unit, unit)
            if between:
                return True
        return False


class Places:
    """Where units stand."""

    def __init__(self, pieces: Pieces, units: Units) -> None:
        self._pieces = pieces
        self._units = units

    def is_between(self, first: int, middle: int, last: int) -> bool:
        """Whether in each script that has the *first* unit the *middle* one comes behind it, and the *last* one not before that."""
        behind, asked = self._by_script(middle), self._by_script(last)
        for script, places in self._by_script(first).items():
            later = [place for place in behind.get(script, ()) if place > places[-1]]
            if not later or (script in asked and asked[script][-1] < later[0]):
                return False
        return True

    def _by_script(self, unit: int) -> dict[int, list[int]]:
        """The places of a unit in each of its scripts, in order."""
        found: dict[int, list[int]] = {}
        number = int(np.searchsorted(self._units.ids, unit))
        for piece in np.flatnonzero(self._units.of_piece == number).tolist():
            found.setdefault(int(self._pieces.script[piece]), []).append(piece)
        return found


def altered_tables(extracted: Extracted, pieces: Pieces, units: Units, user: Ids, definer: Ids) -> AlteredTables:
    """Find the units that alter what open stars are written into."""
    opened, entities = extracted.memo.pairs("open", units)
    altering, altered = extracted.memo.pairs("altered", units)
    altering = np.unique(altering[np.isin(altered, entities)])
    rows: list[Mapping[str, Any]] = []
    if len(altering):
        only = Only.of("unit_id", units.ids[altering])
        rows = extracted.chunks_with(only).table("alterations", only).to_pylist()
    counts = np.isin(definer, np.concatenate([opened, altering]))
    needs: dict[int, list[int]] = {}
    for one, other in zip(units.ids[user[counts]].tolist(), units.ids[definer[counts]].tolist(), strict=True):
        needs.setdefault(one, []).append(other)
    return AlteredTables(rows, needs, Places(pieces, units))
