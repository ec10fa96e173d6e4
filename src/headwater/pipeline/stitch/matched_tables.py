"""Tables of the corpus that fit the wildcards which units read (`lineage.matched` does the same inside of a script).

Each unit has said which names stand for many tables, and which of their columns it reads. The tables of all other units are tried; those
of the catalog, the unit knew itself. Written places of stages are found for the units that read a stage, in the same way.
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
from headwater.store.identity import column_id

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
    rows = [row for row in _wildcards(extracted, only) if not _is_place(row)]
    if not rows:
        return []
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


def _wildcards(extracted: Extracted, only: Only) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = extracted.chunks_with(only).table("wildcards", only).to_pylist()
    return found


def _is_place(row: Mapping[str, Any]) -> bool:
    return Wildcard(0, tuple(map(_part, row["parts"]))).is_place


def _named(extracted: Extracted) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The lasting tables and views that units name."""
    rows = extracted.records.table("entities").select(["entity_id", "kind", "parts", "temporary"])
    rows = rows.filter(pc.and_(pc.is_in(rows.column("kind"), _KINDS), pc.invert(rows.column("temporary"))))
    for key, parts in zip(rows.column("entity_id").to_pylist(), rows.column("parts").to_pylist(), strict=True):
        yield key, tuple(parts)


class MetPlaces(NamedTuple):
    """A stage or place that a statement reads, and the written places that meet it."""

    unit: int
    said: Mapping[str, Any]
    """The record (`wildcards`)."""
    places: list[int]
    relations: list[Mapping[str, Any]]
    """What the statement reads of the stage; it reads the same of each place."""


def met_places(extracted: Extracted, units: Ids) -> list[MetPlaces]:
    """Find the places that other units write and that the readers of stages among some units read."""
    if not len(units):
        return []
    only = Only.of("unit_id", units)
    rows = [row for row in _wildcards(extracted, only) if _is_place(row)]
    if not rows:
        return []
    written = _written_places(extracted, {(row["unit_id"], row["entity_id"]) for row in rows})
    found: list[MetPlaces] = []
    for row in sorted(rows, key=lambda row: (row["unit_id"], row["item"], row["entity_id"])):
        met = [key for key in _fitting(tuple(row["parts"]), written) if key not in row["written"]]
        found += [MetPlaces(row["unit_id"], row, met, [])] if met else []
    _add_relations(extracted, found)
    return found


def _written_places(extracted: Extracted, read: set[tuple[int, int]]) -> dict[int, tuple[str, ...]]:
    """The places of stages that units name, but for those that they only read."""
    rows = extracted.records.table("entities").select(["unit_id", "entity_id", "kind", "parts"])
    rows = rows.filter(pc.equal(rows.column("kind"), EntityKind.STAGE.value)).to_pylist()
    return {row["entity_id"]: tuple(row["parts"]) for row in rows if (row["unit_id"], row["entity_id"]) not in read}


def _add_relations(extracted: Extracted, found: list[MetPlaces]) -> None:
    """Add what each statement reads of its stage."""
    if not found:
        return
    only = Only.of("unit_id", np.array(sorted({each.unit for each in found}), np.int64))
    own: dict[tuple[int, int, int], list[Mapping[str, Any]]] = {}
    for row in extracted.chunks_with(only).table("relations", only).to_pylist():
        own.setdefault((row["unit_id"], row["process_id"], row["source_id"]), []).append(row)
    for each in found:
        stage = {column_id(each.said["entity_id"], name) for name in (*each.said["names"], PSEUDO_ROWS)}
        for column in sorted(stage):
            rows = own.get((each.unit, each.said["process_id"], column), ())
            each.relations.extend(row for row in rows if row["target_id"] not in stage)


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
