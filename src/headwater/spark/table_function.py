"""`column_lineage(sql, dialect, default_schema)`: a table function, usable from SQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from headwater.runtime.arrow_ddl import ddl
from headwater.spark.data_source import HeadwaterSource
from headwater.spark.edges import SCHEMA, edge_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.udtf import UserDefinedTableFunction


class ColumnLineage:
    """The column edges of a text; dialect and default schema may be left out."""

    def eval(self, sql: str, dialect: str = "spark", default_schema: str | None = None) -> Iterator[tuple[Any, ...]]:
        """The rows of one text."""
        yield from edge_rows(sql, dialect, default_schema)


def register(spark: SparkSession, name: str = "column_lineage") -> None:
    """Make the table function and the data source known to a session."""
    from pyspark.sql.functions import udtf

    function = cast("UserDefinedTableFunction", udtf(ColumnLineage, returnType=ddl(SCHEMA)))
    spark.udtf.register(name, function)
    spark.dataSource.register(HeadwaterSource)
