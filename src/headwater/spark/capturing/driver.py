"""A session in Spark's own driver, to be captured."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from headwater.runtime.versions import marks_inner_writes
from headwater.spark.capturing.inner_writes import InnerWrites
from headwater.spark.capturing.listener import Event, Hear, JobListener, stream_listener
from headwater.spark.capturing.reading import Captured, PlanReader

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class DriverSession:
    """Hears of jobs and streams from Spark's listener bus."""

    def __init__(self, spark: SparkSession) -> None:
        context: Any = spark.sparkContext
        self._spark: Any = spark
        self._context = context
        self.app, self.user = str(context.appName), str(context.sparkUser())
        self._reader = PlanReader(context._gateway)
        self._listeners: list[Callable[[], Any]] = []
        self._inner_writes: InnerWrites | None = None

    def listen(self, hear: Hear) -> None:
        """From here on."""
        from pyspark.java_gateway import ensure_callback_server_started

        if not marks_inner_writes():
            self._inner_writes = InnerWrites(hear)
            hear = self._inner_writes.hear
        ensure_callback_server_started(self._context._gateway)  # type: ignore[no-untyped-call]
        self._bus = self._context._jsc.sc().listenerBus()
        manager = self._spark._jsparkSession.listenerManager()
        manager.register(JobListener(hear))
        registered = manager.listListeners()[-1]
        self._listeners.append(lambda: manager.unregister(registered))
        streams, listener = self._spark.streams, stream_listener(self._spark, hear)
        streams.addListener(listener)
        self._listeners.append(lambda: streams.removeListener(listener))

    def settle(self, timeout: float) -> None:
        """Wait until what has ended was heard of."""
        self._bus.waitUntilEmpty(int(timeout * 1000))
        if self._inner_writes is not None:
            self._inner_writes.release()

    def stop(self) -> None:
        """No more."""
        for end in self._listeners:
            with suppress(Exception):
                end()

    def read(self, event: Event) -> Captured | None:
        """What a job or a stream did."""
        return self._reader.read(event)
