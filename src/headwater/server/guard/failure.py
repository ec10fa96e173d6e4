"""A defect of ours is answered without a word about it; the log has the traceback."""

from __future__ import annotations

import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headwater.server.problems import internal

_log = logging.getLogger(__name__)


class FailureAnswer:
    """Answers what nobody expected."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; whatever is raised becomes an answer, if none has begun."""
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception:
            if scope["type"] != "http":
                raise
            _log.exception("%s %s failed", scope["method"], scope["path"][:200])
            if not begun:
                await internal()(scope, receive, send)
