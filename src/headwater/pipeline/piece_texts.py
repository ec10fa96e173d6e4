"""The texts of pieces, for those who analyse them: as they were cut just now, or sliced out of their script again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from headwater.pipeline.chosen import chosen
from headwater.pipeline.cuts import KEPT, Cuts
from headwater.pipeline.script_texts import ScriptTexts
from headwater.pipeline.split import CUT, PIECE
from headwater.pipeline.units import Ids
from headwater.runtime.arrow_ddl import ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_FIELDS = ("ordinal", "raw", "readable", "default_schema")
_TEXTS = pa.schema(
    [
        *(CUT.field(name) for name in ("script_id", "dialect", "schema")),
        ("pieces", pa.list_(pa.struct([(name, PIECE[name]) for name in _FIELDS]))),
    ]
)


@dataclass(frozen=True, slots=True)
class PieceTexts:
    """Where the texts of pieces are found."""

    scripts: ScriptTexts
    cuts: Cuts

    def of(self, scripts: Ids) -> DataFrame:
        """The pieces of all scripts that were cut in this build, and of these that were not."""
        spark = self.scripts.read.sparkSession
        found = _flat(spark.read.schema(ddl(CUT)).parquet(str(self.cuts.made)))
        standing = np.intersect1d(scripts, self.cuts.standing)
        if not len(standing):
            return found
        kept = spark.read.schema(ddl(KEPT)).parquet(str(self.cuts.folder)).select("script_id", "pieces")
        texts = self.scripts.of(standing).select("script_id", "dialect", "schema", "text")
        sliced = texts.join(chosen(kept, "script_id", standing), "script_id").mapInArrow(_slice, ddl(_TEXTS))
        return found.unionByName(_flat(sliced))


def _flat(cuts: DataFrame) -> DataFrame:
    """A row for each piece."""
    from pyspark.sql import functions as f

    whose = ["script_id", "dialect", "schema"]
    pieces = cuts.select(*whose, f.explode("pieces").alias("piece"))
    return pieces.select(*whose, *(f"piece.{name}" for name in _FIELDS))


def _slice(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Give pieces their texts again."""
    for batch in batches:
        columns = {name: batch.column(name) for name in _TEXTS.names}
        columns["pieces"] = _with_texts(batch.column("pieces"), batch.column("text").to_pylist())
        yield pa.RecordBatch.from_arrays(list(columns.values()), schema=_TEXTS)


def _with_texts(pieces: pa.ListArray, texts: list[str]) -> pa.ListArray:
    inside = pieces.flatten()
    starts, ends = inside.field("start").to_pylist(), inside.field("end").to_pylist()
    owners = pieces.value_parent_indices().to_pylist()
    raw = [texts[owner][start:end] for owner, start, end in zip(owners, starts, ends, strict=True)]
    arrays = {
        "ordinal": inside.field("ordinal"),
        "raw": pa.array(raw, pa.string()),
        "readable": pa.nulls(len(raw), pa.string()),
        "default_schema": inside.field("default_schema"),
    }
    struct = pa.StructArray.from_arrays(list(arrays.values()), fields=list(_TEXTS.field("pieces").type.value_type))
    lengths = pieces.value_lengths().to_numpy(zero_copy_only=False)
    offsets = pa.array([0, *lengths.cumsum().tolist()], pa.int32())
    return pa.ListArray.from_arrays(offsets, struct)
