"""The processes that analyse what somebody types, and the queue before them.

A question waits for its turn in a queue that is bounded in length and in time, and fair to all clients (`turns`). It is then answered by a
process that is killed at its deadline. A question leaves the queue when its client disconnects. A process whose answer nobody waits for has
a second to finish, because that is quicker than to start another. Processes that nobody needs end after a while (`idle`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any

from headwater.budget.process import Failed, Unavailable, Worker
from headwater.budget.worker import Request
from headwater.server.playground.idle import IdleWorkers
from headwater.server.playground.limits import Limits
from headwater.server.playground.turns import Busy, Turns

_GRACE = 1.0
"""Seconds that a process has left when nobody waits for its answer."""


class Analysts:
    """The playground's processes; of one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.busy = 0
        self.ended: Counter[str] = Counter()
        """Processes that gave no answer, by the reason."""
        self._turns = Turns(limits)
        self._threads = ThreadPoolExecutor(limits.workers, "playground")
        self._idle = IdleWorkers(limits)
        self._ending: asyncio.TimerHandle | None = None
        self._working: set[Worker] = set()
        self._runs: set[asyncio.Task[Any]] = set()

    @property
    def waiting(self) -> int:
        """Questions in the queue."""
        return self._turns.waiting

    @property
    def idle(self) -> int:
        """Processes that wait for a question."""
        return len(self._idle)

    async def ask(self, question: Request, client: str = "") -> Any:
        """The answer to a question of a client; raises `Busy`, `Failed` or `Unavailable`."""
        await self._turns.take(client)
        try:
            worker = self._idle.take()
        except Unavailable:
            self._turns.give_back(client)
            raise
        run = asyncio.create_task(self._run(worker, question, client))
        self._runs.add(run)
        run.add_done_callback(self._runs.discard)
        try:
            return await asyncio.shield(run)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(_GRACE, self._abandon, run, worker)
            raise

    async def start(self, question: Request) -> None:
        """Start all processes, by a question whose answer nobody needs: the first real one does not wait for imports."""
        with suppress(Failed, Unavailable, Busy):
            await asyncio.gather(*(self.ask(question) for _ in range(self.limits.workers)))

    async def stop(self) -> None:
        """End all processes; others are started if somebody asks again."""
        for worker in list(self._working):
            worker.kill()
        for run in list(self._runs):
            with suppress(Failed):
                await run
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        self._idle.stop()
        self._threads.shutdown()
        self._threads = ThreadPoolExecutor(self.limits.workers, "playground")

    def end_unused(self, now: float) -> None:
        """End the processes that nobody has needed for long, and look again later if there are more."""
        self._idle.end_unused(now)
        self._ending = None
        self._end_later()

    def _end_later(self) -> None:
        if self._ending is None and self._idle.too_many:
            loop = asyncio.get_running_loop()
            self._ending = loop.call_later(self.limits.idle, lambda: self.end_unused(monotonic()))

    async def _run(self, worker: Worker, question: Request, client: str) -> Any:
        """Have a worker answer, and keep it if it can answer more; the turn is given back when the process is idle or gone."""
        async with self._at_work(worker, client):
            try:
                answer = await asyncio.get_running_loop().run_in_executor(self._threads, worker.run, question)
            except Failed as failure:
                self.ended[failure.code.value] += 1
                raise
        if worker.may_serve_after(question):
            self._idle.add(worker)
            self._end_later()
        else:
            worker.stop(patience=0)
        return answer

    @asynccontextmanager
    async def _at_work(self, worker: Worker, client: str) -> AsyncIterator[None]:
        self._working.add(worker)
        self.busy += 1
        try:
            yield
        finally:
            self.busy -= 1
            self._working.discard(worker)
            self._turns.give_back(client)

    def _abandon(self, run: asyncio.Task[Any], worker: Worker) -> None:
        if not run.done():
            worker.kill()
        run.add_done_callback(lambda done: done.cancelled() or done.exception())
