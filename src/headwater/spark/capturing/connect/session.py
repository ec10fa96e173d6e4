"""A Spark Connect session, to be captured."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from headwater.spark.capturing.connect.client import ClientListener
from headwater.spark.capturing.connect.reading import ClientReader
from headwater.spark.capturing.listener import Event, Hear
from headwater.spark.capturing.new_sessions import NewSessions
from headwater.spark.capturing.reading import Captured

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class ConnectSession:
    """Hears of what the clients run as it is run, so that there is nothing to wait for."""

    def __init__(self, spark: SparkSession) -> None:
        session: Any = spark
        client = session.client
        self._spark = session
        self.app, self.user = "", str(getattr(client, "_user_id", None) or "")
        with suppress(Exception):
            self.app = str(client.get_configs("spark.app.name")[0] or "")
        self._listeners: list[ClientListener] = []
        self._new_sessions = NewSessions(self._follow)
        self._hear: Hear

    def listen(self, hear: Hear) -> None:
        """From here on."""
        self._hear = hear
        self._follow(self._spark)
        self._new_sessions.of(self._spark)

    def _follow(self, spark: Any) -> None:
        """Hear of what the client of a session runs."""
        schema = "default"
        with suppress(Exception):
            schema = str(spark.catalog.currentDatabase())
        reader = ClientReader(spark.client, schema)
        self._listeners.append(ClientListener(spark.client, lambda event: self._hear(event._replace(reader=reader))))

    def settle(self, timeout: float) -> None:
        """What has ended was heard of."""

    def lost(self) -> int:
        """Nothing: the client itself tells."""
        return 0

    def stop(self) -> None:
        """No more."""
        self._new_sessions.stop()
        for each in self._listeners:
            each.stop()

    def read(self, event: Event) -> Captured | None:
        """What a job did."""
        made: Captured | None = event.reader.read(event)
        return made
