"""Tables of the corpus that fit the wildcards which units read (`lineage.matched` does the same inside of a script).

Each unit has said which names stand for many tables, and which of their columns it reads. The tables of all other units are tried; those
of the catalog, the unit knew itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.lineage.matched import VIRTUAL
from headwater.lineage.open_star import STAR
from headwater.model.entity import PSEUDO_ROWS, EntityKind
from headwater.model.resolution import Wildcard
from headwater.pipeline.extract.extracted import Extracted
from headwater.pipeline.ids import Ids, Only

_KINDS = pa.array([EntityKind.TABLE.value, EntityKind.VIEW.value])


class Matched(NamedTuple):
    """A wildcard that a statement reads, and for each name that it is asked for the tables that have it."""

    unit: int
    said: Mapping[str, Any]
    """The record (`wildcards`)."""
    tables: Mapping[int, frozenset[str] | None]
    """The tables that fit, with their columns; None where these are not known."""

    def having(self, name: str) -> Iterator[int]:
        """The tables that may have a column."""
        for table, columns in self.tables.items():
            if columns is None or name in columns or name in (STAR, PSEUDO_ROWS):
                yield table

    @property
    def names(self) -> list[str]:
        """The names that the statement asks for; with `*`, also those that tables are known to have."""
        asked = {name for name in self.said["names"] if name not in VIRTUAL}
        if STAR in asked:
            asked.update(name for columns in self.tables.values() for name in columns or ())
        return sorted(asked | {PSEUDO_ROWS})


def matched_tables(extracted: Extracted, units: Ids) -> list[Matched]:
    """Find the tables that fit the wildcards of some units, in no order that hangs on files."""
    if not len(units):
        return []
    only = Only.of("unit_id", units)
    rows = extracted.chunks_with(only).table("wildcards", only).to_pylist()
    wildcards = {row["entity_id"] for row in rows}
    own = {(row["entity_id"], each) for row in rows for each in row["written"]}
    named = {key: parts for key, parts in _named(extracted) if key not in wildcards}
    fitting = {pattern: _fitting(pattern, named) for pattern in {tuple(row["parts"]) for row in rows}}
    known = _columns(extracted, np.array(sorted({t for each in fitting.values() for t in each}), np.int64))
    found = []
    for row in sorted(rows, key=lambda row: (row["unit_id"], row["item"], row["entity_id"])):
        left_out = {*row["known"], *(table for wildcard, table in own if wildcard == row["entity_id"])}
        tables = {table: known.get(table) for table in fitting[tuple(row["parts"])] if table not in left_out}
        found += [Matched(row["unit_id"], row, tables)] if tables else []
    return found


def _named(extracted: Extracted) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The lasting tables and views that units name."""
    rows = extracted.records.table("entities").select(["entity_id", "kind", "parts", "temporary"])
    rows = rows.filter(pc.and_(pc.is_in(rows.column("kind"), _KINDS), pc.invert(rows.column("temporary"))))
    for key, parts in zip(rows.column("entity_id").to_pylist(), rows.column("parts").to_pylist(), strict=True):
        yield key, tuple(parts)


def _fitting(pattern: tuple[str, ...], named: Mapping[int, tuple[str, ...]]) -> list[int]:
    wildcard = Wildcard(0, tuple(_part(each) for each in pattern))
    return sorted(key for key, parts in named.items() if wildcard.fits(parts))


def _part(text: str) -> tuple[str, str]:
    how, _, rest = text.partition(" ")
    return how, rest


def _columns(extracted: Extracted, tables: Ids) -> dict[int, frozenset[str] | None]:
    """The columns that definitions give tables; None where one of them is open."""
    found: dict[int, frozenset[str] | None] = {}
    if not len(tables):
        return found
    only = Only.of("entity_id", tables)
    for row in extracted.chunks_with(only).table("definitions", only).to_pylist():
        if not row["dropped"]:
            before = found.setdefault(row["entity_id"], frozenset())
            found[row["entity_id"]] = before | set(row["columns"]) if row["known"] and before is not None else None
    return found
