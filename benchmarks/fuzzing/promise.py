"""The promises of time and memory, for one text: `analyze(timeout=T, memory=M)` ends within 1.5 T + 1 seconds, and needs no more than M.

What a text took is measured in a way that a busy machine does not spoil: by the processor time of this process and of its workers; and by
the clock, as far as the processors were free.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

TIMEOUTS = (0.3, 1.0, 3.0, 10.0)
MEMORIES = (256, 512, 2048)
_SLACK = 64
"""Megabytes that the interpreter may take beside: caches, and what is freed and not given back."""
_STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a text may take."""

    timeout: float
    memory: int

    @classmethod
    def of(cls, text: str) -> Limits:
        """The limits that a text is tried with; always the same ones."""
        drawn = sha256(text.encode("utf-8", "surrogatepass")).digest()
        return cls(TIMEOUTS[drawn[0] % len(TIMEOUTS)], MEMORIES[drawn[1] % len(MEMORIES)])

    @property
    def seconds(self) -> float:
        """What is promised of time."""
        return 1.5 * self.timeout + 1


@dataclass(frozen=True, slots=True)
class Spent:
    """What a text took: seconds by the clock and of processors, megabytes at most, and how many processes wanted each processor."""

    clock: float
    processor: float
    megabytes: float
    load: float

    @property
    def seconds(self) -> float:
        """Seconds on a machine that does nothing else."""
        return max(self.processor, self.clock / max(self.load, 1.0))

    def broken(self, limits: Limits) -> tuple[tuple[str, str], ...]:
        """The promises that are broken: `overrun` and `memory`, each with words."""
        found = []
        if self.seconds > limits.seconds:
            took = f"{self.clock:.1f} s, {self.processor:.1f} s of processors, load {self.load:.1f}"
            found.append(("overrun", f"timeout={limits.timeout:g}: {took}"))
        if self.megabytes > limits.memory + _SLACK:
            found.append(("memory", f"memory={limits.memory}: {self.megabytes:.0f} MB"))
        return tuple(found)


class Meter:
    """Measures what is done inside of it, in `spent`."""

    def __enter__(self) -> Meter:
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
        self._held = _megabytes("VmRSS")
        self._processor, self._clock = _processor_seconds(), time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        clock = time.monotonic() - self._clock
        processor = _processor_seconds() - self._processor
        load = os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 1.0
        self.spent = Spent(clock, processor, _megabytes("VmHWM") - self._held, load)


def _processor_seconds() -> float:
    """Of this process, of its children that have ended, and of those that live, as far as the system tells of them."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system + sum(map(_seconds_of, _children()))


def _children() -> list[int]:
    found: list[int] = []
    for task in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, task.read_text(encoding="ascii").split())
    return found


def _seconds_of(process: int) -> float:
    with suppress(OSError, IndexError, ValueError):
        words = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _megabytes(name: str) -> float:
    """A line of what the system tells about this process; 0 where it does not."""
    with suppress(OSError):
        for line in _STATUS.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) / 1_000
    return 0.0
