"""The client's own calls, heard when they have succeeded: two methods of one client object are wrapped, and put back by `stop`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from headwater.spark.capturing.listener import JOB, Event, Hear

_FETCH, _EXECUTE = "_execute_and_fetch_as_iterator", "_execute"
"""Whatever a client runs goes through one of these."""


class ClientListener:
    """Hears of the plans that a client runs, with the answers that are no data; in the program's own thread, so it only passes them on."""

    def __init__(self, client: Any, hear: Hear) -> None:
        self._client = client
        self._hear = hear
        self._wrapped: dict[str, Callable[..., Any]] = {}
        for name, wrapper in ((_FETCH, self._fetching), (_EXECUTE, self._executing)):
            method = getattr(client, name)
            self._wrapped[name] = wrapper(method)
            setattr(client, name, self._wrapped[name])

    def stop(self) -> None:
        """The client's methods are its own again, unless somebody else has wrapped them since: then they only pass on."""
        self._hear = _deaf
        for name, ours in self._wrapped.items():
            if vars(self._client).get(name) is ours:
                delattr(self._client, name)

    def _fetching(self, method: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        def fetch(request: Any, *args: Any, **named: Any) -> Iterator[Any]:
            answers: dict[str, Any] = {}
            for response in method(request, *args, **named):
                if isinstance(response, dict):
                    answers.update(response)
                yield response
            self._ran(request, answers)

        return fetch

    def _executing(self, method: Callable[..., None]) -> Callable[..., None]:
        def execute(request: Any) -> None:
            method(request)
            self._ran(request, {})

        return execute

    def _ran(self, request: Any, answers: dict[str, Any]) -> None:
        with suppress(Exception):
            self._hear(Event(JOB, "", (request.plan, answers), time.time()))


def _deaf(event: Event) -> None:
    """Hears nothing."""
