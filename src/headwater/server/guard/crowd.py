"""How many questions may wait at once: more than can be answered soon are refused at once, so that those which are let in are answered.

The playground is not counted here: it has a queue of its own, and nobody else waits for it.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from headwater.server.api import PREFIX
from headwater.server.problems import problem

_PLAYGROUND = f"{PREFIX}/analyze"


class CrowdLimit:
    """Refuses questions while too many others are unanswered."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most
        self._unanswered = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        path = scope.get("path", "")
        if scope["type"] != "http" or not path.startswith(PREFIX) or path.startswith(_PLAYGROUND):
            await self._app(scope, receive, send)
            return
        if self._unanswered >= self._most:
            message = f"{self._most} questions wait for their answers already"
            await problem(503, "busy", message, "try again in a moment", {"Retry-After": "1"})(scope, receive, send)
            return
        self._unanswered += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._unanswered -= 1
