"""A session in Spark's own driver, to be captured."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from headwater.spark.capturing.execution_listener import ExecutionListener
from headwater.spark.capturing.listener import Ended, Event, Hear, stream_listener
from headwater.spark.capturing.new_sessions import NewSessions
from headwater.spark.capturing.reading import Captured, PlanReader

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_DROPPED = "queue.shared.numDroppedEvents"
"""How Spark counts events for which the queue of our listener had no room."""


class DriverSession:
    """Hears of jobs and streams from Spark's listener bus."""

    def __init__(self, spark: SparkSession) -> None:
        context: Any = spark.sparkContext
        self._spark: Any = spark
        self._context = context
        self.app, self.user = str(context.appName), str(context.sparkUser())
        self._bus = context._jsc.sc().listenerBus()
        self._reader = PlanReader(context._gateway)
        self._listeners: list[Callable[[], Any]] = []
        self._new_sessions = NewSessions(self._follow)
        self._hear: Hear
        self._dropped = 0

    def listen(self, hear: Hear, ended: Ended) -> None:
        """From here on; *ended* is called when the application ends."""
        from pyspark.java_gateway import ensure_callback_server_started

        self._hear = hear
        ensure_callback_server_started(self._context._gateway)  # type: ignore[no-untyped-call]
        self.lost()
        self._listeners.append(ExecutionListener(self._context, hear, ended).stop)
        self._follow(self._spark)
        self._new_sessions.of(self._spark)

    def _follow(self, spark: Any) -> None:
        """Hear of the streams of a session."""
        streams, listener = spark.streams, stream_listener(spark, self._hear)
        streams.addListener(listener)
        self._listeners.append(lambda: streams.removeListener(listener))

    def settle(self, timeout: float) -> None:
        """Wait until what has ended was heard of."""
        self._bus.waitUntilEmpty(int(timeout * 1000))

    def lost(self) -> int:
        """How many events Spark dropped since this was last asked: it does so when its listeners are too slow."""
        counters = self._bus.metrics().metricRegistry().getCounters()
        dropped = int(counters.get(_DROPPED).getCount()) if counters.containsKey(_DROPPED) else 0
        since, self._dropped = dropped - self._dropped, dropped
        return since

    def stop(self) -> None:
        """No more."""
        self._new_sessions.stop()
        for end in self._listeners:
            with suppress(Exception):
                end()

    def read(self, event: Event) -> Captured | None:
        """What a job or a stream did."""
        return self._reader.read(event)
