"""Hostile SQL until the time is up: `python benchmarks/fuzz.py --minutes 10 --seed 1 --out findings.jsonl`.

Each text is made from the seed and its number alone: `--seed S --only N` shows and tries the same one again, if the same corpora
are there. The exit status is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import queue
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from fuzzing.judge import Court, Fault
from fuzzing.minimise import minimised
from fuzzing.mutate import variant
from fuzzing.pool import texts
from material.corpus import Sql

CACHE = Path(tempfile.gettempdir()) / "headwater-corpora"
WARM_UP = 3_000
"""Texts after which a child's memory should no longer grow."""
GROWTH = 60.0
"""Megabytes by which it may grow nevertheless."""


@dataclass(slots=True)
class Finding:
    """The first texts that showed a fault."""

    signature: str
    number: int
    seed: int
    dialect: str
    message: str
    smallest: str
    text: str


@dataclass(slots=True)
class Memory:
    """A child's megabytes after warm-up, and the most they were since."""

    tried: int = 0
    settled: float = 0.0
    most: float = 0.0
    worst: float = field(default=0.0)

    def note(self, megabytes: float) -> None:
        """Take down a reading; 0 says that the child is gone."""
        if not megabytes:
            self.tried, self.settled, self.most = 0, 0.0, 0.0
            return
        self.tried += 1
        if self.tried == WARM_UP:
            self.settled = self.most = megabytes
        elif self.tried > WARM_UP:
            self.most = max(self.most, megabytes)
            self.worst = max(self.worst, self.most - self.settled)


def search(options: argparse.Namespace, worker: int) -> Iterator[Finding | str]:
    """Try texts until the time is up; gives findings as they come, and a summary at the end."""
    pool = texts(options.cache, options.seed)
    seen: Counter[str] = Counter()
    memory = Memory()
    ends = time.monotonic() + 60 * options.minutes
    number = worker
    with Court(options.deadline) as court:
        while time.monotonic() < ends:
            sql = variant(Random(f"{options.seed}:{number}"), pool)
            verdict = court.judge(sql)
            memory.note(verdict.megabytes)
            for fault in {f.signature: f for f in verdict.faults}.values():
                seen[fault.signature] += 1
                if seen[fault.signature] <= options.each:
                    yield _finding(court, sql, fault, options.seed, number)
                    memory = Memory(worst=memory.worst)
            number += options.workers
    if memory.worst > GROWTH:
        message = f"{memory.worst:.0f} MB more than after {WARM_UP} texts"
        yield Finding("growth", number, options.seed, "", message, "", "")
    tried = (number - worker) // options.workers
    lines = [f"worker {worker}: {tried} texts, memory grew by {memory.worst:.0f} MB after warm-up"]
    yield "\n".join(lines + [f"  {count:>6}  {signature}" for signature, count in seen.most_common()])


def _finding(court: Court, sql: Sql, fault: Fault, seed: int, number: int) -> Finding:
    def still_fails(text: str) -> bool:
        return fault.signature in {f.signature for f in court.judge(Sql(sql.name, sql.dialect, text)).faults}

    smallest = minimised(sql.text, still_fails, 25 if fault.kind == "hang" else 600)
    return Finding(fault.signature, number, seed, sql.dialect, fault.message, smallest, sql.text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Search, print and save."""
    options = _options(arguments)
    if options.only is not None:
        return _again(options)
    found = 0
    with options.out.open("a", encoding="utf-8") as out:
        for result in _results(options):
            if isinstance(result, str):
                print(result)
                continue
            found += 1
            out.write(json.dumps({name: getattr(result, name) for name in Finding.__slots__}) + "\n")
            out.flush()
            again = f"--seed {result.seed} --only {result.number}"
            print(f"{result.signature}\n  {again}  ({result.dialect})\n  {result.smallest!r}", flush=True)
    return 1 if found else 0


def _results(options: argparse.Namespace) -> Iterator[Finding | str]:
    """The results of all workers, as they come."""
    if options.workers == 1:
        yield from search(options, 0)
        return
    context = multiprocessing.get_context("spawn")
    results: Any = context.Queue()
    workers = [context.Process(target=_work, args=(options, i, results)) for i in range(options.workers)]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers) or not results.empty():
        try:
            yield results.get(timeout=1)
        except queue.Empty:
            continue
    for worker in workers:
        worker.join()


def _work(options: argparse.Namespace, worker: int, results: Any) -> None:
    for result in search(options, worker):
        results.put(result)


def _again(options: argparse.Namespace) -> int:
    sql = variant(Random(f"{options.seed}:{options.only}"), texts(options.cache, options.seed))
    print(f"-- {sql.dialect}, from {sql.name}\n{sql.text}\n")
    with Court(options.deadline) as court:
        faults = court.judge(sql).faults
    print("\n".join(f"{f.kind}: {f.message}" for f in faults) or "nothing wrong")
    return 1 if faults else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Try hostile SQL.")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000, help="default: from the clock")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--deadline", type=float, default=10, help="seconds after which a text counts as a hang")
    parser.add_argument("--each", type=int, default=3, help="texts to keep of each fault")
    parser.add_argument("--only", type=int, metavar="N", help="try text number N of the seed again")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where downloads are kept (%(default)s)")
    parser.add_argument(
        "--out", type=Path, default=Path("fuzz-findings.jsonl"), help="findings, one JSON object per line"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
