"""The Spark that headwater runs on: one that is there, or one that is started.

The first rule that applies decides:

1. A session that is active already (a notebook, a program) is used as it is.
2. Spark Connect: a master `sc://…`, or SPARK_REMOTE. A session is opened on that server.
3. Inside spark-submit: Java is running already. Its master and its configuration apply.
4. A master that was named: Spark is started for it, with the user's own configuration.
5. A master in the user's `spark-defaults.conf` (or PYSPARK_SUBMIT_ARGS).
6. All cores of this machine.

Rules 2 to 6 start a session, which is stopped at the end. Only local masters get settings of ours, and only where the user has none.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from headwater.runtime.failure import reason
from headwater.runtime.launch import LOCAL, Launch, quiet_java_end
from headwater.runtime.spark_defaults import configured
from headwater.runtime.stopping import deliver, ended_by_signals, postponed
from headwater.runtime.versions import NOT_INSTALLED, SparkUnavailable, refuse_older

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["SparkUnavailable", "active_session", "spark_session"]

_log = logging.getLogger(__name__)

_CONNECT = "sc://"
_STANDALONE = "spark://"
_GATEWAY = "PYSPARK_GATEWAY_PORT"
"""Is set where spark-submit runs a Python program: the port of its Java."""
_CONNECT_PORT = 15002
_SERVER_TIMEOUT_SECONDS = 10.0
_JAVA_PARTING_SECONDS = 5.0


@contextmanager
def spark_session(
    master: str | None = None, settings: Mapping[str, str] | None = None, *, isolated: bool = False
) -> Iterator[SparkSession]:
    """The session that is active, or one that is started here and stopped in the end.

    An *isolated* one does not read the user's configuration of Spark: it is local, and looks into plans only.
    """
    refuse_older()
    running = active_session()
    if running is not None:
        yield running
        return
    with postponed() as signals:
        started = _started(master, settings or {}, isolated)
    with ended_by_signals(_end_java):
        try:
            deliver(signals)
            yield started
        finally:
            _stop(started)


def active_session() -> SparkSession | None:
    """The session that this program has already."""
    try:
        from pyspark.sql import SparkSession
        from pyspark.sql.utils import is_remote
    except ImportError as error:
        raise SparkUnavailable(NOT_INSTALLED) from error
    if is_remote():
        try:
            from pyspark.sql.connect.session import SparkSession as ConnectSession
        except ImportError:
            return None
        connected: SparkSession | None = ConnectSession.getActiveSession()  # type: ignore[assignment]
        return connected
    from pyspark import SparkContext

    found = SparkSession.getActiveSession()
    if found is None and SparkContext._active_spark_context is not None:
        found = SparkSession.builder.getOrCreate()  # another thread has started it
    return found


def _started(master: str | None, settings: Mapping[str, str], isolated: bool) -> SparkSession:
    remote = os.environ.get("SPARK_REMOTE")
    if master is not None and master.startswith(_CONNECT):
        return _connected(master, settings)
    if master is None and remote:
        return _connected(remote, settings)
    if _GATEWAY in os.environ:
        if master is not None:
            _log.warning("--master %s is ignored: the master of spark-submit applies", master)
        return _submitted(settings)
    known = {} if isolated else configured()
    named = master or known.get("spark.master") or LOCAL
    if named.startswith(_STANDALONE):
        _refuse_unreachable(named, named.removeprefix(_STANDALONE).split(","))
    return _start(Launch(named, {**settings}, known, isolated))


def _connected(url: str, settings: Mapping[str, str]) -> SparkSession:
    """A session of Spark Connect."""
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    if url.startswith(_CONNECT):
        _refuse_unreachable(_CONNECT + _server_of(url), [_server_of(url)])  # without its token
    builder = SparkSession.builder.remote(url)
    for key, value in settings.items():
        builder = builder.config(key, value)
    try:
        session = builder.getOrCreate()
        assert session.version
    except ImportError as error:
        missing = str(error).strip().splitlines()[0]
        raise SparkUnavailable(
            f"Spark Connect needs more packages: pip install 'pyspark[connect]' ({missing})"
        ) from error
    except (PySparkException, OSError, RuntimeError) as error:
        raise SparkUnavailable(f"Spark Connect does not answer at {_server_of(url)}: {reason(error)}") from error
    return session


def _submitted(settings: Mapping[str, str]) -> SparkSession:
    """The session of spark-submit: nothing but what was asked for explicitly is changed."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    for key, value in settings.items():
        builder = builder.config(key, value)
    return _opened(builder, "the master of spark-submit")


def _start(launch: Launch) -> SparkSession:
    from pyspark.sql import SparkSession

    with launch.environment():
        builder = SparkSession.builder.master(launch.master)
        for key, value in launch.settings().items():
            builder = builder.config(key, value)
        return _opened(builder, launch.master)


def _opened(builder: SparkSession.Builder, place: str) -> SparkSession:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    quiet_java_end()
    try:
        with _interrupts_kept():
            return builder.getOrCreate()
    except (PySparkException, Py4JError, OSError, RuntimeError) as error:
        raise SparkUnavailable(f"Spark does not start on {place}: {reason(error)}") from error


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Keep PySpark from handling Ctrl-C: its handler asks Java, which does not answer in the middle of another question."""
    from pyspark import SparkContext

    module: Any = sys.modules[SparkContext.__module__]
    module.signal = SimpleNamespace(signal=lambda *_: None, SIGINT=signal.SIGINT)
    try:
        yield
    finally:
        module.signal = signal


def _server_of(url: str) -> str:
    """The host and port of a Spark Connect server.

    >>> _server_of("sc://spark.example:443/;token=x"), _server_of("sc://localhost")
    ('spark.example:443', 'localhost:15002')
    """
    server = url.removeprefix(_CONNECT).partition("/")[0]
    return server if re.search(r":\d+$", server) else f"{server}:{_CONNECT_PORT}"


def _refuse_unreachable(named: str, servers: Sequence[str]) -> None:
    """Refuse a master none of whose servers answers: Spark itself would try for minutes."""
    problem = ""
    for server in servers:
        host, _, port = server.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), _SERVER_TIMEOUT_SECONDS).close()
            return
        except (OSError, ValueError) as error:
            problem = problem or getattr(error, "strerror", None) or str(error)
    what = "Spark Connect server" if named.startswith(_CONNECT) else "Spark master"
    raise SparkUnavailable(f"there is no {what} at {named}: {problem}")


def _end_java() -> None:
    """End the Java of a session that was started here, whatever it does: it ends when its input ends."""
    from pyspark import SparkContext

    java: subprocess.Popen[bytes] | None = getattr(SparkContext._gateway, "proc", None)
    if java is None:
        return
    if java.stdin is not None:
        java.stdin.close()
    try:
        java.wait(_JAVA_PARTING_SECONDS)
    except subprocess.TimeoutExpired:
        java.kill()
        java.wait()


def _stop(session: SparkSession) -> None:
    """End a session, if its Java has not ended before."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    with suppress(Py4JError, PySparkException, ConnectionError):
        session.stop()
