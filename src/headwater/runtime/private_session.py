"""A session of our own in somebody's Spark: its catalog is in memory, its warehouse a folder of ours, and nobody else sees its tables."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from headwater.runtime.versions import SparkUnavailable, is_connect, java_session_class, names_own_catalog

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_CATALOG = "spark.sql.catalog.spark_catalog"
"""The user may have put another catalog in the place of Spark's own."""
_WAREHOUSE = "spark.sql.warehouse.dir"
_HIVE_WAREHOUSE = "hive.metastore.warehouse.dir"


def private_session(spark: SparkSession, folder: str, settings: Mapping[str, str], whose: str) -> Any:
    """A Java session with a shared state of its own; what making it changes in the user's context is put back.

    *whose* is who needs it, in the words of a refusal.
    """
    if is_connect(spark):
        raise SparkUnavailable(f"{whose} needs Spark's own analyzer: a Spark Connect session does not show it")
    context: Any = spark.sparkContext._jsc
    jvm: Any = spark.sparkContext._jvm
    mine: Any = spark
    mine._jsparkSession.sharedState()
    conf, hadoop = context.sc().conf(), context.hadoopConfiguration()
    if conf.get("spark.sql.catalogImplementation", "in-memory") != "in-memory":
        raise SparkUnavailable(
            f"{whose} declares tables, and this Spark would put them into Hive: use a session without Hive support"
        )
    before = conf.get(_WAREHOUSE, ""), hadoop.get(_HIVE_WAREHOUSE)
    options = jvm.java.util.HashMap()
    options.put(_WAREHOUSE, f"{folder}/warehouse")
    if names_own_catalog():
        options.put(_CATALOG, "builtin")
    session = java_session_class(jvm)(context.sc(), options)
    session.sharedState().externalCatalog()
    conf.set(_WAREHOUSE, before[0]) if before[0] else conf.remove(_WAREHOUSE)
    hadoop.set(_HIVE_WAREHOUSE, before[1]) if before[1] else hadoop.unset(_HIVE_WAREHOUSE)
    if not names_own_catalog():
        session.conf().unset(_CATALOG)
    for key, value in settings.items():
        session.conf().set(key, value)
    return session


@contextmanager
def quietly() -> Iterator[None]:
    """Keep PySpark from logging exceptions of this thread, which quote SQL, secrets and all. Those of other threads are the user's."""
    for logger in _exception_loggers():
        logger.addFilter(_is_of_user)
    before, _thread.quiet = _thread.quiet, True
    try:
        yield
    finally:
        _thread.quiet = before


class _Thread(threading.local):
    quiet = False
    """Whether exceptions of this thread are not to be logged."""


_thread = _Thread()


def _is_of_user(record: logging.LogRecord) -> bool:
    return not _thread.quiet


@functools.cache
def _exception_loggers() -> tuple[logging.Logger, ...]:
    """PySpark's own loggers of exceptions, made as PySpark makes them. PySpark 3.5 logs none."""
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        return ()
    return tuple(PySparkLogger.getLogger(f"{kind}QueryContextLogger") for kind in ("SQL", "DataFrame"))
