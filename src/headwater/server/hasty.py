"""Connections over which a request must begin soon: who sends its first line and headers drop by drop holds no connection."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 20.0
"""Seconds for the first line and the headers of a request; what a body may take, `guard.time_limit` says."""


class HastyProtocol(H11Protocol):
    """HTTP/1.1, closed if a request's head is not whole in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there."""
        super().connection_made(transport)
        self._expect()

    def handle_events(self) -> None:
        """Something was sent, or what was sent before is looked at after an answer."""
        super().handle_events()
        if self.conn.their_state is not h11.IDLE:
            self._forget()
        elif self.conn.trailing_data[0]:
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._forget()
        super().connection_lost(exc)

    def _expect(self) -> None:
        """The rest of a head, from now on."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(PATIENCE, self.transport.close)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
