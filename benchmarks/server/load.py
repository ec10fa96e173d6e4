"""Requests at a rate, each at its time whether or not the ones before are answered; a request's time counts from when it was due.

The client is as small as can be, because it shares the machine with what it measures: HTTP/1.1 over connections that are kept open.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field

from benchmarks.server.questions import Question, Questions

PATIENCE = 60.0
"""Seconds after which a request counts as an error."""


@dataclass
class Figures:
    """What happened to the requests of a load."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    most_waiting: int = 0
    drained: float = 0.0
    """Seconds from the last request until all were answered."""

    def answered(self, kind: str, seconds: float) -> None:
        """Note that a request was answered."""
        self.seconds.setdefault(kind, []).append(seconds)

    def failed(self, what: str) -> None:
        """Note that one was not."""
        self.errors[what] = self.errors.get(what, 0) + 1


class Client:
    """Asks a server, if need be from another address of this machine; keeps connections open."""

    def __init__(self, port: int, source: str | None = None) -> None:
        self._port = port
        self._source = None if source is None else (source, 0)
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def status(self, address: str, body: bytes = b"") -> int:
        """Ask, or send a body, and read all of the answer; gives its status."""
        while self._idle:
            reader, writer = self._idle.pop()
            if not reader.at_eof():
                with suppress(ConnectionError, asyncio.IncompleteReadError):  # closed by the server in this moment
                    return await self._asked(reader, writer, address, body)
        fresh = await asyncio.open_connection("127.0.0.1", self._port, local_addr=self._source)
        return await self._asked(*fresh, address, body)

    async def _asked(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str, body: bytes
    ) -> int:
        head = f"{'POST' if body else 'GET'} {address} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        try:
            writer.write(f"{head}\r\n".encode() + body)
            told = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(told.partition("content-length:")[2].split("\r\n", 1)[0])
            await reader.readexactly(length)
        except BaseException:
            writer.close()
            raise
        self._idle.append((reader, writer))
        return int(told.split(" ", 2)[1])

    def close(self) -> None:
        """Let all connections go."""
        for _, writer in self._idle:
            writer.close()
        self._idle.clear()


async def load(port: int, questions: Questions, rate: float, seconds: float) -> Figures:
    """Ask so many questions a second for so many seconds, and wait for all answers."""
    client, figures = Client(port), Figures()
    waiting: set[asyncio.Task[None]] = set()
    began = time.perf_counter()
    for number in range(int(rate * seconds)):
        question, due = questions.drawn(), began + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        task = asyncio.create_task(_asked(client, question, due, figures))
        waiting.add(task)
        task.add_done_callback(waiting.discard)
        figures.most_waiting = max(figures.most_waiting, len(waiting))
    ended = time.perf_counter()
    await asyncio.gather(*waiting)
    figures.drained = time.perf_counter() - ended
    client.close()
    return figures


async def _asked(client: Client, question: Question, due: float, figures: Figures) -> None:
    try:
        status = await asyncio.wait_for(client.status(question.address), PATIENCE)
    except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
        figures.failed(f"{question.kind}: {type(error).__name__}")
        return
    if status == 200:
        figures.answered(question.kind, time.perf_counter() - due)
    else:
        figures.failed(f"{question.kind}: {status}")


async def until_quick(port: int, below: float = 0.1, times: int = 5) -> float:
    """Seconds until some searches in a row are answered quickly."""
    client, began, quick = Client(port), time.perf_counter(), 0
    while quick < times:
        asked = time.perf_counter()
        await client.status("/api/v1/search?q=table_77")
        quick = quick + 1 if time.perf_counter() - asked < below else 0
    client.close()
    return time.perf_counter() - began
