"""How large a request may be: refused by what it says of itself, and while it is read."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headwater.server.guard.request import headers
from headwater.server.problems import problem


class SizeLimit:
    """Refuses requests that are too large."""

    def __init__(self, app: ASGIApp, body: int, query: int) -> None:
        self._app = app
        self._body = body
        self._query = query

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count what is read of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if len(scope["query_string"]) > self._query:
            message = f"the address is longer than {self._query:,} bytes: name things by their ids"
            await problem(413, "too-large", message)(scope, receive, send)
            return
        if any(not said.isdecimal() or int(said) > self._body for said in headers(scope, b"content-length")):
            await problem(413, "too-large", self._said())(scope, receive, send)
            return
        await self._app(scope, self._counting(receive), send)

    def _counting(self, receive: Receive) -> Receive:
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._body:
                raise HTTPException(413, self._said())
            return message

        return counted

    def _said(self) -> str:
        return f"the request is larger than {self._body:,} bytes"
