"""The server under load: 50 requests a second, mixed, over two million columns; then four times as many, and what happens.

    python benchmarks/server/measure.py                       generates the store first, which takes two minutes
    python benchmarks/server/measure.py --folder large        a store that is there, or is generated there and kept
    python benchmarks/server/measure.py --rate 50 --seconds 60 --overload 4

The server is a process of its own, so is this client; both share the machine, and so does whatever else runs on it: the CPU time that the
server took is printed beside. A request's time counts from when it was due. Exit status 1 if a target is missed at the plain rate:
search p99 under 100 ms, neighbourhood p99 under 150 ms, no errors.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent.parent)]

from benchmarks.server.load import Figures, load, until_quick  # noqa: E402
from benchmarks.server.process import cpu_of, memory_of, served, store_at  # noqa: E402
from benchmarks.server.questions import Questions  # noqa: E402

TARGETS = {"search": 0.100, "neighbourhood": 0.150}
"""Seconds of the 99th percentile."""


def told(name: str, figures: Figures, rate: float, cpu: float, seconds: float) -> dict[str, object]:
    """Print the figures of a load; gives them."""
    print(f"\n{name}: {rate:g} requests a second for {seconds:g} s")
    print(f"{'kind':<16}{'count':>8}{'p50 ms':>10}{'p95 ms':>10}{'p99 ms':>10}{'max ms':>10}")
    percentiles = {}
    for kind, times in sorted(figures.seconds.items()):
        found = [float(each) for each in np.percentile(times, [50, 95, 99, 100]) * 1000]
        percentiles[kind] = dict(zip(("p50", "p95", "p99", "max"), found, strict=True))
        print(f"{kind:<16}{len(times):>8}" + "".join(f"{each:>10.1f}" for each in found))
    busy = cpu / (seconds + figures.drained)
    print(
        f"errors: {figures.errors or 'none'}; most waiting at once {figures.most_waiting}; last answer {figures.drained:.1f} s"
    )
    print(f"behind the last request; the server took {busy:.2f} cores")
    head = {"name": name, "rate": rate, "seconds": seconds, "errors": figures.errors, "cores": busy}
    return {**head, "most_waiting": figures.most_waiting, "drained_s": figures.drained, "ms": percentiles}


def missed(figures: Figures) -> list[str]:
    """Targets that were missed."""
    found = [f"errors: {figures.errors}"] if figures.errors else []
    for kind, target in TARGETS.items():
        measured = float(np.percentile(figures.seconds.get(kind, [float("inf")]), 99))
        if measured >= target:
            found.append(f"{kind}: p99 {measured * 1000:.0f} ms, not under {target * 1000:.0f}")
    return found


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, help="the store; generated there if there is none, and kept")
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument(
        "--overload", type=float, default=4, help="how many times the rate afterwards; 0 for not at all"
    )
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    arguments = parser.parse_args()
    with store_at(arguments.folder) as store, served(store) as (port, process):
        questions = Questions(store)
        asyncio.run(load(port, questions, 10, 5))
        print(f"memory after the first questions: {memory_of(process)}")
        before = cpu_of(process)
        plain = asyncio.run(load(port, questions, arguments.rate, arguments.seconds))
        found = [told("plain", plain, arguments.rate, cpu_of(process) - before, arguments.seconds)]
        print(f"memory: {memory_of(process)}")
        if arguments.overload:
            before, rate = cpu_of(process), arguments.rate * arguments.overload
            heavy = asyncio.run(load(port, questions, rate, arguments.seconds))
            found.append(told("overload", heavy, rate, cpu_of(process) - before, arguments.seconds))
            print(
                f"searches are quick again {asyncio.run(until_quick(port)):.2f} s after that; memory: {memory_of(process)}"
            )
    for each in missed(plain):
        print(f"missed: {each}")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n")
    return bool(missed(plain))


if __name__ == "__main__":
    sys.exit(main())
