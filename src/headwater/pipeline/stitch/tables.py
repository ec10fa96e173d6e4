"""Records to the store's tables: what units said of the same thing, put together.

An entity that one statement takes for a table and another creates as a view is a view; a column for which one schema vouches is not
inferred; of several spellings the first by path counts. All of it is independent of order.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

from headwater.captured import CAPTURED
from headwater.model.entity import PSEUDO_ROWS, SEMANTIC
from headwater.pipeline.extract.kind_text import with_kind
from headwater.pipeline.read.openlineage import OPENLINEAGE
from headwater.pipeline.stitch.parts import Parts
from headwater.project.resolved import PROJECT
from headwater.store.schema import PROCESSES, RELATIONS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, WindowSpec

_KINDS = (*sorted(SEMANTIC), "view", "table", "path", "stage", "pseudoTable", "resultset")
"""Of what is said about an entity's kind, the first of these counts."""

Keep = Callable[["DataFrame", str], "DataFrame"]
"""Writes a frame to the work place, under a name, and reads it again."""

COSTS = ("bytes", "seconds", "credits")
_EXACT = "decimal(38,9)"
"""Sums of such numbers do not depend on their order."""
KEYS = {
    **dict.fromkeys(("scripts", "statements", "diagnostics"), "script_id"),
    **dict.fromkeys(("processes", "relations"), "process_id"),
    **dict.fromkeys(("entities", "columns"), "entity_id"),
}
"""The column of each table by which its rows are stitched anew together."""


def stitch(parts: Parts, keep: Keep) -> dict[str, Callable[[], DataFrame]]:
    """The tables of the store, each to be made by whoever writes it; what several of them are made of is worked out once, and kept."""
    statements = _Once(lambda: keep(_statements(parts), "statements"))
    definitions = _Once(lambda: keep(_definitions(parts), "definitions"))
    return {
        "relations": lambda: _relations(parts),
        "columns": lambda: _columns(parts, definitions()),
        "entities": lambda: _entities(parts, definitions()),
        "statements": lambda: _placed(statements()),
        "processes": lambda: _processes(parts, statements()),
        "scripts": lambda: _scripts(parts, statements()),
        "diagnostics": lambda: _diagnostics(parts, statements()),
    }


class _Once:
    """Something that is made when it is needed first; others who need it wait."""

    def __init__(self, make: Callable[[], DataFrame]) -> None:
        self._make = make
        self._made: DataFrame | None = None
        self._turn = Lock()

    def __call__(self) -> DataFrame:
        with self._turn:
            if self._made is None:
                self._made = self._make()
            return self._made


def _statements(parts: Parts) -> DataFrame:
    """Every place of every statement: a unit's statements at each of the unit's pieces."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    made = parts.statements_of_units().withColumnRenamed("line", "below").drop(*_WORDS)
    variant = f.col("alone") & (f.col("piece_hash") != f.col("query_hash"))
    seen = parts.scripts.select("script_id", "seen", "costs")
    in_script = Window.partitionBy("script_id").orderBy("start", "end", "process_id")
    return (
        parts.pieces()
        .drop("ordinal")
        .join(made, "unit_id")
        .join(seen, "script_id")
        .withColumns(
            {
                "start": f.col("piece_start") + f.col("start"),
                "variant": variant,
                "end": f.when(variant, f.col("piece_end")).otherwise(f.col("piece_start") + f.col("end")),
                "line": f.col("piece_line") + f.col("below"),
                "column": _column_beside("column"),
            }
        )
        .withColumn("ordinal", f.row_number().over(in_script) - 1)
        .withColumn("statement_id", f.xxhash64(f.lit("statement"), "script_id", "ordinal"))
        .withColumn("cost", _cost_at("start"))
        .withColumns(_shared_cost(Window.partitionBy("script_id", "cost.start")))
        .drop("costs", "cost")
    )


def _cost_at(start: str) -> Column:
    """The cost that a log gives for the statement at an offset of its script; null if it gives none."""
    from pyspark.sql import functions as f

    before = f.size(f.filter("costs.start", lambda each: each <= f.col(start)))
    return f.get("costs", before - 1)


def _shared_cost(same: WindowSpec) -> dict[str, Column]:
    """The cost of each statement: where several of them stand in one row of a log, they share it."""
    from pyspark.sql import functions as f

    count = f.count("*").over(same)
    shares = {name: f.col(f"cost.{name}") / count for name in ("seconds", "credits")}
    return {"bytes": f.floor(f.col("cost.bytes") / count).cast("bigint"), **shares}


def _placed(statements: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    own = f.when(f.col("variant"), f.col("piece_hash")).otherwise(f.col("query_hash"))
    columns = ["statement_id", "script_id", "ordinal", "start", "end", "line", "column", "process_id"]
    return statements.select(*columns, own.alias("query_hash"), "seen", *COSTS)


def _scripts(parts: Parts, statements: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    counts = statements.groupBy("script_id").agg(f.count("*").cast("int").alias("statements"))
    redacted = parts.of_scripts("scripts")
    has_text = ~f.col("kind").isin("log", CAPTURED, OPENLINEAGE, PROJECT)
    is_template = (f.col("kind") == PROJECT) & (f.col("redacted") != "")
    text = f.when(has_text | is_template, f.col("redacted")).alias("text")
    return (
        parts.scripts.join(redacted, "script_id")
        .join(counts, "script_id", "left")
        .select(
            *("script_id", "path", "kind", "dialect", "default_schema", "encoding", "digest", text),
            f.coalesce("statements", f.lit(0)).alias("statements"),
            *("seen", "first_seen", "last_seen", "users"),
            *(_total(name).alias(name) for name in COSTS),
        )
    )


def _total(name: str) -> Column:
    """What a script costs altogether; null if nobody says."""
    from pyspark.sql import functions as f

    type = "bigint" if name == "bytes" else "double"
    told = f.filter(f.col(f"costs.{name}"), lambda each: each.isNotNull())
    summed = f.aggregate(told, f.lit(0).cast(type), lambda total, each: total + each)
    return f.when(f.size(told) > 0, summed)


_WORDS = ("type", "name", "procedure", "dialect", "text")


def _processes(parts: Parts, statements: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    made = parts.statements_of_processes()
    words = made.groupBy("process_id").agg(*(f.min(name).alias(name) for name in (*_WORDS, "query_hash")))
    seen = parts.scripts.select("script_id", "seen", "first_seen", "last_seen", "users")
    places = statements.select("process_id", "script_id", *COSTS).unionByName(parts.elsewhere())
    met = places.join(seen, "script_id")
    counts = met.groupBy("process_id").agg(
        f.sum("seen").alias("seen"),
        f.min("first_seen").alias("first_seen"),
        f.max("last_seen").alias("last_seen"),
        f.array_sort(f.array_distinct(f.flatten(f.collect_set("users")))).alias("users"),
        f.sum("bytes").alias("bytes"),
        *(f.sum(f.col(name).cast(_EXACT)).cast("double").alias(name) for name in ("seconds", "credits")),
    )
    return words.join(counts, "process_id").select(*(field.name for field in PROCESSES.fields))


def _definitions(parts: Parts) -> DataFrame:
    """The definitions of tables in force at the end: the last by path, of a temporary table the last of its script."""
    from pyspark.sql import functions as f

    made = parts.of_entities("definitions").where("entity_id != 0 and not dropped")
    made = made.withColumnRenamed("process_id", "defined_by")
    last = f.max_by(f.struct("known", "column_ids", "columns", "types", "defined_by"), f.struct("place", "number"))
    return (
        made.join(parts.places(), "unit_id").groupBy("entity_id").agg(last.alias("last")).select("entity_id", "last.*")
    )


def _entities(parts: Parts, definitions: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    named = parts.of_entities("entities").join(parts.places(), "unit_id")
    met = named.groupBy("entity_id").agg(
        f.min(_rank("kind")).alias("rank"),
        f.min("parts").alias("parts"),
        f.min("name").alias("name"),
        f.min_by("spelling", f.struct("place", "start", "spelling")).alias("spelling"),
        f.bool_or("temporary").alias("temporary"),
        f.min("scope_id").alias("scope_id"),
        f.max("file_format").alias("file_format"),
    )
    known = parts.of_catalog().select("entity_id", f.col("parts").alias("known_parts"))
    told = definitions.select("entity_id", "known", "defined_by")
    kinds = f.array(*(f.lit(kind) for kind in _KINDS))
    name = f.coalesce("name", f.array_join("known_parts", "."))
    return (
        met.join(known, "entity_id", "full")
        .join(told, "entity_id", "left")
        .select(
            "entity_id",
            f.coalesce(f.get(kinds, f.col("rank")), f.lit("table")).alias("kind"),
            f.coalesce("parts", "known_parts").alias("parts"),
            name.alias("name"),
            f.coalesce("spelling", name).alias("spelling"),
            f.coalesce("temporary", f.lit(False)).alias("temporary"),
            f.coalesce("scope_id", f.lit(0)).cast("long").alias("scope_id"),
            (f.coalesce("known", f.lit(False)) | f.col("known_parts").isNotNull()).alias("complete"),
            f.coalesce("file_format", f.lit("")).alias("file_format"),
            f.coalesce("defined_by", f.lit(0)).cast("long").alias("defined_by"),
        )
    )


def _rank(column: str) -> Column:
    """The rank of a kind; `array_position` gives wrong ranks on Spark 4.3 where code is not compiled."""
    from pyspark.sql import functions as f

    return f.coalesce(*(f.when(f.col(column) == kind, f.lit(rank)) for rank, kind in enumerate(_KINDS)))


def _columns(parts: Parts, definitions: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    met = (
        parts.of_entities("columns")
        .groupBy("column_id")
        .agg(
            f.min("entity_id").alias("entity_id"),
            f.min("name").alias("name"),
            f.min("ordinal").alias("place"),
            f.bool_and("inferred").alias("inferred"),
            f.max("value").alias("value"),
        )
    )
    listed = ["entity_id", "column_ids", "columns", "types"]
    told = (
        parts.of_catalog()
        .select(*listed, f.lit(0).alias("rank"))
        .unionByName(definitions.where("known").select(*listed, f.lit(1).alias("rank")))
    )
    best = told.groupBy("entity_id").agg(f.min_by(f.struct(*listed[1:]), "rank").alias("best"))
    zipped = f.arrays_zip("best.column_ids", "best.columns", "best.types")
    declared = best.select("entity_id", f.posexplode(zipped).alias("ordinal", "column")).select(
        f.col("column.column_ids").alias("column_id"),
        f.col("entity_id").alias("owner_id"),
        f.col("column.columns").alias("declared"),
        "ordinal",
        f.col("column.types").alias("data_type"),
    )
    return met.join(declared, "column_id", "full").select(
        "column_id",
        f.coalesce("entity_id", "owner_id").alias("entity_id"),
        f.coalesce("name", "declared").alias("name"),
        f.coalesce("ordinal", "place").alias("ordinal"),
        f.coalesce("data_type", f.lit("")).alias("data_type"),
        (f.coalesce("inferred", f.lit(False)) & f.col("ordinal").isNull()).alias("inferred"),
        (f.coalesce("name", f.lit("")) == PSEUDO_ROWS).alias("row_set"),
        "value",
    )


def _relations(parts: Parts) -> DataFrame:
    from pyspark.sql import functions as f

    found = parts.relations()
    same = ["source_id", "target_id", "process_id", "kind", "expression"]
    first = f.min(f.struct("start", "end")).alias("place")
    single = found.groupBy(*same).agg(first).withColumn("relation_id", f.xxhash64(*same))
    named = [field.name for field in RELATIONS.fields]
    return with_kind(single.select("relation_id", *same, "place.*")).select(*named)


def _diagnostics(parts: Parts, statements: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    said = parts.diagnostics().withColumnsRenamed({"start": "from", "end": "to", "line": "below", "column": "beside"})
    at = statements.select(
        *("unit_id", "item", "script_id", "statement_id", "process_id", "variant"),
        *("piece_start", "piece_end", "piece_line", "piece_column"),
    )
    words = ["code", "severity", "message", "subject", "hint"]
    placed = said.join(at, ["unit_id", "item"]).select(
        *("script_id", "statement_id", "process_id", *words),
        _unless_variant(f.col("piece_start"), f.col("piece_start") + f.col("from")).alias("start"),
        _unless_variant(f.col("piece_end"), f.col("piece_start") + f.col("to")).alias("end"),
        _unless_variant(f.col("piece_line"), f.col("piece_line") + f.col("below")).alias("line"),
        _unless_variant(f.col("piece_column"), _column_beside("beside")).alias("column"),
    )
    of_scripts = parts.of_scripts("diagnostics").select(
        *("script_id", f.lit(0).cast("long").alias("statement_id"), f.lit(0).cast("long").alias("process_id")),
        *(*words, "start", "end", "line", "column"),
    )
    return placed.unionByName(of_scripts)


def _column_beside(column: str) -> Column:
    """The column in the script of something at a column of a unit."""
    from pyspark.sql import functions as f

    return f.when(f.col("below") == 0, f.col("piece_column")).otherwise(1) + f.col(column)


def _unless_variant(whole: Column, exact: Column) -> Column:
    """An exact place; in a statement with other literals than the one that was analysed, the statement's own."""
    from pyspark.sql import functions as f

    return f.when(f.col("variant"), whole).otherwise(exact)
