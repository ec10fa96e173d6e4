"""Whether somebody still waits for an answer: who types on asks anew, and the older question need not be answered any more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request

Answer = TypeVar("Answer")


class Gone(Exception):
    """Whoever asked has gone away."""


async def while_present(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """The outcome of *work*, which is cancelled when whoever asked goes away; raises `Gone` then."""
    answering = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            return answering.result()
        raise Gone
    finally:
        leaving.cancel()
        answering.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
