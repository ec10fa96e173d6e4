"""Pieces to units: what is analysed once, however often it occurs.

The same text under the same dialect and default schema is one unit. Where a piece hangs on something of its own script, a temporary table
or a table that different scripts define differently, it is a unit of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def pieces_of(split: DataFrame) -> DataFrame:
    """The pieces of cut scripts, one row each, with their units."""
    from pyspark.sql import functions as f

    flat = split.select("script_id", "path", "dialect", "schema", f.explode("pieces").alias("piece"))
    pieces = flat.select("script_id", "path", "dialect", "schema", "piece.*")
    overridden = _overridden(pieces).withColumn("overridden", f.lit(True))
    scoped = f.col("scoped") | f.coalesce("overridden", f.lit(False))
    own = f.xxhash64(f.lit("unit"), "text_key", "script_id", "ordinal")
    return (
        pieces.join(overridden, ["script_id", "ordinal"], "left")
        .withColumn("unit_id", f.when(scoped, own).otherwise(f.col("text_key")))
        .withColumn("scope_id", f.when(scoped, f.col("script_id")).otherwise(f.lit(0)))
        .drop("overridden", "scoped", "text_key")
    )


def _overridden(pieces: DataFrame) -> DataFrame:
    """Pieces behind a definition, in their own script, of a table that is defined differently elsewhere."""
    from pyspark.sql import functions as f

    defined = pieces.where(~f.col("temporary")).select(
        "script_id", "ordinal", "text_key", f.explode("defines").alias("name")
    )
    contested = defined.groupBy("name").agg(f.count_distinct("text_key").alias("n")).where("n > 1").select("name")
    local = defined.join(contested, "name").groupBy("script_id", "name").agg(f.min("ordinal").alias("first"))
    named = pieces.select("script_id", "ordinal", f.explode("mentions").alias("name"))
    return named.join(local, ["script_id", "name"]).where("ordinal > first").select("script_id", "ordinal").distinct()


PLACE = ("path", "ordinal", "script_id")
"""What says which of two pieces comes first. The statements of a log have one path, and are told apart by their ids."""


def units_of(pieces: DataFrame) -> DataFrame:
    """The units of pieces: of all places where a unit occurs, the first stands for it."""
    from pyspark.sql import functions as f

    kept = ["script_id", "path", "ordinal", "dialect", "schema", "raw", "readable", "default_schema", "scope_id"]
    kept += ["query_hash", "mentions", "defines"]
    first = f.min_by(f.struct(*kept), f.struct(*PLACE))
    return pieces.groupBy("unit_id").agg(first.alias("first")).select("unit_id", "first.*")
