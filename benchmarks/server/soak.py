"""The server for half an hour: 500 connections that say nothing, 50 clients that ask and read; its memory, its times, its errors.

    python benchmarks/server/soak.py                          generates a store of 200,000 columns first
    python benchmarks/server/soak.py --folder large           a store that is there, or is generated there and kept
    python benchmarks/server/soak.py --minutes 5 --active 20 --pause 2

An active client asks about the store as `questions` draws it, or has the playground analyse a script; it reads the answer, pauses, and asks
again. Each has an address of its own, so that the playground has as many clients. The server closes a connection without a request after 20
seconds: an idle client then opens another. Each minute prints what the server and its processes hold, and the times of each kind of
question; how much of the processor the server had, and how busy the machine was, without which times say nothing. The last line says how
much memory grew in the second half: the slope of a line through the samples. It reads `/proc`, so it needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent.parent)]

from benchmarks.server.load import PATIENCE, Client, Figures  # noqa: E402
from benchmarks.server.process import children_of, cpu_of, memory_of, served, store_at  # noqa: E402
from benchmarks.server.questions import Questions  # noqa: E402

RELATIONS = 1_000_000
PLAYGROUND = 0.04
"""The share of questions that are scripts."""
SAMPLE = 5.0
"""Seconds between two looks at the memory."""
_STEPS = ", ".join(f"c{i} AS (SELECT *, a{i - 1} + 1 AS a{i} FROM c{i - 1})" for i in range(1, 31))
SCRIPTS = (
    "INSERT INTO o SELECT a + b AS x, sum(c) OVER (PARTITION BY d) AS y FROM t WHERE e > 1",
    f"CREATE TABLE o AS WITH c0 AS (SELECT a0 FROM t), {_STEPS} SELECT * FROM c30",
    ";\n".join(f"INSERT INTO o{i} SELECT s.a, t.b FROM o{i - 1} AS s JOIN t ON s.k = t.k" for i in range(1, 40)),
    f"SELECT {' + '.join(f'c{i}' for i in range(1000))} AS x FROM t",
    f"SELECT {'(' * 800}a{')' * 800} AS x FROM t",
    "SELECT a FROM t WHERE",
)


@dataclass
class Sample:
    """What the server holds at a time, in megabytes."""

    minute: float
    resident: float
    own: float
    workers: int
    workers_resident: float


@dataclass
class Soak:
    """A server under load, and what was seen of it."""

    port: int
    process: int
    questions: Questions
    pause: float
    began: float = field(default_factory=time.monotonic)
    figures: Figures = field(default_factory=Figures)
    """Of this minute."""
    samples: list[Sample] = field(default_factory=list)
    open: int = 0
    """Idle connections."""
    errors: dict[str, int] = field(default_factory=dict)
    """Of all minutes."""
    cpu: float = 0.0
    """Seconds that the server had taken at the end of the last minute, without its workers."""

    async def run(self, minutes: int, idle: int, active: int) -> None:
        """Have the clients ask for some minutes, and print each."""
        clients = [self._stay(address_of(number)) for number in range(idle)]
        clients += [self._ask(address_of(number)) for number in range(active)]
        tasks = [asyncio.create_task(each) for each in (*clients, self._watch())]
        try:
            for minute in range(1, minutes + 1):
                await asyncio.sleep(max(0.0, self.began + minute * 60 - time.monotonic()))
                self._print(minute)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _stay(self, source: str) -> None:
        """Hold a connection open and say nothing, and take another when it is closed."""
        while True:
            await asyncio.sleep(random.uniform(0, 2))
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
                self.open += 1
                try:
                    await reader.read()
                finally:
                    self.open -= 1
                    writer.close()

    async def _ask(self, source: str) -> None:
        """Ask, read, pause, and so on."""
        client = Client(self.port, source)
        while True:
            await asyncio.sleep(random.expovariate(1 / self.pause))
            kind, address, body = self._drawn()
            start = time.perf_counter()
            try:
                status = await asyncio.wait_for(client.status(address, body), PATIENCE)
            except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError) as error:
                self._failed(f"{kind}: {type(error).__name__}")
                continue
            if status == 200:
                self.figures.answered(kind, time.perf_counter() - start)
            else:
                self._failed(f"{kind}: {status}")

    def _drawn(self) -> tuple[str, str, bytes]:
        if random.random() < PLAYGROUND:
            script = f"{random.choice(SCRIPTS)} -- {random.random()}"
            return "playground", "/api/v1/analyze", json.dumps({"sql": script}).encode()
        question = self.questions.drawn()
        return question.kind, question.address, b""

    def _failed(self, what: str) -> None:
        self.figures.failed(what)
        self.errors[what] = self.errors.get(what, 0) + 1

    async def _watch(self) -> None:
        while True:
            self.samples.append(self._sample())
            await asyncio.sleep(SAMPLE)

    def _sample(self) -> Sample:
        memory, workers = memory_of(self.process), []
        for each in children_of(self.process):
            with suppress(OSError, KeyError):  # it may end in this moment
                workers.append(memory_of(each)["resident_mb"])
        minute = (time.monotonic() - self.began) / 60
        return Sample(minute, memory["resident_mb"], memory["own_mb"], len(workers), sum(workers))

    def _print(self, minute: int) -> None:
        now, figures = self.samples[-1], self.figures
        before, self.cpu, self.figures = self.cpu, cpu_of(self.process), Figures()
        asked = sum(map(len, figures.seconds.values())) + sum(figures.errors.values())
        memory = f"server {now.resident:.0f} MB, its own {now.own:.0f} MB; {now.workers} workers {now.workers_resident:.0f} MB"
        print(f"minute {minute}: {memory}; {self.open} idle connections")
        busy = f"the server took {(self.cpu - before) / 60:.2f} cores; load of the machine {os.getloadavg()[0]:.1f}"
        print(f"    {asked} requests, errors {figures.errors or 'none'}; {busy}")
        for kind, times in sorted(figures.seconds.items()):
            p50, p99 = np.percentile(times, [50, 99]) * 1000
            print(f"    {kind:<16}{len(times):>6} answered, p50 {p50:>7.1f} ms, p99 {p99:>7.1f} ms")
        sys.stdout.flush()

    def growth(self) -> tuple[float, float]:
        """Megabytes that the server itself, and its processes, grew by in the second half."""
        half = [each for each in self.samples if each.minute >= self.samples[-1].minute / 2]
        return slope(half, [each.own for each in half]), slope(half, [each.workers_resident for each in half])


def slope(samples: list[Sample], values: list[float]) -> float:
    """How much a line through some values rises."""
    minutes = [each.minute for each in samples]
    return float(np.polyfit(minutes, values, 1)[0]) * (minutes[-1] - minutes[0]) if len(samples) > 1 else 0.0


def address_of(number: int) -> str:
    """The address that a client asks from: all of 127.0.0.0/8 is this machine's on Linux."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


def main() -> int:
    """Serve, ask, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, help="the store; generated there if there is none, and kept")
    parser.add_argument("--minutes", type=int, default=30)
    parser.add_argument("--idle", type=int, default=500, help="connections that say nothing")
    parser.add_argument("--active", type=int, default=50, help="clients that ask")
    parser.add_argument(
        "--pause", type=float, default=2.0, help="seconds between two questions of a client, on average"
    )
    arguments = parser.parse_args()
    with store_at(arguments.folder, RELATIONS) as store, served(store) as (port, process):
        soak = Soak(port, process, Questions(store), arguments.pause)
        asyncio.run(soak.run(arguments.minutes, arguments.idle, arguments.active))
        server, workers = soak.growth()
        print(f"errors: {soak.errors or 'none'}")
        print(f"growth in the second half: server {server:+.1f} MB, workers {workers:+.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
