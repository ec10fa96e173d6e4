"""The server that is measured: its store, its process, and what that takes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

HERE = Path(__file__).parent


@contextmanager
def store_at(folder: Path | None, relations: int = 10_000_000) -> Iterator[Path]:
    """A store that is there, or a new one: of two million columns, or another fifth of the relations."""
    with tempfile.TemporaryDirectory() as scratch:
        store = folder or Path(scratch) / "lineage"
        if not (store / "store.json").is_file():
            for step in ("generate", "write"):
                command = [sys.executable, str(HERE.parent / "graph.py"), "--step", step, "--folder", str(store)]
                subprocess.run([*command, "--relations", str(relations)], check=True, stdout=subprocess.DEVNULL)
        yield store


@contextmanager
def served(store: Path) -> Iterator[tuple[int, int]]:
    """`headwater serve` with a store: its port and the number of its process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "headwater", "serve", str(store), "--port", str(port), "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
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


def children_of(process: int) -> list[int]:
    """The processes that a process has started, and that these have."""
    tasks = Path(f"/proc/{process}/task")
    with suppress(OSError):
        own = [int(each) for task in tasks.iterdir() for each in (task / "children").read_text().split()]
        return [*own, *(below for each in own for below in children_of(each))]
    return []


def cpu_of(process: int) -> float:
    """Seconds of CPU time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
