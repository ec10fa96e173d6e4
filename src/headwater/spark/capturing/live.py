"""`capture`: from here on, whatever jobs an application runs are recorded; until `stop`, or the end of a `with`, or of the program."""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from headwater.analyzers.catalyst.executed import unread
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.relation import ColumnEdge, TableEdge
from headwater.spark.capturing.folder import Folder
from headwater.spark.capturing.listener import END, Ended, Event, Hear
from headwater.spark.capturing.reading import Captured, captured
from headwater.spark.capturing.worker import Worker
from headwater.storage import StorageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Sink = str | os.PathLike[str] | Callable[[Lineage], object] | None

_log = logging.getLogger(__name__)
_ROOM = 1000
"""Jobs that may wait to be read; each holds on to its plan."""
_EVERY = 1.0
"""Seconds after which Spark is asked again what it dropped."""
_KEPT, _KEPT_BESIDE_SINK = 1000, 100
"""Distinct jobs whose lineage is kept in memory, for `lineages` and what is made of it; fewer where a sink has all of them."""


class NotCapturable(ValueError):
    """A session whose jobs cannot be heard of; the message says why."""


def capture(spark: SparkSession, sink: Sink = None, *, timeout: float = 30) -> Capture:
    """Record the lineage of every DataFrame and SQL job that the application of a session runs from now on.

    *sink* is a folder or a URI, whose files `headwater build` reads beside scripts and logs, or a function that is called with the lineage
    of each job. *timeout* (seconds) is how long `stop`, and the end of the program, wait for the last jobs.

        with headwater.spark.capture(spark, sink="lineage_captured/"):
            spark.read.parquet("in/").groupBy("day").count().write.saveAsTable("mart.days")
    """
    if not (sink is None or callable(sink) or isinstance(sink, (str, os.PathLike))):
        raise TypeError(f"sink is a folder or a function, not {type(sink).__name__}")
    folder = None
    session = _session(spark)
    if isinstance(sink, (str, os.PathLike)):
        try:
            folder = Folder(sink, session, spark)
        except StorageError as error:
            raise ValueError(f"captured jobs cannot be written there: {error}") from error
    return Capture(session, sink if callable(sink) else None, folder, timeout)


class Session(Protocol):
    """A session that can be heard and read."""

    app: str
    user: str

    def listen(self, hear: Hear, ended: Ended) -> None:
        """Hear of jobs from here on, and of the end: *ended* is called before Spark stops."""

    def settle(self, timeout: float) -> None:
        """Wait until what has ended was heard of."""

    def lost(self) -> int:
        """How many events were dropped before they were heard, since this was last asked."""

    def stop(self) -> None:
        """Hear of no more."""

    def read(self, event: Event) -> Captured | None:
        """What a job did; None if it is none of the user's."""


def _session(spark: SparkSession) -> Session:
    if hasattr(spark, "_jsparkSession"):
        from headwater.spark.capturing.driver import DriverSession

        return DriverSession(spark)
    if hasattr(getattr(spark, "client", None), "_execute_and_fetch_as_iterator"):
        from headwater.spark.capturing.connect.session import ConnectSession

        return ConnectSession(spark)
    raise NotCapturable(
        "jobs are captured in sessions of PySpark 3.5 and later, in Spark's own driver or of Spark Connect"
    )


class Capture:
    """Live capture of one application; under Spark Connect, of one client and those made of it."""

    def __init__(
        self, session: Session, function: Callable[[Lineage], object] | None, folder: Folder | None, timeout: float
    ) -> None:
        self._session = session
        self._timeout = timeout
        self._function = function
        self._folder = folder
        self._jobs: OrderedDict[str, Lineage] = OrderedDict()
        self._problems: list[Diagnostic] = []
        self._lock = threading.Lock()
        self._asked = time.monotonic()
        self._worker: Worker[Event] = Worker(self._handle, self._tidy, _ROOM)
        self._stopped = False
        self._process = os.getpid()
        with self._saying("jobs are not captured"):
            session.listen(self._worker.offer, self._ended)
        atexit.register(self.stop)

    def __enter__(self) -> Capture:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def flush(self) -> None:
        """Wait until the jobs that have ended are recorded."""
        if self._is_inherited:
            return
        with self._saying("the last jobs may be missing"):
            self._session.settle(self._timeout)
        if not self._worker.drain(self._timeout):
            self._say(f"after {self._timeout:g} seconds there are still jobs to be read")

    def stop(self) -> None:
        """Capture no more: jobs that have ended are recorded, later ones are not. May be called twice."""
        if self._stopped or self._is_inherited:
            return
        self._stopped = True
        atexit.unregister(self.stop)
        self.flush()
        with suppress(Exception):
            self._session.stop()
        self._worker.stop(self._timeout)
        self._tidy(last=True)

    def lineages(self) -> list[Lineage]:
        """The lineage of each distinct job so far, in the order in which they were first met; of very many, the last."""
        if not self._stopped:
            self.flush()
        with self._lock:
            return list(self._jobs.values())

    def column_edges(self, rows: str = "node") -> list[ColumnEdge]:
        """The column edges of all jobs so far."""
        return [edge for lineage in self.lineages() for edge in lineage.column_edges(rows=rows)]

    def table_edges(self) -> list[TableEdge]:
        """The table edges of all jobs so far."""
        return [edge for lineage in self.lineages() for edge in lineage.table_edges()]

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What could not be captured so far, and why."""
        found = [d for lineage in self.lineages() for d in lineage.diagnostics]
        with self._lock:
            return found + self._problems

    @property
    def _has_sink(self) -> bool:
        return self._folder is not None or self._function is not None

    @property
    def _is_inherited(self) -> bool:
        """Whether the program forked this process: the capture is its parent's, and so are the connections to Spark."""
        return os.getpid() != self._process

    def _ended(self) -> None:
        """Wait until everything is recorded: Spark is about to stop."""
        if not self._stopped and not self._is_inherited:
            self._worker.offer(Event(END, "", None, time.time()))
            self._worker.drain(self._timeout)

    def _handle(self, event: Event) -> None:
        """Read a job and hand it on; in the worker's thread."""
        if event.kind == END:
            self._tidy(last=True)
            return
        with self._saying("a job was not captured"):
            made = self._session.read(event)
            if made is not None:
                self._keep(made, event.time)

    def _keep(self, made: Captured, moment: float) -> None:
        with self._lock:
            self._jobs.setdefault(made.content, made.lineage)
            forgets = len(self._jobs) > (_KEPT_BESIDE_SINK if self._has_sink else _KEPT)
            if forgets:
                self._jobs.popitem(last=False)
        if forgets and not self._has_sink:
            self._say(f"only the last {_KEPT:,} distinct jobs are kept in memory; give `sink` a folder to keep all")
        if self._folder is not None:
            with self._saying("captured jobs cannot be written"):
                self._folder.add(made.content, moment)
        if self._function is not None:
            with self._saying("the sink failed"):
                self._function(made.lineage)

    def _tidy(self, last: bool = False) -> None:
        dropped = self._worker.dropped()
        if dropped:
            self._miss(f"{dropped} jobs ended faster than they could be read, and were not captured")
        if last or time.monotonic() - self._asked > _EVERY:
            self._asked = time.monotonic()
            with self._saying("what Spark dropped is not known"):
                lost = self._session.lost()
                if lost:
                    self._miss(f"Spark dropped {lost} events, which may be of jobs: these were not captured")
        if self._folder is not None:
            with self._saying("captured jobs cannot be written"):
                self._folder.tidy(now=last)

    def _miss(self, message: str) -> None:
        """Record that jobs are missing."""
        self._keep(captured(unread(message, Code.NOT_CAPTURED), ""), time.time())
        self._say(message)

    def _saying(self, what: str) -> _Saying:
        return _Saying(lambda why: self._say(f"{what}: {why}"))

    def _say(self, message: str) -> None:
        """Warn of something once."""
        with self._lock:
            if any(known.message == message for known in self._problems):
                return
            self._problems.append(Diagnostic(Code.NOT_CAPTURED, message))
        _log.warning("%s", message)


class _Saying:
    """Lets nothing through but what ends the program, which nothing in a thread does; says what it was."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        in_main = threading.current_thread() is threading.main_thread()
        if isinstance(error, Exception if in_main else BaseException):
            self._say(str(getattr(error, "strerror", None) or type(error).__name__))
            return True
        return False
