"""The client's own calls, heard when they have succeeded: one method of one client object is wrapped, and put back by `stop`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

from headwater.spark.capturing.listener import JOB, Event, Hear

_FETCH = "_execute_and_fetch_as_iterator"
"""Whatever a client runs goes through this, but for the registration of functions."""


class ClientListener:
    """Hears of the plans that a client runs, with the answers that are no data; in the program's own thread, so it only passes them on."""

    def __init__(self, client: Any, hear: Hear) -> None:
        self._client = client
        self._hear = hear
        self._wrapped = self._fetching(getattr(client, _FETCH))
        setattr(client, _FETCH, self._wrapped)

    def stop(self) -> None:
        """The client's method is its own again, unless somebody else has wrapped it since: then ours only passes on."""
        self._hear = _deaf
        if vars(self._client).get(_FETCH) is self._wrapped:
            delattr(self._client, _FETCH)

    def _fetching(self, method: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        """An exception of the client's passes through iterators of C alone: its traceback is as it would be without us."""

        def fetch(request: Any, *args: Any, **named: Any) -> Iterator[Any]:
            answers: dict[str, Any] = {}

            def noted(response: Any) -> Any:
                if isinstance(response, dict):
                    answers.update(response)
                return response

            def ended() -> Iterator[Any]:
                self._ran(request, answers)
                yield from ()

            return chain(map(noted, method(request, *args, **named)), ended())

        return fetch

    def _ran(self, request: Any, answers: dict[str, Any]) -> None:
        with suppress(Exception):
            self._hear(Event(JOB, "", (request.plan, answers), time.time()))


def _deaf(event: Event) -> None:
    """Hears nothing."""
