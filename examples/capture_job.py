"""A PySpark job of ten steps, captured while it runs.

    python examples/capture_job.py /tmp/shop
    headwater build examples/board.sql /tmp/shop/captured -o /tmp/shop/lineage
    headwater upstream shop.board.best --store /tmp/shop/lineage

The board is made by SQL, out of a table that this job fills; its columns are traced through the job to the files that the job reads.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as f

from headwater.spark import capture

CUSTOMERS = "id,name,country\n1,Ada Lovelace,GB\n2,Grace Hopper,US\n"
ORDERS = [(10, 1, "2026-01-01", 120.0, ["book", "pen"]), (11, 2, "2026-01-02", 30.0, ["pen"])]
COUNTRIES = [("GB", "Europe"), ("US", "America")]


def prepare(spark: SparkSession, folder: Path) -> None:
    """What the job finds: a CSV file, a folder of Parquet files, and tables."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "customers.csv").write_text(CUSTOMERS, encoding="utf-8")
    columns = "order_id int, customer_id int, day string, amount double, items array<string>"
    spark.createDataFrame(ORDERS, columns).write.mode("overwrite").parquet(f"{folder}/orders")
    spark.sql(f"CREATE DATABASE IF NOT EXISTS shop LOCATION '{folder}/tables'")
    spark.createDataFrame(COUNTRIES, "code string, region string").write.mode("overwrite").saveAsTable("shop.countries")
    spark.sql("CREATE TABLE IF NOT EXISTS shop.items (item string, region string) USING parquet")
    spark.sql("CREATE TABLE IF NOT EXISTS shop.report (region string, best double) USING parquet")


def job(spark: SparkSession, folder: Path) -> None:
    """Files and tables in, files and tables out."""
    initials = f.udf(lambda name: "".join(word[0] for word in name.split()), "string")

    customers = spark.read.option("header", True).csv(f"{folder}/customers.csv")  # 1: a CSV file
    orders = spark.read.parquet(f"{folder}/orders")  # 2: Parquet files
    countries = spark.table("shop.countries")  # 3: a table
    sales = orders.join(customers, orders.customer_id == customers.id).join(  # 4: joins
        countries, customers.country == countries.code
    )
    sales = sales.withColumn("net", f.col("amount") * 0.8)  # 5: a computed column
    sales = sales.withColumn("who", initials("name"))  # 6: a function in Python
    latest = Window.partitionBy("customer_id").orderBy("day")
    sales = sales.withColumn("visit", f.row_number().over(latest))  # 7: a window
    sales.select("order_id", "who", "net", "visit").write.mode("overwrite").parquet(f"{folder}/visits")  # 8: files out

    daily = sales.groupBy("region", "day").agg(f.sum("net").alias("total"), f.count("*").alias("orders"))
    daily.write.mode("overwrite").saveAsTable("shop.daily")  # 9: a table, made anew

    bought = sales.select(f.explode("items").alias("item"), "region")
    gifts = sales.where("amount > 100").select(f.lit("gift").alias("item"), "region")
    bought.unionByName(gifts).write.insertInto("shop.items")  # 10: a table that is there, from a union

    spark.sql("INSERT INTO shop.report SELECT region, max(total) AS best FROM shop.daily GROUP BY region")  # and SQL


def main() -> None:
    """Run the job in the folder that is named, and say where its lineage is."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "shop").absolute()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # for the function in Python: this one, with its packages
    spark = SparkSession.builder.appName("nightly-sales").getOrCreate()
    prepare(spark, folder)
    with capture(spark, sink=folder / "captured") as captured:
        job(spark, folder)
    sys.stdout.write(f"{len(captured.lineages())} jobs captured in {folder / 'captured'}\n")
    spark.stop()


if __name__ == "__main__":
    main()
