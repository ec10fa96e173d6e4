"""How long a request may take: afterwards it is answered, whatever is still being worked out, and what comes of that is dropped.

Work in a thread cannot be interrupted; it ends by itself, and nobody waits for it.
"""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headwater.server.problems import out_of_time


class TimeLimit:
    """Answers requests that take too long."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds
        self._late: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and answer in its place if it takes too long."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = late = False

        async def sending(message: Message) -> None:
            nonlocal begun
            if not late:
                begun = True
                await send(message)

        async def work() -> None:
            await self._app(scope, receive, sending)

        task = asyncio.create_task(work())
        try:
            await asyncio.wait({task}, timeout=self._seconds)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.done():
            await task
            return
        late = True
        self._leave(task)
        if begun:
            raise TimeoutError(f"an answer was not sent within {self._seconds:g} seconds")
        await out_of_time(self._seconds)(scope, receive, send)

    def _leave(self, task: asyncio.Task[None]) -> None:
        """Leave work to itself; what it ends in is nobody's business."""
        self._late.add(task)
        task.add_done_callback(self._late.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        task.cancel()
