"""What a script was cut into in the build before this one: a script that has not changed is not cut again.

A snapshot keeps its scripts' cuts without their texts, which may hold secrets and are in the script anyway: they are sliced out of it
again. A script that is not read as it is written (templates, placeholders, commands to a client), or that killed its process, is always
cut anew: of it only the keys are kept, by which the next build knows whether it has changed; one that killed its process may have
changed in any case, for that may have been chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa

from headwater.model.diagnostic import Code
from headwater.pipeline.arrow_ddl import ddl
from headwater.pipeline.options import Options
from headwater.pipeline.split import CUT, PIECE, split

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_TEXTS = ("raw", "readable")
_KEPT_PIECE = {name: type for name, type in PIECE.items() if name not in _TEXTS}
KEPT = pa.schema(
    [
        pa.field("pieces", pa.list_(pa.struct(list(_KEPT_PIECE.items())))) if field.name == "pieces" else field
        for field in CUT
        if field.name not in ("path", "dialect", "schema")
    ]
)
"""What is kept of a cut script."""
_NEVER = 0
"""In place of a key: no script has this one."""


def cuts_of(scripts: DataFrame, options: Options, earlier: DataFrame | None) -> DataFrame:
    """The cuts of scripts; those of the build before, where it cut the same text in the same way."""
    from pyspark.sql import functions as f

    keyed = _keyed(scripts, options)
    if earlier is None:
        return split(keyed, options)
    same = ["script_id", "content_key"]
    cut = earlier.where(f.col("pieces").isNotNull()).drop("script_key")
    known = keyed.select(*same, "script_key", "path", "dialect", "schema", "text").join(cut, same)
    filled = known.select(*(field.name for field in CUT), "text").mapInArrow(_fill, ddl(CUT))
    return split(keyed.join(cut.select(*same), same, "left_anti"), options).unionByName(filled)


def _keyed(scripts: DataFrame, options: Options) -> DataFrame:
    """Scripts with a key of what their cuts hang on, and one of everything that is known of them."""
    from pyspark.sql import functions as f

    def told(*columns: str) -> list[Column]:
        return [f.coalesce(f.col(column).cast("string"), f.lit("")) for column in columns]

    content = told("text", "dialect", "default_schema", "schema", "problem")
    whole = [f.col("content_key"), f.lit(options.dialect), f.array_join("users", "\0")]
    whole += told("path", "kind", "encoding", "seen", "first_seen", "last_seen")
    return scripts.withColumn("content_key", f.xxhash64(f.lit(options.key), *content)).withColumn(
        "script_key", f.xxhash64(*whole)
    )


def kept(cuts: DataFrame) -> DataFrame:
    """What a snapshot keeps of cut scripts."""
    from pyspark.sql import functions as f

    plain = f.forall("pieces", lambda piece: piece["readable"].isNull())
    crashed = f.exists("remarks", lambda remark: remark["code"] == Code.CRASHED.value)
    pieces = f.transform("pieces", lambda piece: f.struct(*(piece[name].alias(name) for name in _KEPT_PIECE)))
    keys = {name: f.when(~crashed, f.col(name)).otherwise(_NEVER) for name in ("script_key", "content_key")}
    return cuts.withColumns({**keys, "pieces": f.when(plain, pieces)}).select(*KEPT.names)


def _fill(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Give pieces their texts again."""
    for batch in batches:
        columns = {name: batch.column(name) for name in CUT.names}
        columns["pieces"] = _with_texts(batch.column("pieces"), batch.column("text").to_pylist())
        yield pa.RecordBatch.from_arrays(list(columns.values()), schema=CUT)


def _with_texts(pieces: pa.ListArray, texts: list[str]) -> pa.ListArray:
    inside = pieces.flatten()
    starts, ends = inside.field("start").to_pylist(), inside.field("end").to_pylist()
    owners = pieces.value_parent_indices().to_pylist()
    raw = [texts[owner][start:end] for owner, start, end in zip(owners, starts, ends, strict=True)]
    arrays = {name: inside.field(name) for name in _KEPT_PIECE}
    arrays |= {"raw": pa.array(raw, pa.string()), "readable": pa.nulls(len(raw), pa.string())}
    fields = [pa.field(name, type) for name, type in PIECE.items()]
    struct = pa.StructArray.from_arrays([arrays[name] for name in PIECE], fields=fields)
    lengths = pieces.value_lengths().to_numpy(zero_copy_only=False)
    offsets = pa.array([0, *lengths.cumsum().tolist()], pa.int32())
    return pa.ListArray.from_arrays(offsets, struct)
