"""A Spark Connect session, to be captured."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from headwater.spark.capturing.connect.client import ClientListener
from headwater.spark.capturing.connect.reading import ClientReader
from headwater.spark.capturing.listener import Event, Hear
from headwater.spark.capturing.reading import Captured

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class ConnectSession:
    """Hears of what the client runs as it is run, so that there is nothing to wait for."""

    def __init__(self, spark: SparkSession) -> None:
        session: Any = spark
        self._client = session.client
        self.app, self.user, schema = "", str(getattr(self._client, "_user_id", None) or ""), "default"
        with suppress(Exception):
            self.app = str(self._client.get_configs("spark.app.name")[0] or "")
            schema = str(spark.catalog.currentDatabase())
        self._reader = ClientReader(self._client, schema)
        self._listener: ClientListener | None = None

    def listen(self, hear: Hear) -> None:
        """From here on."""
        self._listener = ClientListener(self._client, hear)

    def settle(self, timeout: float) -> None:
        """What has ended was heard of."""

    def stop(self) -> None:
        """No more."""
        if self._listener is not None:
            self._listener.stop()

    def read(self, event: Event) -> Captured | None:
        """What a job did."""
        return self._reader.read(event)
