"""Small programs that run the same in Spark's own driver and under Spark Connect; run as a script, under Connect.

    python tests/connect_programs.py <folder>

prints JSON: what was captured of each program, and of the example's ten steps.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as f

from headwater.lineage.lineage import Lineage
from headwater.spark import Capture, capture

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

EXAMPLE = Path(__file__).parent.parent / "examples" / "capture_job.py"
Found = dict[str, Any]


class Lake:
    """What a program finds: files and tables."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark = spark
        self.folder = folder

    @property
    def orders(self) -> DataFrame:
        """Files: id, kind, amount, tags, place."""
        return self.spark.read.parquet(f"{self.folder}/orders")

    @property
    def kinds(self) -> DataFrame:
        """A table: kind, name."""
        return self.spark.table("lake.kinds")

    def prepare(self) -> None:
        """Make it."""
        self.spark.conf.set("spark.sql.shuffle.partitions", 1)
        rows = self.spark.range(4).selectExpr(
            "id", "id % 2 AS kind", "id * 1.5D AS amount", "array('a', 'b') AS tags",
            "named_struct('city', 'x', 'zip', id) AS place",
        )  # fmt: skip
        rows.write.parquet(f"{self.folder}/orders")
        self.spark.sql("DROP DATABASE IF EXISTS lake CASCADE")
        self.spark.sql(f"CREATE DATABASE lake LOCATION '{self.folder}/lake'")
        self.spark.sql("CREATE TABLE lake.kinds USING parquet AS SELECT id AS kind, 'n' AS name FROM range(2)")
        self.spark.sql("CREATE TABLE lake.sums (kind bigint, total double) USING parquet")


def columns_chosen(lake: Lake) -> None:
    o = lake.orders
    o = o.withColumn("net", f.col("amount") * 0.8).withColumn("amount", f.round("amount")).drop("tags")
    o = o.withColumnRenamed("kind", "sort").select("*", f.col("place.city").alias("city"), o.place.zip)
    o.write.parquet(f"{lake.folder}/chosen")


def all_fields(lake: Lake) -> None:
    lake.orders.select("place.*", "id").selectExpr("city", "zip AS code", "id").collect()


def sql_in_pieces(lake: Lake) -> None:
    o = lake.orders.alias("o").join(lake.kinds.alias("k"), f.expr("o.kind = k.kind"), "left")
    o = o.where("o.amount > 1 AND k.name <> 'o.amount'").selectExpr(
        "o.id", "o.kind AS one", "k.kind AS other", "upper(name) AS name"
    )
    o.write.parquet(f"{lake.folder}/pieces")


def by_dataframe(lake: Lake) -> None:
    o, k = lake.orders, lake.kinds
    joined = o.join(k, o.kind == k.kind, "right_outer").where(k.name.isNotNull() | o.amount.between(1, 2))
    joined.select(o.id, k.kind, f.when(o.kind > 1, o.amount).otherwise(0).alias("some")).collect()


def using(lake: Lake) -> None:
    lake.orders.join(lake.kinds, "kind", "full").select("kind", "name", "id").collect()


def semi(lake: Lake) -> None:
    o, k = lake.orders, lake.kinds
    o.join(k, o.kind == k.kind, "left_semi").select("id").collect()


def groups(lake: Lake) -> None:
    grouped = lake.orders.groupBy("kind", (f.col("id") % 2).alias("odd"))
    best = f.max(f.struct("amount", "id")).alias("best")
    grouped.agg(f.sum("amount"), f.countDistinct("id").alias("ids"), best).where("ids > 1").collect()


def whole(lake: Lake) -> None:
    lake.orders.agg(f.sum("amount").alias("total"), f.count("*").alias("n")).collect()


def rolled_up(lake: Lake) -> None:
    lake.orders.rollup("kind").agg(f.sum("amount").alias("total")).collect()


def windows(lake: Lake) -> None:
    w = Window.partitionBy("kind").orderBy(f.desc("amount")).rowsBetween(-1, 0)
    lake.orders.select("id", f.sum("amount").over(w).alias("run")).collect()


def generators(lake: Lake) -> None:
    o = lake.orders.select("id", f.posexplode("tags"))
    o.select("id", "pos", "col").collect()


def unions(lake: Lake) -> None:
    left = lake.orders.select("id", "kind")
    right = lake.kinds.select("kind", f.lit(1).alias("more"))
    left.unionByName(right, allowMissingColumns=True).collect()


def excepted(lake: Lake) -> None:
    lake.orders.select("kind").exceptAll(lake.kinds.select("kind")).collect()


def distinct(lake: Lake) -> None:
    lake.orders.select("id", "kind").distinct().collect()


def one_of_each(lake: Lake) -> None:
    lake.orders.dropDuplicates(["kind"]).select("id").collect()


def top(lake: Lake) -> None:
    lake.orders.orderBy(f.desc("amount")).limit(2).select("id").collect()


def nulls(lake: Lake) -> None:
    lake.orders.select("id", "kind").na.drop(subset=["kind"]).na.fill(0).collect()


def higher_order(lake: Lake) -> None:
    t = f.transform("tags", lambda tag: f.concat(tag, f.col("kind").cast("string")))
    lake.orders.select(t.alias("tags"), f.col("tags")[0].alias("first")).collect()


def python_functions(lake: Lake) -> None:
    def same(batches: Iterator[Any]) -> Iterator[Any]:
        yield from batches

    o = lake.orders.select("id", "amount").mapInPandas(same, "id long, amount double")
    o.collect()


def unpivoted(lake: Lake) -> None:
    o = lake.orders.selectExpr("id", "kind", "id AS other").unpivot("id", ["kind", "other"], "what", "value")
    o.collect()


def pivoted(lake: Lake) -> None:
    p = lake.orders.groupBy("id").pivot("kind", [0, 1]).agg(f.sum("amount"))
    p.toDF("id", "none", "one").collect()


def saved(lake: Lake) -> None:
    lake.orders.select("kind", "amount").write.saveAsTable("lake.saved")
    lake.orders.select("amount", "kind").write.mode("append").saveAsTable("lake.saved")
    lake.orders.select("kind", "amount").write.insertInto("lake.sums")


def views(lake: Lake) -> None:
    lake.orders.where("amount > 1").createOrReplaceTempView("big")
    lake.spark.sql("CREATE OR REPLACE TEMPORARY VIEW bigger AS SELECT *, amount * 2 AS twice FROM big")
    lake.spark.sql("INSERT INTO lake.sums SELECT kind, sum(twice) FROM bigger GROUP BY kind")
    lake.spark.table("bigger").select("twice").write.parquet(f"{lake.folder}/bigger")


def sql_between(lake: Lake) -> None:
    found = lake.spark.sql(
        "SELECT o.*, k.name FROM {orders} o JOIN lake.kinds k ON o.kind = k.kind", orders=lake.orders
    )
    found.select("id", "name").collect()


def sql_with_arguments(lake: Lake) -> None:
    lake.spark.sql("SELECT kind, name FROM lake.kinds WHERE kind > :least", {"least": 0}).collect()


def created(lake: Lake) -> None:
    lake.spark.sql("CREATE TABLE lake.made USING parquet AS SELECT * FROM lake.kinds")
    lake.spark.sql("SHOW TABLES IN lake").collect()
    lake.spark.sql("USE lake")
    lake.spark.table("made").select("name").write.parquet(f"{lake.folder}/from_made")
    lake.spark.sql("USE default")


def columns_left_out(lake: Lake) -> None:
    lake.spark.sql("INSERT INTO lake.sums (kind) SELECT kind FROM lake.kinds WHERE kind > 0")


def checkpointed(lake: Lake) -> None:
    lake.orders.select("id", "kind").localCheckpoint().select("kind").collect()


def several_files(lake: Lake) -> None:
    folder = lake.folder
    lake.spark.read.parquet(f"{folder}/orders", f"file:{folder}/orders").select("id").write.csv(f"file:{folder}/both")


def queried(lake: Lake) -> None:
    lake.orders.select("id", "kind").where("kind = 1").collect()
    lake.orders.where("amount > 1").agg(f.count("*").alias("n")).collect()


def joined_groups(lake: Lake) -> None:
    o, k = lake.orders, lake.kinds
    o.join(k, o.kind == k.kind).groupBy(k.name).agg(f.count("*").alias("n")).collect()


def failing(lake: Lake) -> None:
    try:
        lake.orders.select(f.raise_error("no")).write.parquet(f"{lake.folder}/failed")
    except Exception:  # noqa: BLE001 - whatever the session says
        return


PROGRAMS: list[Callable[[Lake], None]] = [
    *(
        columns_chosen,
        all_fields,
        sql_in_pieces,
        by_dataframe,
        using,
        semi,
        groups,
        whole,
        rolled_up,
        windows,
        generators,
        unions,
    ),
    *(excepted, distinct, one_of_each, top, nulls, higher_order, python_functions, unpivoted, pivoted, saved, views),
    *(
        sql_between,
        sql_with_arguments,
        created,
        columns_left_out,
        checkpointed,
        several_files,
        queried,
        joined_groups,
        failing,
    ),
]


# Under Connect alone


def again(lake: Lake) -> None:
    for number in (1, 2):
        lake.orders.where(f.col("id") > number).select("kind").write.mode("overwrite").parquet(f"{lake.folder}/again")


def subqueries(lake: Lake) -> None:
    most = lake.kinds.agg(f.max("kind")).scalar()
    lake.orders.select("id", most.alias("most")).where(lake.kinds.where("kind = 1").exists()).collect()


def view_from_before(lake: Lake) -> None:
    lake.spark.table("before").withColumn("more", f.col("id") + 1).collect()
    lake.spark.sql("SELECT id FROM before").collect()


def pivot_without_values(lake: Lake) -> None:
    lake.orders.groupBy("id").pivot("kind").agg(f.sum("amount")).collect()


def own_data(lake: Lake) -> None:
    lake.spark.createDataFrame([(1, "secret")], "a int, b string").write.parquet(f"{lake.folder}/own")


def stream(lake: Lake) -> None:
    rows = lake.spark.readStream.schema(lake.orders.schema).parquet(f"{lake.folder}/orders").select("id")
    writer = rows.writeStream.format("parquet").option("checkpointLocation", f"{lake.folder}/checkpoint")
    writer.trigger(availableNow=True).start(f"{lake.folder}/streamed").awaitTermination()


ALONE: list[Callable[[Lake], None]] = [
    *(again, subqueries, view_from_before, pivot_without_values, own_data, stream),
]


def merged(lake: Lake) -> Found:
    """MERGE needs a table format that is not here: what the client would send is read, and not run."""
    from headwater.spark.capturing.connect.reading import ClientReader
    from headwater.spark.capturing.listener import JOB, Event

    client: Any = lake.spark.client
    sent = []

    def send(command: Any, *_: Any) -> tuple[None, dict[str, Any], None]:
        sent.append(command)
        return None, {}, None

    client.execute_command = send
    writer = lake.orders.alias("s").mergeInto("lake.sums", f.expr("lake.sums.kind = s.kind"))
    writer = writer.whenMatched(f.col("s.id") > 1).update({"total": f.col("s.amount")})
    writer.whenNotMatched().insert({"kind": f.col("s.kind"), "total": f.lit(0)}).merge()
    del client.execute_command
    plan = type(client._execute_plan_request_with_metadata().plan)()
    plan.command.CopyFrom(sent[0])
    made = ClientReader(client, "default").read(Event(JOB, "", (plan, {}), 0))
    assert made is not None
    return _found([made.lineage], lake.folder)


def broken(lake: Lake) -> Found:
    """A reader that fails: the program goes on."""
    from headwater.spark.capturing.connect.reading import ClientReader

    job = ClientReader._job
    ClientReader._job = lambda *_: 1 / 0  # type: ignore[method-assign, assignment]
    with capture(lake.spark) as captured:
        rows = lake.orders.select("id").collect()
    ClientReader._job = job  # type: ignore[method-assign]
    return {**found(captured, lake.folder), "rows": len(rows)}


def put_back(lake: Lake) -> list[str]:
    """What capture has left on the client."""
    client = lake.spark.client
    return [name for name in vars(client) if name.startswith("_execute")]


# What was captured


def found(captured: Capture, folder: Path) -> Found:
    """What was captured, with paths from the folder on."""
    return {**_found(captured.lineages(), folder), "diagnostics": [d.message for d in captured.diagnostics]}


def _found(lineages: list[Lineage], folder: Path) -> Found:
    edges = {f"{e.target} <- {e.source} {e.subtype}" for each in lineages for e in each.column_edges()}
    types = [each.statements[0].resolution.process.type for each in lineages]
    said = [d.message for each in lineages for d in each.diagnostics]
    return {"edges": sorted(e.replace(f"{folder}/", "") for e in edges), "types": types, "diagnostics": said}


def run(lake: Lake, programs: list[Callable[[Lake], None]]) -> dict[str, Found]:
    """Programs, each captured on its own."""
    answers = {}
    for program in programs:
        with capture(lake.spark) as captured:
            program(lake)
        answers[program.__name__] = found(captured, lake.folder)
    return answers


def main() -> None:
    """Run everything under Connect, with a server of our own."""
    from pyspark.sql import SparkSession

    folder = Path(sys.argv[1])
    os.chdir(folder)
    spark = SparkSession.builder.remote("local[1]").getOrCreate()
    lake = Lake(spark, folder / "programs")
    lake.prepare()
    lake.orders.createOrReplaceTempView("before")
    answers: dict[str, Any] = run(lake, [*PROGRAMS, *ALONE])
    answers |= {"merged": merged(lake), "broken": broken(lake), "put_back": put_back(lake)}
    example = runpy.run_path(str(EXAMPLE))
    example["prepare"](spark, folder / "shop")
    with capture(spark, sink=folder / "captured") as captured:
        example["job"](spark, folder / "shop")
    answers["example"] = found(captured, folder / "shop")
    sys.stdout.write(json.dumps(answers))


if __name__ == "__main__":
    main()
