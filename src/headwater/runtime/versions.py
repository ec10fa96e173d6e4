"""What differs between the versions of PySpark, from 3.5 on: asked here, so that no other module compares version numbers.

| | 3.5 | 4.0 | 4.1 and later |
|---|---|---|---|
| oldest Java | 8 | 17 | 17 |
| `createDataFrame` takes Arrow tables | no | yes | yes |
| data sources in Python | no | yes | yes |
| `DESCRIBE … AS JSON` | no | yes | yes |
| `localCheckpoint(storageLevel=…)` | no | yes | yes |
| mode of the inner write of `saveAsTable` | NON_ROOT | SKIP | SKIP |
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST = (3, 5)
"""The oldest PySpark that is supported."""
NOT_INSTALLED = "PySpark is not installed: pip install 'headwater[spark]'"
_NUMBERS = re.compile(r"(\d+)\.(\d+)")


class SparkUnavailable(Exception):
    """Spark cannot be used; the message says why and what to do."""


@cache
def pyspark_version() -> tuple[int, int]:
    """The version of the installed PySpark, as far as it matters."""
    try:
        import pyspark
    except ImportError as error:
        raise SparkUnavailable(NOT_INSTALLED) from error
    return numbers_of(pyspark.__version__)


def numbers_of(version: str) -> tuple[int, int]:
    """The first two numbers of a version.

    >>> numbers_of("4.1.0.dev1"), numbers_of("3.5.9")
    ((4, 1), (3, 5))
    """
    found = _NUMBERS.match(version)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def refuse_older() -> None:
    """Refuse a PySpark that is too old."""
    found = pyspark_version()
    if found < OLDEST:
        told, oldest = (".".join(map(str, each)) for each in (found, OLDEST))
        raise SparkUnavailable(f"PySpark {told} is too old: headwater runs on PySpark {oldest} and later")


def oldest_java() -> int:
    """The oldest Java that Spark starts on."""
    return 17 if pyspark_version() >= (4, 0) else 8


def takes_arrow() -> bool:
    """Whether `createDataFrame` takes Arrow tables."""
    return pyspark_version() >= (4, 0)


def has_python_data_sources() -> bool:
    """Whether `spark.read.format` takes data sources that are written in Python."""
    return pyspark_version() >= (4, 0)


def names_checkpoint_level() -> bool:
    """Whether `localCheckpoint` is told where to keep the rows."""
    return pyspark_version() >= (4, 0)


def names_own_catalog() -> bool:
    """Whether Spark's own catalog has a name in settings, `builtin`."""
    return pyspark_version() >= (4, 0)


def describes_as_json(spark: SparkSession) -> bool:
    """Whether the Spark of a session knows `DESCRIBE … AS JSON`; under Spark Connect its version is the server's."""
    return numbers_of(spark.version) >= (4, 0)


def is_connect(spark: SparkSession) -> bool:
    """Whether a session is one of Spark Connect, which has no Java and no `sparkContext` in this process."""
    return not hasattr(spark, "_jsparkSession")


def java_session_class(jvm: Any) -> Any:
    """The class of Spark's sessions in Java."""
    if pyspark_version() >= (4, 0):
        return jvm.org.apache.spark.sql.classic.SparkSession
    return jvm.org.apache.spark.sql.SparkSession


def frame_of_java(frame: Any, spark: SparkSession) -> Any:
    """A DataFrame of Java's as one of PySpark's."""
    if pyspark_version() >= (4, 0):
        from pyspark.sql.classic.dataframe import DataFrame
    else:
        from pyspark.sql.dataframe import DataFrame  # type: ignore[assignment]
    return DataFrame(frame, spark)


def accumulator_server() -> type[Any]:
    """The class of the server that PySpark's driver collects accumulators with."""
    from pyspark import accumulators

    known: Any = accumulators
    found: type[Any] = getattr(known, "AccumulatorTCPServer", None) or known.AccumulatorServer
    return found
