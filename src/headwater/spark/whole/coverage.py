"""How much of what is written can be traced, schema by schema. All schemas together are what `headwater.pipeline.stitch.coverage` counts.

A diagnostic is of a statement, and counts once: with the schema of what the statement writes or defines, the first by name if there are
several; else with its script's default schema.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from headwater.spark.whole.tables import Tables

COUNTS = ("entities", "columns", "inferred", "written", "sourced", "unsourced")


def coverage(tables: Tables) -> DataFrame:
    """A row per schema, by name: `schema`, `entities`, `columns`, `inferred`, `written`, `sourced`, `unsourced`, `diagnostics`, `codes`.

    Row sets are no columns here. What stands in no schema is in that of the name ''. `codes` has the numbers of diagnostics by code.
    """
    entities = tables.entities.select("entity_id", "defined_by", _schema().alias("schema"))
    counted = _counted(entities, tables)
    said = _said(entities, tables)
    joined = counted.join(said, "schema", "full")
    numbers = (f.coalesce(name, f.lit(0)).cast("bigint").alias(name) for name in (*COUNTS, "diagnostics"))
    codes = f.coalesce("codes", f.create_map().cast("map<string,bigint>")).alias("codes")
    return joined.select("schema", *numbers, codes).orderBy("schema")


def _schema() -> Column:
    """All of a name but its last part, as it is shown."""
    return f.array_join(f.slice("parts", 1, f.greatest(f.size("parts") - 1, f.lit(0))), ".")


def _counted(entities: DataFrame, tables: Tables) -> DataFrame:
    """The entities and columns of each schema, by what is known of them."""
    reached = (
        tables.relations.select(f.col("target_id").alias("column_id")).distinct().withColumn("reached", f.lit(True))
    )
    columns = tables.columns.join(reached, "column_id", "left").withColumn(
        "reached", f.coalesce("reached", f.lit(False))
    )
    real = ~f.coalesce("row_set", f.lit(False))
    by_entity = columns.groupBy("entity_id").agg(
        f.count_if(real).alias("columns"),
        f.count_if(real & f.col("inferred")).alias("inferred"),
        f.count_if(real & f.col("reached")).alias("sourced"),
        f.max("reached").alias("written_into"),
    )
    written = f.when(f.col("written_into"), f.col("columns")).otherwise(0)
    every = entities.join(by_entity, "entity_id", "left").withColumn("written", written)
    sums = (f.sum(name).alias(name) for name in ("columns", "inferred", "written", "sourced"))
    found = every.groupBy("schema").agg(f.count("*").alias("entities"), *sums)
    return found.withColumn("unsourced", f.col("written") - f.col("sourced"))


def _said(entities: DataFrame, tables: Tables) -> DataFrame:
    """The diagnostics of each schema: how many, and by code."""
    defaults = tables.scripts.select("script_id", "default_schema")
    placed = tables.diagnostics.select("script_id", "process_id", "code")
    placed = placed.join(_schema_of_process(entities, tables), "process_id", "left").join(defaults, "script_id", "left")
    schema = f.coalesce("written_schema", "default_schema", f.lit(""))
    by_code = placed.groupBy(schema.alias("schema"), "code").agg(f.count("*").alias("count"))
    codes = f.map_from_entries(f.array_sort(f.collect_list(f.struct("code", "count"))))
    return by_code.groupBy("schema").agg(f.sum("count").alias("diagnostics"), codes.alias("codes"))


def _schema_of_process(entities: DataFrame, tables: Tables) -> DataFrame:
    """The schema that each process writes into: `process_id`, `written_schema`."""
    owners = tables.columns.select(f.col("column_id").alias("target_id"), "entity_id")
    written = tables.relations.select("process_id", "target_id").join(owners, "target_id").join(entities, "entity_id")
    defined = entities.select(f.col("defined_by").alias("process_id"), "schema").where("process_id != 0")
    both = written.select("process_id", "schema").unionByName(defined)
    return both.groupBy("process_id").agg(f.min("schema").alias("written_schema"))
