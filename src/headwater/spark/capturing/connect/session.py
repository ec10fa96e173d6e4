"""A Spark Connect session, to be captured."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from headwater.spark.capturing.connect.client import ClientListener
from headwater.spark.capturing.connect.reading import ClientReader
from headwater.spark.capturing.connect.stopping import Stopping
from headwater.spark.capturing.listener import Ended, Event, Hear
from headwater.spark.capturing.new_sessions import NewSessions
from headwater.spark.capturing.reading import Captured

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class ConnectSession:
    """Hears of what the clients run as it is run, so that there is nothing to wait for.

    The server is asked for nothing before a first job has succeeded: a program whose server does not answer fails when it would without us.
    """

    def __init__(self, spark: SparkSession) -> None:
        session: Any = spark
        self._spark = session
        self.app, self.user = "", str(getattr(session.client, "_user_id", None) or "")
        self._clients: list[_Client] = []
        self._new_sessions = NewSessions(self._follow)
        self._stopping: Stopping
        self._hear: Hear

    def listen(self, hear: Hear, ended: Ended) -> None:
        """From here on; *ended* is called before a session is stopped."""
        self._hear = hear
        self._stopping = Stopping(ended)
        self._follow(self._spark)
        self._new_sessions.of(self._spark)

    def _follow(self, spark: Any) -> None:
        """Hear of what the client of a session runs."""
        self._clients.append(_Client(spark, self))
        self._stopping.of(spark)

    def heard(self, event: Event) -> None:
        """A client has run something."""
        self._hear(event)

    def learn(self, client: Any) -> None:
        """Ask the server what the application is called."""
        if not self.app:
            with suppress(Exception):
                self.app = str(client.get_configs("spark.app.name")[0] or "")

    def settle(self, timeout: float) -> None:
        """What has ended was heard of."""

    def lost(self) -> int:
        """Nothing: the client itself tells."""
        return 0

    def stop(self) -> None:
        """No more."""
        self._new_sessions.stop()
        self._stopping.stop()
        for each in self._clients:
            each.stop()

    def read(self, event: Event) -> Captured | None:
        """What a job did."""
        made: Captured | None = event.reader.read(event)
        return made


class _Client:
    """One client, with the reader of its plans. What we ask the server for is not heard."""

    def __init__(self, spark: Any, session: ConnectSession) -> None:
        self._spark = spark
        self._session = session
        self._reader: ClientReader | None = None
        self._asking: int | None = None
        self._listener = ClientListener(spark.client, self._heard)

    def stop(self) -> None:
        """Hear no more."""
        self._listener.stop()

    def _heard(self, event: Event) -> None:
        if self._asking == threading.get_ident():
            return
        if self._reader is None:
            self._asking = threading.get_ident()
            try:
                self._reader = self._new_reader()
            finally:
                self._asking = None
        self._session.heard(event._replace(reader=self._reader))

    def _new_reader(self) -> ClientReader:
        schema = "default"
        with suppress(Exception):
            schema = str(self._spark.catalog.currentDatabase())
        self._session.learn(self._spark.client)
        return ClientReader(self._spark.client, schema)
