"""What ends work on a whole graph, in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from headwater.runtime.failure import BuildFailed, reason, spark_failures


class WholeGraphFailed(Exception):
    """Spark could not finish; the message says why."""


@contextmanager
def whole_graph_failures() -> Iterator[None]:
    """Turns what Spark raises into `WholeGraphFailed`."""
    try:
        with spark_failures():
            yield
    except BuildFailed as failed:
        cause = failed.__cause__
        why = reason(cause) if isinstance(cause, Exception) else str(failed)
        raise WholeGraphFailed(f"Spark could not finish: {why}") from cause
