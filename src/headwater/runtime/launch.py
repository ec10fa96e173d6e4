"""How a Spark of our own is started: its environment and its settings.

What the user has configured is never overridden. A local Spark gets settings for a quick and quiet start; a cluster gets none.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from headwater.runtime.build_session import SETTINGS
from headwater.runtime.java import java_home
from headwater.runtime.spark_defaults import configures_logging
from headwater.runtime.versions import accumulator_server

_log = logging.getLogger(__name__)

LOCAL = "local[*,4]"
"""All cores; a task may fail three times before the job does, so that a statement which kills its worker can be found."""
_LOCAL_SETTINGS = {  # for a quick start: the work is done in Python, and what the JVM would compile runs once
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.python.worker.faulthandler.enabled": "true",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -Xss8m",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.cache.maxEntries": "1000",  # a build compiles some 150 classes; Spark keeps 100, and compiles all again
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": str(2 * (os.cpu_count() or 1)),
}
_CLUSTER_SETTINGS = {"spark.ui.showConsoleProgress": "false"}
_CONFIGURATION = Path(__file__).parent / "spark_conf"
"""Spark's logging: it logs nothing, unless HEADWATER_SPARK_LOG names a level."""
_LOCAL_MASTER = re.compile(r"local(?:\[.*\])?")
_LOCAL_CORES = re.compile(r"local(?:\[(\d+|\*)\])?")
_PYTHON = "spark.pyspark.python"
"""Only spark-submit reads this setting; PySpark itself reads the variable PYSPARK_PYTHON."""


def is_local(master: str) -> bool:
    """Whether Spark's workers are on this machine, in Spark's own process.

    >>> [is_local(master) for master in ("local", "local[2,4]", "local-cluster[2,1,1024]", "yarn")]
    [True, True, False, False]
    """
    return _LOCAL_MASTER.fullmatch(master) is not None


@dataclass(frozen=True, slots=True)
class Launch:
    """A Spark that is to be started."""

    named: str
    """The master, as it was named."""
    wanted: Mapping[str, str]
    """Settings that the caller asks for."""
    configured: Mapping[str, str]
    """Settings that Spark finds by itself."""
    isolated: bool = False
    """Whether the user's configuration of Spark is not read."""

    @property
    def master(self) -> str:
        """The master; a local one whose tasks may fail, as everywhere else: `local[2]` would end with the first worker that dies."""
        cores = _LOCAL_CORES.fullmatch(self.named)
        return f"local[{cores[1] or 1},4]" if cores else self.named

    def settings(self) -> dict[str, str]:
        """The settings to start with; those that Spark finds by itself are not repeated."""
        ours = {**(_LOCAL_SETTINGS if is_local(self.named) else _CLUSTER_SETTINGS), "spark.app.name": "headwater"}
        free = {key: value for key, value in ours.items() if key not in self.configured}
        return {**SETTINGS, **free, **self.wanted}

    @contextmanager
    def environment(self) -> Iterator[None]:
        """What Spark's launcher reads from the environment, while it starts; what is set there already stays."""
        changes = dict(self._changes())
        before = {name: os.environ.get(name) for name in changes}
        _update(changes)
        try:
            yield
        finally:
            _update(before)

    def _changes(self) -> Iterator[tuple[str, str | None]]:
        if os.name == "posix":
            yield "JAVA_HOME", str(java_home())
        yield "SPARK_REMOTE", None
        if self.isolated:
            yield "SPARK_CONF_DIR", str(_CONFIGURATION)
            yield "PYSPARK_SUBMIT_ARGS", None
        elif os.environ.get("HEADWATER_SPARK_LOG") or not configures_logging():
            yield "SPARK_SUBMIT_OPTS", _with_logging(os.environ.get("SPARK_SUBMIT_OPTS", ""))
        python = self.wanted.get(_PYTHON) or os.environ.get("PYSPARK_PYTHON") or self.configured.get(_PYTHON)
        if python or is_local(self.named):
            yield "PYSPARK_PYTHON", python or sys.executable
        if is_local(self.named) and not os.environ.get("SPARK_LOCAL_IP"):
            yield "SPARK_LOCAL_IP", "127.0.0.1"


def _with_logging(options: str) -> str:
    """Java options of Spark's driver, with our configuration of what it logs."""
    place = (_CONFIGURATION / "log4j2.properties").as_uri()
    return f"{options} -Dlog4j2.configurationFile={place}".strip()


def _update(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def quiet_java_end() -> None:
    """Keep PySpark's own server and py4j from printing tracebacks when Java dies: the build says that once, in words."""

    def handle_error(self: object, request: object, client_address: object) -> None:
        _log.debug("Spark's Java process has gone away", exc_info=True)

    accumulator_server().handle_error = handle_error
    logging.getLogger().addFilter(_is_not_py4js)


def _is_not_py4js(record: logging.LogRecord) -> bool:
    """Whether a record of the root logger is not py4j's about a lost connection: the exception that it raises says the same."""
    return record.msg != "Exception while sending command."
