"""The playground's queue is fair to all clients, and its processes end when nobody needs them. Nothing here depends on time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

import pytest
from starlette.types import Scope

from headwater.budget.process import Worker
from headwater.server.client import client_of
from headwater.server.playground.analysts import Analysts
from headwater.server.playground.idle import IdleWorkers
from headwater.server.playground.limits import Limits
from headwater.server.playground.question import Question
from headwater.server.playground.turns import Busy, Turns

FOR_EVER = 10_000.0
"""Seconds."""


class Crowd:
    """Clients that ask, each question with a name, and what became of them."""

    def __init__(self, workers: int = 1, queue: int = 4, patience: float = FOR_EVER) -> None:
        self.turns = Turns(Limits(workers=workers, queue=queue, patience=patience))
        self.began: list[str] = []
        self.refused: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, *names: str) -> None:
        """Ask; the client is the first letter of a question's name."""
        for name in names:
            self.tasks[name] = asyncio.create_task(self._ask(name))
            await settled()

    async def _ask(self, name: str) -> None:
        try:
            await self.turns.take(name[0])
        except Busy:
            self.refused.append(name)
        else:
            self.began.append(name)

    async def finish(self, *names: str) -> None:
        """End the turns of questions."""
        for name in names:
            self.turns.give_back(name[0])
            await settled()

    async def finish_all(self) -> None:
        """End one turn after the other, until nobody waits."""
        for number in range(100):
            if number == len(self.began):
                return
            await self.finish(self.began[number])

    async def leave(self, *names: str) -> None:
        """Go away before the turn has come."""
        for name in names:
            self.tasks[name].cancel()
        await settled()


async def settled() -> None:
    """Let all that can go on go on."""
    for _ in range(5):
        await asyncio.sleep(0)


def played(story: Callable[[Crowd], Awaitable[None]], workers: int = 1, queue: int = 4) -> Crowd:
    """What became of a crowd."""

    async def play() -> Crowd:
        crowd = Crowd(workers, queue)
        await story(crowd)
        return crowd

    return asyncio.run(play())


def test_clients_take_turns() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.ask("a1", "a2", "a3", "b1", "b2", "c1")
        await crowd.finish_all()

    # a1 has the only place; then a, b, c in the order in which they began to wait, and again
    assert played(story, queue=10).began == ["a1", "a2", "b1", "c1", "a3", "b2"]


def test_a_free_place_goes_to_the_client_with_the_fewest_at_work() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.ask("a1", "a2", "a3", "b1")
        await crowd.finish("a1")

    # a2 is still at work, so b comes before a3
    assert played(story, workers=2).began == ["a1", "a2", "b1"]


def test_one_client_alone_may_fill_the_queue_and_no_more() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.ask(*(f"a{number}" for number in range(1, 8)))
        await crowd.finish_all()

    crowd = played(story)
    assert (crowd.began, crowd.refused) == (["a1", "a2", "a3", "a4", "a5"], ["a6", "a7"])


def test_a_newcomer_finds_room_in_a_full_queue() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.ask(*(f"a{number}" for number in range(1, 41)))
        await crowd.ask("b1", "b2", "b3")
        await crowd.finish_all()

    crowd = played(story)
    # the queue holds a2 to a5; b1 and b2 take the places of a5 and a4; with two each, b3 has no right to a third
    assert crowd.refused == [*(f"a{number}" for number in range(6, 41)), "a5", "a4", "b3"]
    assert crowd.began == ["a1", "a2", "b1", "a3", "b2"]


def test_where_each_place_is_another_clients_one_more_is_refused() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.ask("a1", "b1", "c1", "d1", "e1", "f1")
        await crowd.finish_all()

    crowd = played(story)
    assert (crowd.began, crowd.refused) == (["a1", "b1", "c1", "d1", "e1"], ["f1"])


def test_a_question_whose_client_goes_away_frees_its_place_in_the_queue() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.ask("a1", "a2", "b1")
        await crowd.leave("a2", "b1")
        assert crowd.turns.waiting == 0
        await crowd.ask("c1")
        await crowd.finish_all()

    assert played(story).began == ["a1", "c1"]


def test_a_turn_that_comes_when_its_client_goes_away_is_the_next_ones() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.ask("a1", "b1", "c1")
        crowd.turns.give_back("a")  # b1 has its turn, but does not know it yet
        await crowd.leave("b1")

    assert played(story).began == ["a1", "c1"]


def test_a_question_that_waits_for_too_long_is_refused() -> None:
    async def story() -> Crowd:
        crowd = Crowd(patience=0.001)
        await crowd.ask("a1", "b1")
        await crowd.tasks["b1"]
        assert crowd.turns.waiting == 0
        return crowd

    assert asyncio.run(story()).refused == ["b1"]


def test_a_queue_without_places() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.ask("a1", "b1")

    crowd = played(story, queue=0)
    assert (crowd.began, crowd.refused) == (["a1"], ["b1"])


@pytest.mark.parametrize(
    ("scope", "client"), [({"client": ("10.1.2.3", 5000)}, "10.1.2.3"), ({"client": None}, ""), ({}, "")]
)
def test_a_client_is_the_address_of_its_connection(scope: Scope, client: str) -> None:
    forged = {**scope, "headers": [(b"x-forwarded-for", b"10.9.9.9")]}
    assert client_of(forged) == client


def test_processes_that_nobody_needs_end_down_to_a_few() -> None:
    limits = Limits(workers=4, idle=60, kept=1)
    idle, workers = IdleWorkers(limits), [Worker() for _ in range(3)]
    try:
        for worker in workers:
            idle.add(worker)
        idle.end_unused(monotonic())
        assert len(idle) == 3
        idle.end_unused(monotonic() + limits.idle)
        assert [worker.usable for worker in workers] == [False, False, True]  # the one that was used last is there
        assert idle.take() is workers[-1]
    finally:
        for worker in workers:
            worker.stop(patience=0)


@pytest.mark.slow
def test_after_a_crowd_one_process_is_left() -> None:
    limits = Limits(workers=3, idle=0.001, timeout=60)

    async def story() -> int:
        analysts = Analysts(limits)
        try:
            await asyncio.gather(*(analysts.ask(Question.empty(limits), str(each)) for each in range(3)))
            while analysts.idle > limits.kept:
                await asyncio.sleep(0)
            return analysts.idle
        finally:
            await analysts.stop()

    assert asyncio.run(story()) == 1


@pytest.mark.slow
def test_a_process_that_holds_much_memory_is_not_kept() -> None:
    question = Question.empty(Limits())
    worker = Worker()
    try:
        worker.run(question)
        assert worker.may_serve_after(question)
        worker._held = 256  # as it would be after a script that needs much
        assert not worker.may_serve_after(question)
    finally:
        worker.stop(patience=0)
