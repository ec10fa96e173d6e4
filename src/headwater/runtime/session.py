"""The Spark that a build runs on: the session that is there, or one of our own, local by default."""

from __future__ import annotations

import logging
import os
import re
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.runtime.failure import reason
from headwater.runtime.java import java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_log = logging.getLogger(__name__)

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
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "1000000",  # lists of definitions are many and short
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
"""Spark's own configuration: it logs nothing, unless HEADWATER_SPARK_LOG names a level."""
_STANDALONE = "spark://"
_LOCAL_CORES = re.compile(r"local(?:\[(\d+|\*)\])?")
_PATIENCE = 10.0
"""Seconds for a master to answer."""


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
    _reach(master or LOCAL)
    started = _started(_with_retries(master or LOCAL), settings or {})
    try:
        yield started
    finally:
        _stop(started)


def _reach(master: str) -> None:
    """Refuse a standalone master that nobody answers for: Spark itself would try for more than a minute."""
    if not master.startswith(_STANDALONE):
        return
    problem = ""
    for place in master.removeprefix(_STANDALONE).split(","):
        host, _, port = place.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
            return
        except (OSError, ValueError) as error:
            problem = problem or getattr(error, "strerror", None) or str(error)
    raise SparkUnavailable(f"there is no Spark master at {master}: {problem}")


def _with_retries(master: str) -> str:
    """A local master whose tasks may fail, as everywhere else: `local[2]` would end with the first worker that dies."""
    cores = _LOCAL_CORES.fullmatch(master)
    return f"local[{cores[1] or 1},4]" if cores else master


def _stop(session: SparkSession) -> None:
    """End a session, if its Java has not ended before."""
    from py4j.protocol import Py4JError

    with suppress(Py4JError, ConnectionError):
        session.stop()


def _prepare() -> None:
    """What the launcher takes from the environment; what is set there already stays."""
    if os.name == "posix":
        os.environ["JAVA_HOME"] = str(java_home())
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("SPARK_CONF_DIR", str(_CONFIGURATION))


def _started(master: str, settings: Mapping[str, str]) -> SparkSession:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("headwater").master(master)
    local = _LOCAL_SETTINGS if master.startswith("local") else {}
    for key, value in {**_SETTINGS, **local, **settings}.items():
        builder = builder.config(key, value)
    _say_nothing_twice()
    try:
        return builder.getOrCreate()
    except (PySparkException, Py4JError, OSError, RuntimeError) as error:
        raise SparkUnavailable(f"Spark does not start on {master}: {reason(error)}") from error


def _say_nothing_twice() -> None:
    """Keep PySpark's own server and py4j from printing tracebacks when Java dies: that is said once, in words."""
    from pyspark.accumulators import AccumulatorTCPServer

    def handle_error(self: object, request: object, client_address: object) -> None:
        _log.debug("Spark's Java process has gone away", exc_info=True)

    AccumulatorTCPServer.handle_error = handle_error  # type: ignore[method-assign]
    logging.getLogger().addFilter(_is_not_py4js)


def _is_not_py4js(record: logging.LogRecord) -> bool:
    """Whether a record of the root logger is not py4j's about a lost connection: the exception that it raises says the same."""
    return record.msg != "Exception while sending command."
