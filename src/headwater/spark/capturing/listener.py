"""What is heard: jobs that have ended, and streams that begin. Methods have the names that Spark's interfaces give them."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

JOB, STREAM, END = "job", "stream", "end"


class Event(NamedTuple):
    """Something that Spark told: a job by its query execution, a stream by its execution, or that Spark is about to stop."""

    kind: str
    name: str
    """What Spark calls the action: `command`, `collectToPython`, `count`."""
    execution: Any
    time: float
    reader: Any = None
    """What reads it, if each session has a reader of its own."""


Hear = Callable[[Event], None]
Ended = Callable[[], None]
"""Waits until what was heard is recorded: Spark is about to stop."""


def stream_listener(spark: Any, hear: Hear) -> Any:
    """A listener for streams that begin."""
    from pyspark.sql.streaming.listener import StreamingQueryListener

    streams = spark._jsparkSession.streams()

    class StreamListener(StreamingQueryListener):
        """Hears of streams."""

        def onQueryStarted(self, event: Any) -> None:  # noqa: N802
            """A stream begins: its execution is taken now, for it may be gone in a moment; there is none if it is gone already."""
            execution = None
            with suppress(Exception):
                query = streams.get(str(event.id))
                execution = query.streamingQuery() if hasattr(query, "streamingQuery") else query
            with suppress(Exception):
                hear(Event(STREAM, str(event.name or ""), execution, time.time()))

        def onQueryProgress(self, event: Any) -> None:  # noqa: N802
            """A batch has ended."""

        def onQueryIdle(self, event: Any) -> None:  # noqa: N802
            """A stream waits."""

        def onQueryTerminated(self, event: Any) -> None:  # noqa: N802
            """A stream has ended."""

    return StreamListener()
