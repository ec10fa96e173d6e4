"""What Spark calls when a job has ended or a stream begins: as little as possible happens here, Spark waits.

Methods have the names that Spark's interfaces give them. Nothing is raised: Spark would log it, and go on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

JOB, STREAM = "job", "stream"


class Event(NamedTuple):
    """Something that Spark told: a job by its query execution, or a stream by its execution."""

    kind: str
    name: str
    """What Spark calls the action: `command`, `collectToPython`, `count`."""
    execution: Any
    time: float


Hear = Callable[[Event], None]


class JobListener:
    """Spark's QueryExecutionListener, in Python."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear

    def onSuccess(self, name: str, execution: Any, nanoseconds: int) -> None:  # noqa: N802
        """A job has ended."""
        with suppress(Exception):
            self._hear(Event(JOB, name, execution, time.time()))

    def onFailure(self, name: str, execution: Any, error: Any) -> None:  # noqa: N802
        """A job has failed: it has written nothing that counts."""

    def toString(self) -> str:  # noqa: N802
        """What Spark shows it as."""
        return "headwater"

    def equals(self, other: object) -> bool:
        """Java looks for a listener among others to take it away."""
        return other is self

    def hashCode(self) -> int:  # noqa: N802
        """As `equals`."""
        return id(self) & 0x7FFF_FFFF

    class Java:
        """What it is to Java."""

        implements = ("org.apache.spark.sql.util.QueryExecutionListener",)


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
