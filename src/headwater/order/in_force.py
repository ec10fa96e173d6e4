"""`InForce`: which definition of a table counts at which place of a corpus.

    a.sql:  CREATE TABLE report AS SELECT total FROM v
    b.sql:  CREATE VIEW v AS SELECT sum(x) AS total FROM t      -- in force in a.sql

A statement's own script comes first: the last definition before the statement. A statement that defines the table itself, as ALTER does,
sees the one before it. Everybody else sees the last definition of the corpus, by path. Temporary tables are known in their script alone.
`pipeline.plan.units.requirements` is the same rule over arrays of ids.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from headwater.model.entity import TableName
from headwater.sql.mentions import Mentions


class Place(NamedTuple):
    """A statement: the number of its script, and its own number there."""

    script: int
    ordinal: int


class InForce:
    """The definitions of a corpus, by name."""

    def __init__(self, scripts: Sequence[Sequence[Mentions]]) -> None:
        """*scripts* have what their statements mention, in the order of their paths."""
        self._scripts = scripts
        self._lasting: dict[TableName, list[Place]] = {}
        self._own: dict[tuple[int, TableName], list[int]] = {}
        for number, statements in enumerate(scripts):
            for ordinal, each in enumerate(statements):
                passing = bool(each.temporary) and set(each.defined) <= set(each.temporary)
                for name in each.defined:
                    self._own.setdefault((number, name), []).append(ordinal)
                    if not passing:
                        self._lasting.setdefault(name, []).append(Place(number, ordinal))

    def definer(self, table: TableName, place: Place) -> Place | None:
        """The statement whose definition of a table is in force at a place."""
        own = self._own.get((place.script, table), ())
        before = bisect_left(own, place.ordinal)
        if before:
            return Place(place.script, own[before - 1])
        lasting = self._lasting.get(table)
        if not lasting:
            return None
        if before < len(own) and own[before] == place.ordinal:
            earlier = bisect_left(lasting, place)
            return lasting[earlier - 1] if earlier else None
        return lasting[-1]

    def needs(self, place: Place) -> dict[Place, list[TableName]]:
        """The statements whose definitions a statement needs, and of which tables."""
        found: dict[Place, list[TableName]] = {}
        for name in self._scripts[place.script][place.ordinal].named:
            if name in self._lasting or (place.script, name) in self._own:
                definer = self.definer(name, place)
                if definer is not None and definer != place:
                    found.setdefault(definer, []).append(name)
        return found
