"""The Spark that a build runs on: the session that is there, or one of our own, local by default."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.pipeline.java import java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL = "local[*,4]"
"""All cores; a task may fail three times before the job does, so that a statement which kills its worker can be found out."""

_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "10000",
    "spark.python.worker.faulthandler.enabled": "true",
}
_LOCAL_SETTINGS = {  # for a quick start: the work is done in Python, and what the JVM would compile runs once
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -Xss8m",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": str(2 * (os.cpu_count() or 1)),
}


_CONFIGURATION = Path(__file__).parent / "spark_conf"
"""Spark's own configuration: it logs errors only."""


class SparkUnavailable(Exception):
    """Spark cannot be started; the message says why and what to do."""


@contextmanager
def spark_session(master: str | None = None, settings: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """The running session, or one that is started for this build and stopped after it."""
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise SparkUnavailable("PySpark is not installed: pip install 'headwater[spark]'") from error
    running = SparkSession.getActiveSession()
    if running is not None:
        yield running
        return
    _prepare()
    started = _started(master or LOCAL, settings or {})
    try:
        yield started
    finally:
        started.stop()


def _prepare() -> None:
    """What the launcher takes from the environment; what is set there already stays."""
    if os.name == "posix":
        os.environ["JAVA_HOME"] = str(java_home())
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("SPARK_CONF_DIR", str(_CONFIGURATION))


def _started(master: str, settings: Mapping[str, str]) -> SparkSession:
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("headwater").master(master)
    local = _LOCAL_SETTINGS if master.startswith("local") else {}
    for key, value in {**_SETTINGS, **local, **settings}.items():
        builder = builder.config(key, value)
    try:
        return builder.getOrCreate()
    except PySparkException as error:
        raise SparkUnavailable(f"Spark does not start on {master}: {_first_line(error)}") from error
    except Exception as error:
        raise SparkUnavailable(f"Spark does not start on {master}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
