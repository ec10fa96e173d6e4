"""`column_lineage(sql, dialect, default_schema)`: a table function, usable from SQL."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from headwater.runtime.arrow_ddl import ddl
from headwater.runtime.versions import has_python_data_sources
from headwater.runtime.workers import make_ready
from headwater.spark.data_source import HeadwaterSource
from headwater.spark.edges import SCHEMA, edge_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.udtf import UserDefinedTableFunction

_log = logging.getLogger(__name__)


class ColumnLineage:
    """The column edges of a text; dialect and default schema may be left out."""

    def eval(self, sql: str, dialect: str = "spark", default_schema: str | None = None) -> Iterator[tuple[Any, ...]]:
        """The rows of one text."""
        yield from edge_rows(sql, dialect, default_schema)


def register(spark: SparkSession, name: str = "column_lineage") -> None:
    """Make the table function and the data source known to a session; workers that lack headwater get it.

    PySpark 3.5 has no data sources in Python: there only the table function is registered.
    """
    from pyspark.sql.functions import udtf

    make_ready(spark)
    function = cast("UserDefinedTableFunction", udtf(ColumnLineage, returnType=ddl(SCHEMA)))
    spark.udtf.register(name, function)
    if has_python_data_sources():
        spark.dataSource.register(HeadwaterSource)
    else:
        _log.warning("spark.read.format('headwater') needs PySpark 4.0 or later; column_lineage and lineage_of work")
