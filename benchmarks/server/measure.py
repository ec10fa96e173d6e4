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
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent.parent)]

from benchmarks.server.load import Figures, load, until_quick  # noqa: E402
from benchmarks.server.questions import Questions  # noqa: E402

RELATIONS = 10_000_000
TARGETS = {"search": 0.100, "neighbourhood": 0.150}
"""Seconds of the 99th percentile."""


@contextmanager
def store_at(folder: Path | None) -> Iterator[Path]:
    """A store of two million columns: one that is there, or a new one."""
    with tempfile.TemporaryDirectory() as scratch:
        store = folder or Path(scratch) / "lineage"
        if not (store / "current").is_file():
            for step in ("generate", "write"):
                command = [sys.executable, str(HERE.parent / "graph.py"), "--step", step, "--folder", str(store)]
                subprocess.run([*command, "--relations", str(RELATIONS)], check=True, stdout=subprocess.DEVNULL)
        yield store


@contextmanager
def served(store: Path) -> Iterator[tuple[int, int]]:
    """A server of a store: its port and the number of its process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, str(HERE / "served.py"), str(store), str(port)])
    try:
        while process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(30)


def memory_of(process: int) -> dict[str, float]:
    """Megabytes that a process holds: all that is mapped, and what is its own."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    sizes = {
        name: int(rest.split()[0]) / 1024 for name, _, rest in (line.partition(":") for line in lines) if "kB" in rest
    }
    return {"resident_mb": sizes["VmRSS"], "own_mb": sizes["RssAnon"]}


def cpu_of(process: int) -> float:
    """Seconds of CPU time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
