"""What there is to stitch: scripts, pieces, records; all of them, or those that speak of something that has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from headwater.pipeline.exchange import Exchange, Ids
from headwater.pipeline.packed import MADE_IN, Chunks, Only, Superseded, is_among, unpack
from headwater.pipeline.plan.units import unit_ids
from headwater.pipeline.split.chunk import SCHEMAS as CUT_TABLES
from headwater.runtime.arrow_ddl import ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

KNOWN = pa.schema(
    [
        ("entity_id", pa.int64()),
        ("parts", pa.list_(pa.string())),
        ("column_ids", pa.list_(pa.int64())),
        ("columns", pa.list_(pa.string())),
        ("types", pa.list_(pa.string())),
    ]
)
"""The catalog's tables."""
ELSEWHERE = pa.schema([("process_id", pa.int64()), ("script_id", pa.int64())])
"""Where processes stand in scripts that are not stitched."""
UNIT_PLACES = pa.schema([("unit_id", pa.int64()), ("place", pa.int64())])
"""The rank of a unit's first place in the corpus."""
_PIECE = pa.schema(
    [
        ("script_id", pa.int64()),
        ("ordinal", pa.int32()),
        ("unit_id", pa.int64()),
        *((f"piece_{name}", pa.int32()) for name in ("start", "end", "line", "column")),
        ("piece_hash", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class Changed:
    """The ids of what is to be stitched anew."""

    scripts: Ids
    processes: Ids
    related: Ids
    """The processes whose relations may be others."""
    entities: Ids
    units: Ids
    """The units that stand in changed scripts."""
    elsewhere: pa.Table
    """The places of changed processes in scripts that have not changed (`ELSEWHERE`)."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What there is to stitch."""

    exchange: Exchange
    scripts: DataFrame
    """What is known of scripts, but their texts."""
    cuts: Chunks
    contested: Ids
    """The names that different texts define: by these the units of pieces are found."""
    records: Chunks
    star_records: Mapping[str, pa.Table]
    """More records of the same units: of columns behind their open stars."""
    unit_places: pa.Table
    known: pa.Table
    changed: Changed | None = None
    """What is to be stitched; everything, without it."""

    def of_scripts(self, table: str) -> DataFrame:
        """A table of cut scripts."""
        return self.cuts.rows(table, *self._only("script_id", "scripts"))

    def pieces(self) -> DataFrame:
        """The pieces of scripts, with their places and their units."""
        wanted = self.changed.scripts if self.changed is not None else None
        find = _piece_finder(self.cuts.superseded, self.contested, wanted)
        frames = [saved.frame(MADE_IN, "pieces", "places", "names") for saved in self.cuts.saved]
        packed = frames[0]
        for frame in frames[1:]:
            packed = packed.unionByName(frame)
        return self.exchange.narrow(packed.mapInArrow(find, ddl(_PIECE)))

    def statements_of_units(self) -> DataFrame:
        """The statements of the units that stand in the scripts."""
        return self.records.rows("statements", *self._only("unit_id", "units"))

    def statements_of_processes(self) -> DataFrame:
        """The statements that the processes are."""
        return self.records.rows("statements", *self._only("process_id", "processes"))

    def of_entities(self, table: str) -> DataFrame:
        """Entities, columns or definitions."""
        return self._with_stars(table, *self._only("entity_id", "entities"))

    def relations(self) -> DataFrame:
        """Relations."""
        return self._with_stars("relations", *self._only("process_id", "related"))

    def diagnostics(self) -> DataFrame:
        """The diagnostics of units."""
        return self._with_stars("diagnostics", *self._only("unit_id", "units"))

    def of_catalog(self) -> DataFrame:
        """The catalog's tables."""
        known = self.known
        for only in self._only("entity_id", "entities"):
            known = only.among(known)
        return self.exchange.send(known)

    def places(self) -> DataFrame:
        """The places of units."""
        return self.exchange.send(self.unit_places)

    def elsewhere(self) -> DataFrame:
        """Where processes stand in scripts that are not stitched."""
        table = self.changed.elsewhere if self.changed is not None else ELSEWHERE.empty_table()
        return self.exchange.send(table)

    def _with_stars(self, table: str, *only: Only) -> DataFrame:
        found = self.records.rows(table, *only)
        more = self.star_records.get(table)
        if more is None:
            return found
        for each in only:
            more = each.among(more)
        return found.unionByName(self.exchange.send(more)) if len(more) else found

    def _only(self, column: str, field: str) -> tuple[Only, ...]:
        return (Only.of(column, getattr(self.changed, field)),) if self.changed is not None else ()


def _piece_finder(
    superseded: Superseded, contested: Ids, scripts: Ids | None
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Chunks of cut scripts to pieces with their units; a chunk has all pieces of its scripts."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for made_in, pieces, places, names in zip(*(batch.column(i) for i in range(4)), strict=True):
                if pieces.is_valid:
                    dead = superseded.get(made_in.as_py())
                    tables = unpack(pieces), unpack(places), unpack(names)
                    yield from _placed(*tables, contested, dead, scripts).to_batches()

    return run


def _placed(
    pieces: pa.Table, places: pa.Table, names: pa.Table, contested: Ids, dead: Ids | None, scripts: Ids | None
) -> pa.Table:
    script = pieces.column("script_id").to_numpy()
    meant = is_among(scripts, script) if scripts is not None else None
    if dead is not None:
        alive = ~is_among(dead, script)
        meant = alive if meant is None else meant & alive
    if meant is not None:
        pieces, places = pieces.filter(pa.array(meant)), places.filter(pa.array(meant))
    units = pa.array(unit_ids(pieces, names, contested), pa.int64())
    columns = [pieces.column("script_id"), pieces.column("ordinal"), units]
    columns += [places.column(name) for name in CUT_TABLES["places"].names[2:]]
    return pa.Table.from_arrays(columns, schema=_PIECE).combine_chunks()
