"""The playground's queue: a few questions are worked on at a time, the others wait, and every client gets its share.

Who gets the next free place:

1. the client with the fewest questions that are being worked on;
2. of these, the one that has waited longest since its last turn;
3. of its questions, the oldest.

Who is refused:

1. a question that has waited for too long;
2. where the queue is full, the newest question of the client that has the most in it. So a client may use all of the queue while nobody
   else waits, and a newcomer always finds room, until each place in the queue is another client's.

A client that asks forty questions at once thus delays its own, and those of others by one turn.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque

from headwater.server.playground.limits import Limits

Turn = asyncio.Future[None]


class Busy(Exception):
    """Too many questions wait already, or one has waited for too long."""


class Turns:
    """Turns at a few places; of one event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._at_work: Counter[str] = Counter()
        self._queues: dict[str, deque[Turn]] = {}
        """Of each client that waits its questions, oldest first; the client with the longest wait since its last turn first."""

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        return sum(map(len, self._queues.values()))

    async def take(self, client: str) -> None:
        """Wait for a turn, which must be given back; raises `Busy`."""
        if self._at_work.total() < self._limits.workers:
            self._at_work[client] += 1
            return
        turn = self._enter(client)
        alarm = asyncio.get_running_loop().call_later(self._limits.patience, self._refuse, client, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._leave(client, turn)
            elif turn.exception() is None:  # the turn came in the moment in which its client went away
                self.give_back(client)
            raise
        finally:
            alarm.cancel()

    def give_back(self, client: str) -> None:
        """End a turn: the next client has it."""
        self._at_work[client] -= 1
        if not self._at_work[client]:
            del self._at_work[client]
        while self._queues:
            following = min(self._queues, key=self._at_work.__getitem__)
            turn = self._taken_from(following)
            if not turn.done():
                self._at_work[following] += 1
                turn.set_result(None)
                return

    def _enter(self, client: str) -> Turn:
        """A place in the queue, which may be another client's last one."""
        if self.waiting >= self._limits.queue:
            longest = max(self._queues, key=lambda each: len(self._queues[each]), default=client)
            if len(self._queues.get(longest, ())) <= len(self._queues.get(client, ())) + 1:
                raise Busy
            self._refuse(longest, self._queues[longest][-1])
        turn: Turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, deque()).append(turn)
        return turn

    def _taken_from(self, client: str) -> Turn:
        """The oldest question of a client, which then stands behind the others."""
        queue = self._queues.pop(client)
        turn = queue.popleft()
        if queue:
            self._queues[client] = queue
        return turn

    def _leave(self, client: str, turn: Turn) -> None:
        queue = self._queues.get(client, deque())
        if turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[client]

    def _refuse(self, client: str, turn: Turn) -> None:
        self._leave(client, turn)
        if not turn.done():
            turn.set_exception(Busy())
