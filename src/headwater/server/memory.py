"""Gives memory back to the system that answers have left behind.

An answer over a large store takes arrays of megabytes, in one of some forty threads. glibc gives threads arenas of their own and keeps what
was freed there: after a crowd over two million columns that was half of what the server held. So the server has one arena, which hardly
costs time because Python runs one thread at a time. That arena is trimmed every half minute in which there were requests.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
from collections.abc import Callable
from contextlib import suppress

import pyarrow as pa

_SECONDS = 30.0
_M_ARENA_MAX = -8
"""The number of that setting in glibc's malloc.h."""
_NO_GLIBC = (AttributeError, OSError, TypeError)


def share_one_arena() -> None:
    """Have all threads allocate from one arena, unless the user has set MALLOC_ARENA_MAX; for a process that only serves."""
    if "MALLOC_ARENA_MAX" not in os.environ:
        with suppress(*_NO_GLIBC):
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Return memory that is free to the system, as far as its C library can."""
    pa.default_memory_pool().release_unused()
    with suppress(*_NO_GLIBC):
        ctypes.CDLL(None).malloc_trim(0)


class Trimming:
    """Gives memory back when there were requests since the last time."""

    def __init__(self, answered: Callable[[], int], give_back: Callable[[], None] = give_back) -> None:
        self._answered = answered
        self._give_back = give_back
        self._seen = answered()

    async def run(self, seconds: float = _SECONDS) -> None:
        """Look again and again, for ever."""
        while True:
            await asyncio.sleep(seconds)
            await asyncio.to_thread(self.look)

    def look(self) -> None:
        """Give memory back if there is something new."""
        answered = self._answered()
        if answered != self._seen:
            self._seen = answered
            self._give_back()
