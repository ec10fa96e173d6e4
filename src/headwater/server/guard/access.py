"""What was asked, counted and logged: the method, the path, the answer's status and how long it took.

Never what stands behind the `?`, which may hold a token or names; and a path's odd characters only in a form that cannot forge a line.
"""

from __future__ import annotations

import logging
import time
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headwater.server.measures import Measures

_log = logging.getLogger(__name__)

_LONGEST_PATH = 200


class AccessLog:
    """Counts and logs requests."""

    def __init__(self, app: ASGIApp, measures: Measures) -> None:
        self._app = app
        self._measures = measures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            seconds = time.perf_counter() - start
            self._measures.note(_route(scope), scope["method"], status, seconds)
            path = quote(scope["path"][:_LONGEST_PATH])
            _log.info("%s %s: %d, %.1f ms", scope["method"][:10], path, status, seconds * 1000)


def _route(scope: Scope) -> str:
    """The pattern of the path, so that there are few: `/api/v1/scripts/{id}`."""
    return getattr(scope.get("route"), "path", "") or "refused"
