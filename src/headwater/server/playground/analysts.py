"""The processes that analyse what somebody types, and the queue before them.

A question waits for its turn in a queue that is bounded in length and in time, and is then answered by a process that is killed at its
deadline. Whoever goes away leaves the queue at once; a process whose answer nobody waits for any more has a moment to finish, as it is
quicker to let it than to start another, and is killed after that.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any

from headwater.budget.process import Failed, Unavailable, Worker
from headwater.budget.worker import Request
from headwater.server.playground.limits import Limits

_GRACE = 1.0
"""Seconds that a process has left when nobody waits for its answer."""


class Busy(Exception):
    """Too many questions wait already, or one has waited for too long."""


class Analysts:
    """The playground's processes; of one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.waiting = 0
        self.busy = 0
        self.ended: Counter[str] = Counter()
        """Processes that gave no answer, by the reason."""
        self._turns = asyncio.Semaphore(limits.workers)
        self._threads = ThreadPoolExecutor(limits.workers, "playground")
        self._idle: deque[Worker] = deque()
        self._working: set[Worker] = set()
        self._runs: set[asyncio.Task[Any]] = set()

    async def ask(self, question: Request) -> Any:
        """The answer to a question; raises `Busy`, `Failed` or `Unavailable`."""
        await self._turn()
        try:
            worker = self._taken()
        except Unavailable:
            self._turns.release()
            raise
        run = asyncio.create_task(self._run(worker, question))
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
        while self._idle:
            self._idle.pop().stop()
        self._threads.shutdown()
        self._threads = ThreadPoolExecutor(self.limits.workers, "playground")

    async def _turn(self) -> None:
        """Wait until one of the processes is free."""
        if self._turns.locked() and self.waiting >= self.limits.queue:
            raise Busy
        self.waiting += 1
        try:
            await asyncio.wait_for(self._turns.acquire(), self.limits.patience)
        except asyncio.TimeoutError:
            raise Busy from None
        finally:
            self.waiting -= 1

    def _taken(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.usable:
                return worker
            worker.stop()
        return Worker()

    async def _run(self, worker: Worker, question: Request) -> Any:
        """Have a worker answer, and keep it if it can answer more; the turn is given back when the process is idle or gone."""
        async with self._at_work(worker):
            try:
                answer = await asyncio.get_running_loop().run_in_executor(self._threads, worker.run, question)
            except Failed as failure:
                self.ended[failure.code.value] += 1
                raise
        if worker.may_serve_after(question):
            self._idle.append(worker)
        else:
            worker.stop(patience=0)
        return answer

    @asynccontextmanager
    async def _at_work(self, worker: Worker) -> AsyncIterator[None]:
        self._working.add(worker)
        self.busy += 1
        try:
            yield
        finally:
            self.busy -= 1
            self._working.discard(worker)
            self._turns.release()

    def _abandon(self, run: asyncio.Task[Any], worker: Worker) -> None:
        if not run.done():
            worker.kill()
        run.add_done_callback(lambda done: done.cancelled() or done.exception())
