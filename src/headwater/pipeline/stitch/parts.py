"""What there is to stitch: scripts, pieces, records; all of them, or those that speak of something that has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from headwater.pipeline.exchange import Exchange
from headwater.pipeline.extract.extracted import Extracted
from headwater.pipeline.ids import Ids, Only, is_among
from headwater.pipeline.packed import MADE_IN, Chunks, Superseded, unpack
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
ELSEWHERE = pa.schema(
    [
        *((name, pa.int64()) for name in ("process_id", "script_id", "bytes")),
        *((name, pa.float64()) for name in ("seconds", "credits")),
    ]
)
"""Where processes stand in scripts that are not stitched, and what they cost there."""
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

    @property
    def described(self) -> Ids:
        """The scripts that something must be known of."""
        return np.union1d(self.scripts, self.elsewhere.column("script_id").to_numpy())


@dataclass(frozen=True, slots=True)
class Parts:
    """What there is to stitch."""

    exchange: Exchange
    scripts: DataFrame
    """What is known of scripts, but their texts."""
    cuts: Chunks
    contested: Ids
    """The names that different texts define: by these the units of pieces are found."""
    extracted: Extracted
    star_records: Mapping[str, pa.Table]
    """More records of the same units: of columns behind their open stars."""
    unit_places: pa.Table
    known: pa.Table
    changed: Changed | None = None
    """What is to be stitched; everything, without it."""

    def of_scripts(self, table: str) -> DataFrame:
        """A table of cut scripts."""
        return self._rows(self.cuts, table, *self._only("script_id", "scripts"))

    def pieces(self) -> DataFrame:
        """The pieces of scripts, with their places and their units."""
        if self.exchange.little:
            only = self._only("script_id", "scripts")
            in_order = [("script_id", "ascending"), ("ordinal", "ascending")]
            pieces, places = (self.cuts.table(name, *only).sort_by(in_order) for name in ("pieces", "places"))
            names = self.cuts.table("names", Only.of("text_key", pieces.column("text_key").to_numpy()))
            return self.exchange.send(_placed(pieces, places, names, self.contested))
        wanted = self.changed.scripts if self.changed is not None else None
        find = _piece_finder(self.cuts.superseded, self.contested, wanted)
        packed = self.cuts.saved.frame(MADE_IN, "pieces", "places", "names")
        return packed.mapInArrow(find, ddl(_PIECE))

    def statements_of_units(self) -> DataFrame:
        """The statements of the units that stand in the scripts."""
        return self._recorded("statements", *self._only("unit_id", "units"))

    def statements_of_processes(self) -> DataFrame:
        """The statements that the processes are."""
        return self._recorded("statements", *self._only("process_id", "processes"))

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
        found = self._recorded(table, *only)
        more = self.star_records.get(table)
        if more is None:
            return found
        for each in only:
            more = each.among(more)
        return found.unionByName(self.exchange.send(more)) if len(more) else found

    def _recorded(self, table: str, *only: Only) -> DataFrame:
        """Records of units."""
        return self._rows(self.extracted.chunks_with(only[0]) if only else self.extracted.records, table, *only)

    def _rows(self, chunks: Chunks, table: str, *only: Only) -> DataFrame:
        """Rows of chunks: picked by the driver, if they are few."""
        return self.exchange.send(chunks.table(table, *only)) if self.exchange.little else chunks.rows(table, *only)

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
                    alive = _alive(unpack(pieces), unpack(places), dead, scripts)
                    yield from _placed(*alive, unpack(names), contested).to_batches()

    return run


def _alive(pieces: pa.Table, places: pa.Table, dead: Ids | None, scripts: Ids | None) -> tuple[pa.Table, pa.Table]:
    """The pieces of a chunk that are not superseded and stand in some scripts, with their places."""
    script = pieces.column("script_id").to_numpy()
    meant = np.ones(len(script), bool) if scripts is None else is_among(scripts, script)
    if dead is not None:
        meant &= ~is_among(dead, script)
    return pieces.filter(pa.array(meant)), places.filter(pa.array(meant))


def _placed(pieces: pa.Table, places: pa.Table, names: pa.Table, contested: Ids) -> pa.Table:
    """Pieces with their units and their places, which are in the same order."""
    units = pa.array(unit_ids(pieces, names, contested), pa.int64())
    columns = [pieces.column("script_id"), pieces.column("ordinal"), units]
    columns += [places.column(name) for name in CUT_TABLES["places"].names[2:]]
    return pa.Table.from_arrays(columns, schema=_PIECE).combine_chunks()
