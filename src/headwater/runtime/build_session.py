"""The session that a build runs in: one of its own beside the user's, with the settings that its results depend on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from headwater.runtime.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OWN = "spark.headwater.own"
"""Marks sessions of ours, so that live capture does not take their jobs for the user's."""
SETTINGS = {
    "spark.sql.ansi.enabled": "false",  # a time in a log that is none is unknown, and no error
    "spark.sql.caseSensitive": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "10000",
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "1000000",  # lists of definitions are many and short
}
"""Settings of SQL, which a session may change while Spark runs."""


@contextmanager
def build_session(spark: SparkSession) -> Iterator[SparkSession]:
    """A session with the settings of a build; the user's own is left as it was.

    Spark Connect has one session per client: there the settings are set, and put back in the end.
    """
    if not is_connect(spark):
        with _active_as_before(spark):
            yield sibling(spark, {**SETTINGS, OWN: "true"})
        return
    before = {key: spark.conf.get(key, None) for key in SETTINGS}
    try:
        for key, value in SETTINGS.items():
            spark.conf.set(key, value)
        yield spark
    finally:
        for key, earlier in before.items():
            spark.conf.set(key, earlier) if earlier is not None else spark.conf.unset(key)


@contextmanager
def _active_as_before(spark: SparkSession) -> Iterator[None]:
    """Leave the session active that was: PySpark makes the one active that made a DataFrame last."""
    from py4j.protocol import Py4JError
    from pyspark.sql import SparkSession

    sessions: Any = SparkSession
    before: Any = sessions._activeSession
    try:
        yield
    finally:
        sessions._activeSession = before
        with suppress(Py4JError, ConnectionError):
            mine: Any = before or spark
            by_version = getattr(sessions, "_get_j_spark_session_class", lambda jvm: jvm.SparkSession)
            by_version(mine._jvm).setActiveSession(mine._jsparkSession)


def sibling(spark: SparkSession, settings: Mapping[str, str]) -> SparkSession:
    """A copy of a classic session, its temporary views included, with more settings; the session itself does not change."""
    from pyspark.sql import SparkSession

    original: Any = spark
    made = SparkSession(spark.sparkContext, original._jsparkSession.cloneSession())
    for key, value in settings.items():
        made.conf.set(key, value)
    return made
