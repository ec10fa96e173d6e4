"""Runs in the environment of another version of PySpark: reads lakehouse tables by Spark, and prints answers as JSON.

    python tests/field/lakehouse_reader.py FORMAT FOLDER

Standard input has the queries by name, as JSON. The version of `relations_before` is the first one that the table `snapshots` names.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "programs")]

from sessions import session  # noqa: E402

VERSION = "4.1"
"""The newest PySpark for which there are jars of both formats, and the first that has recursive queries."""
_TABLES = ("relations", "columns", "tables", "processes", "statements", "diagnostics", "tags", "snapshots")


def main() -> None:
    format, folder = sys.argv[1], Path(sys.argv[2])
    with session(format, VERSION, connect=False) as (spark, _):
        for table in _TABLES:
            spark.read.format(format).load(str(folder / table)).createOrReplaceTempView(table)
        first = spark.sql(
            "SELECT version FROM snapshots WHERE table_name = 'relations' ORDER BY snapshot LIMIT 1"
        ).collect()[0][0]
        before = spark.read.format(format).option("versionAsOf", first).load(str(folder / "relations"))
        before.createOrReplaceTempView("relations_before")
        found = {name: _rows(spark, query) for name, query in json.load(sys.stdin).items()}
        found["counts"] = [[table, spark.table(table).count()] for table in (*_TABLES, "relations_before")]
        found["by name"] = _rows(spark, _by_name(spark, format, folder))
        found["comments"] = _rows(spark, f"DESCRIBE {_name(format, folder)}")
        print(json.dumps(found))


def _by_name(spark: Any, format: str, folder: Path) -> str:
    """A query that names the table in SQL: by its path in Delta Lake, through a catalog of the type `hadoop` in Iceberg."""
    if format == "iceberg":
        settings = {"": "org.apache.iceberg.spark.SparkCatalog", ".type": "hadoop", ".warehouse": str(folder.parent)}
        for key, value in settings.items():
            spark.conf.set(f"spark.sql.catalog.lake{key}", value)
    return f"SELECT count(*) FROM {_name(format, folder)}"


def _name(format: str, folder: Path) -> str:
    return f"delta.`{folder}/relations`" if format == "delta" else f"lake.{folder.name}.relations"


def _rows(spark: Any, query: str) -> list[list[Any]]:
    return [list(row) for row in spark.sql(query).collect()]


if __name__ == "__main__":
    main()
