"""What a worker says of itself: its host, its Python, its packages, and which of the driver's files it sees.

The question runs on workers that may have neither headwater nor PyArrow. So it is a plain function of Python that imports nothing of ours,
and that Spark sends by value because it is defined inside another one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_TASKS_PER_CORE = 2
_MAX_TASKS = 200
_SECONDS_PER_TASK = 0.05
"""How long a task waits before it answers, so that the others go to other workers."""


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """The answer of the workers on one host."""

    host: str
    python: str
    """The version, such as `3.11`."""
    packages: Mapping[str, str]
    """The versions of packages that are there; an unknown version is an empty text."""
    seen: frozenset[str]
    """The files that were asked for and are there, with the same size."""


def reports(
    spark: SparkSession, parallelism: int, packages: Sequence[str], files: Mapping[str, int]
) -> list[WorkerReport]:
    """Ask the workers, by a small job. Spark decides which of them it runs on: on a busy cluster not all are asked.

    *files* are paths with their sizes. Where workers of one host differ, the host has only what all of them have.
    """
    from pyspark.sql import functions as f

    count = max(2, min(_TASKS_PER_CORE * parallelism, _MAX_TASKS))
    ask: Any = f.udf(_question(tuple(packages), dict(files)), "string", useArrow=False)
    rows = spark.range(0, count, 1, count).select(ask.asNondeterministic()("id").alias("said")).collect()
    by_host: dict[str, WorkerReport] = {}
    for row in rows:
        said = json.loads(row["said"])
        found = WorkerReport(said["host"], said["python"], said["packages"], frozenset(said["seen"]))
        known = by_host.get(found.host)
        by_host[found.host] = found if known is None else _common(known, found)
    return sorted(by_host.values(), key=lambda report: report.host)


def _common(one: WorkerReport, other: WorkerReport) -> WorkerReport:
    packages = {name: version for name, version in one.packages.items() if other.packages.get(name) == version}
    return WorkerReport(one.host, min(one.python, other.python), packages, one.seen & other.seen)


def _question(packages: tuple[str, ...], files: Mapping[str, int]) -> Callable[[int], str]:
    pause = _SECONDS_PER_TASK

    def answer(number: int) -> str:
        import importlib.metadata
        import importlib.util
        import json
        import os
        import re
        import socket
        import sys
        import time

        def version(name: str) -> str | None:
            spec = importlib.util.find_spec(name)
            if spec is None or spec.origin is None:
                return None
            if name == "headwater":  # its own words: a checkout may have the metadata of another version
                source = getattr(spec.loader, "get_source", lambda name: None)(name)
                found = re.search(r'^__version__ = "(.+)"', source or "", re.MULTILINE)
                return found[1] if found else ""
            try:
                return importlib.metadata.version("pyyaml" if name == "yaml" else name)
            except importlib.metadata.PackageNotFoundError:
                return ""

        def size(path: str) -> int:
            try:
                return os.stat(path).st_size
            except OSError:
                return -1

        time.sleep(pause)
        found = {name: told for name in packages if (told := version(name)) is not None}
        said = {
            "host": socket.gethostname(),
            "python": ".".join(map(str, sys.version_info[:2])),
            "packages": found,
            "seen": [path for path, expected in files.items() if size(path) == expected],
        }
        return json.dumps(said)

    return answer


def here(packages: Sequence[str]) -> WorkerReport:
    """The same of this program."""
    said = json.loads(_question(tuple(packages), {})(0))
    return WorkerReport(said["host"], said["python"], said["packages"], frozenset())
