"""What the server measures of itself, in the form that Prometheus reads; each application has its own."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from headwater.server.playground.analysts import Analysts
from headwater.server.served import Served

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Measures:
    """Requests, the playground, and the size of the store."""

    def __init__(self, analysts: Analysts, served: Served) -> None:
        self._registry = CollectorRegistry()
        labels = ("route", "method", "status")
        self._requests = Counter("headwater_requests", "Requests that were answered.", labels, registry=self._registry)
        self._seconds = Histogram(
            "headwater_request_seconds", "How long answers took.", ("route",), buckets=_SECONDS, registry=self._registry
        )
        self.answered = 0
        """Requests, of all kinds."""
        self._registry.register(_State(analysts, served))

    def note(self, route: str, method: str, status: int, seconds: float) -> None:
        """Note an answer."""
        self.answered += 1
        self._requests.labels(route, method if method in _METHODS else "other", str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """All of it, as text."""
        return generate_latest(self._registry)


class _State(Collector):
    """What is so now, looked at when somebody asks."""

    def __init__(self, analysts: Analysts, served: Served) -> None:
        self._analysts = analysts
        self._served = served

    def collect(self) -> Iterable[Metric]:
        """The playground's processes and queue; how much the store holds, if its graph is open."""
        analysts = self._analysts
        yield GaugeMetricFamily("headwater_playground_waiting", "Scripts in the queue.", analysts.waiting)
        yield GaugeMetricFamily("headwater_playground_busy", "Scripts that are being analysed.", analysts.busy)
        yield GaugeMetricFamily("headwater_playground_idle", "Processes that wait for a script.", analysts.idle)
        ended = CounterMetricFamily("headwater_playground_ended", "Processes that gave no answer.", labels=["reason"])
        for reason, count in analysts.ended.items():
            ended.add_metric([reason], count)
        yield ended
        counts = self._served.known_counts()
        if counts is not None:
            size = GaugeMetricFamily("headwater_store", "How much the store holds.", labels=["what"])
            for what in ("scripts", "tables", "columns", "relations"):
                size.add_metric([what], getattr(counts, what))
            yield size
