"""Sessions for captured programs: in Spark's driver, or of a Spark Connect server of their own; with Delta Lake or Apache Iceberg."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "versions")]

from connect_server import connect_server  # noqa: E402

from field.cache import jars, python_folder  # noqa: E402

_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.driver.extraJavaOptions": "-Xss64m",  # for plans of 2,000 operators
}


class Format(NamedTuple):
    """A table format: its jars by version of PySpark, its settings, and the package with its Python functions."""

    name: str
    artifacts: dict[str, tuple[str, ...]]
    settings: dict[str, str]
    packages: dict[str, str]


_SPARK_CATALOG = "spark.sql.catalog.spark_catalog"
FORMATS = {
    "delta": Format(
        "delta",
        {
            "3.5": ("io.delta:delta-spark_2.12:3.3.3",),
            "4.0": ("io.delta:delta-spark_4.0_2.13:4.4.0",),
            "4.1": ("io.delta:delta-spark_4.1_2.13:4.4.0",),
            "4.2": ("io.delta:delta-spark_4.2_2.13:4.4.0",),
        },
        {
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            _SPARK_CATALOG: "org.apache.spark.sql.delta.catalog.DeltaCatalog",
            "spark.databricks.delta.snapshotPartitions": "2",
        },
        {
            "3.5": "delta-spark==3.3.3",
            "4.0": "delta-spark==4.4.1",
            "4.1": "delta-spark==4.4.1",
            "4.2": "delta-spark==4.4.1",
        },
    ),
    "iceberg": Format(
        "iceberg",
        {
            "3.5": ("org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.11.0",),
            "4.0": ("org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0",),
            "4.1": ("org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0",),
        },
        {
            "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            _SPARK_CATALOG: "org.apache.iceberg.spark.SparkSessionCatalog",
            f"{_SPARK_CATALOG}.type": "hadoop",
        },
        {},
    ),
}


@contextmanager
def session(file: str, version: str, connect: bool) -> Iterator[tuple[Any, str]]:
    """A session for the programs of a file, and the format of its tables."""
    format = FORMATS.get(file)
    with tempfile.TemporaryDirectory(prefix="headwater-programs-") as folder:
        settings = {**_SETTINGS, "spark.sql.warehouse.dir": f"{folder}/warehouse"}
        settings["spark.driver.extraJavaOptions"] += f" -Dderby.system.home={folder}"
        if format is not None:
            settings |= format.settings
            settings["spark.jars"] = ",".join(map(str, sorted(jars(*format.artifacts[version]).glob("*.jar"))))
            settings[f"{_SPARK_CATALOG}.warehouse"] = f"{folder}/warehouse"
            if version in format.packages:
                sys.path.append(str(python_folder(format.packages[version])))
        with (_connected if connect else _started)(Path(folder), settings) as spark:
            yield spark, format.name if format is not None else "parquet"


@contextmanager
def _started(folder: Path, settings: dict[str, str]) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    from headwater.runtime.java import java_home

    os.environ.setdefault("JAVA_HOME", str(java_home()))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def _connected(folder: Path, settings: dict[str, str]) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    with connect_server(folder, settings) as address:
        spark = SparkSession.builder.remote(address).getOrCreate()
        yield spark
        spark.stop()
