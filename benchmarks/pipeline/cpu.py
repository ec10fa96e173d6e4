"""The cpu time of this process's children, by kind: Spark's Java, and its Python workers. Linux only."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")


class CpuSeconds(NamedTuple):
    """Seconds of cpu, since the processes began."""

    java: float
    python: float

    def since(self, before: CpuSeconds) -> CpuSeconds:
        """The seconds since an earlier reading."""
        return CpuSeconds(self.java - before.java, self.python - before.python)


class _Process(NamedTuple):
    pid: int
    is_java: bool
    own: float
    ended_children: float


def cpu_of_children() -> CpuSeconds:
    """Read the cpu time of all processes below this one. Java's children are the Python workers."""
    children = _processes()
    java = python = 0.0
    waiting = [os.getpid()]
    while waiting:
        for process in children.get(waiting.pop(), ()):
            if process.is_java:
                java += process.own
            else:
                python += process.own
            python += process.ended_children
            waiting.append(process.pid)
    return CpuSeconds(java, python)


def _processes() -> dict[int, list[_Process]]:
    """All processes of the machine, by their parents."""
    found: dict[int, list[_Process]] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            text = (folder / "stat").read_text()
        except OSError:  # it has ended meanwhile
            continue
        name, _, rest = text.partition("(")[2].rpartition(")")
        fields = rest.split()
        user, system, children_user, children_system = (int(each) / _TICKS for each in fields[11:15])
        process = _Process(int(folder.name), name == "java", user + system, children_user + children_system)
        found.setdefault(int(fields[1]), []).append(process)
    return found
