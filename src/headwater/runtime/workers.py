"""What is known of Spark's workers before a build begins, and what they are given.

Workers of a local Spark are this machine. All others are asked by one small job: which Python and which packages they have, and whether
they see the files that the driver sees. Missing packages of pure Python are shipped (`shipping`); what cannot be shipped is an error that
says what is missing on which host, and which command helps.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.runtime.failure import reason
from headwater.runtime.launch import is_local
from headwater.runtime.shipping import SHIPPED, installed_here, ship
from headwater.runtime.versions import SparkUnavailable, is_connect
from headwater.runtime.worker_report import WorkerReport, here, reports

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_COMPILED = ("numpy", "pyarrow")
"""Packages that tasks need and that cannot be shipped as Python."""
_MAX_FILES_ASKED = 20
_ADVICE = (
    "`headwater spark pack -o environment.tar.gz` packs this environment for them: "
    "--spark spark.archives=environment.tar.gz#environment with PYSPARK_PYTHON=./environment/bin/python"
)
_MISMATCH = re.compile(r"Python in worker has different version:? \(?(?:3, ?|3\.)(\d+)\)?")
_NO_PROGRAM = re.compile(r'Cannot run program "([^"]+)"')
_TASK_HOST = re.compile(r"\(TID \d+\) \(([^ )]+)")


class WorkersUnready(SparkUnavailable):
    """Spark's workers lack something that headwater needs; the message says what, where, and which command helps."""


@dataclass(frozen=True, slots=True)
class Workers:
    """What is known of the workers."""

    parallelism: int
    """How many tasks run at a time."""
    shares_disk: bool
    """Whether workers see the inputs on the driver's disk."""
    sees_folder: bool = True
    """Whether workers see what the driver writes to the folder that was asked for."""
    hosts: tuple[str, ...] = ()
    """The hosts that have answered; none of a local Spark, which is not asked."""
    blind: tuple[str, ...] = ()
    """Those that do not see the folder."""
    shipped: tuple[str, ...] = ()
    """The packages that were sent to the workers."""

    def lines(self) -> Iterator[str]:
        """What was found out, in one line each: input, work place, package."""
        if not self.hosts:
            yield "workers: this machine"
            return
        where = _listed(self.hosts)
        yield f"input: workers on {where} {'read' if self.shares_disk else 'do not see'} the files of this machine" + (
            "" if self.shares_disk else ", the driver sends them"
        )
        seen = "see" if self.sees_folder else f"on {_listed(self.blind)} do not see"
        yield f"work place: workers {seen} the store's folder"
        yield f"package: {', '.join(self.shipped) + ' sent to' if self.shipped else 'headwater is installed on'} {where}"


def look_at(spark: SparkSession, inputs: Iterable[str] = (), folder: str | os.PathLike[str] | None = None) -> Workers:
    """Find out about the workers, and give them what they lack.

    *inputs* are paths on this machine's disk that a build reads; *folder* is one on this disk that it writes to.
    """
    if _is_this_machine(spark):
        return Workers(spark.sparkContext.defaultParallelism, shares_disk=True)
    files = _sizes(inputs)
    with _marker(folder) as marker:
        found, shipped = _prepared(spark, {**files, **marker})
    blind = tuple(each.host for each in found if not each.seen.issuperset(marker))
    return Workers(
        parallelism(spark),
        shares_disk=all(each.seen.issuperset(files) for each in found) and (bool(files) or not blind),
        sees_folder=not blind,
        hosts=tuple(each.host for each in found),
        blind=blind,
        shipped=shipped,
    )


_READY: weakref.WeakKeyDictionary[Any, None] = weakref.WeakKeyDictionary()


def make_ready(spark: SparkSession) -> None:
    """See to it that a session's workers can import headwater; each session is asked once."""
    key: Any = spark if is_connect(spark) else spark.sparkContext
    if key in _READY:
        return
    if not _is_this_machine(spark):
        _prepared(spark, {})
    _READY[key] = None


def _is_this_machine(spark: SparkSession) -> bool:
    return not is_connect(spark) and is_local(str(spark.sparkContext.master))


def parallelism(spark: SparkSession) -> int:
    """How many tasks run at a time, as far as Spark knows."""
    if is_connect(spark):
        from pyspark.sql import functions as f

        rows = spark.range(_MANY).select(f.spark_partition_id().alias("p")).distinct()
        return max(1, rows.count())
    context = spark.sparkContext
    most = context.getConf().get("spark.dynamicAllocation.maxExecutors", "") or ""
    dynamic = context.getConf().get("spark.dynamicAllocation.enabled", "false") == "true"
    foreseen = int(most) * int(context.getConf().get("spark.executor.cores", "1") or 1) if most.isdigit() else 0
    return max(context.defaultParallelism, foreseen if dynamic else 0)


_MANY = 100_000
"""Rows that Spark divides among all its cores."""


def _prepared(spark: SparkSession, files: dict[str, int]) -> tuple[list[WorkerReport], tuple[str, ...]]:
    """The answers of workers that have all that is needed, and the packages that were shipped to them."""
    own = here((*SHIPPED, *_COMPILED))
    found = _asked(spark, files)
    missing = _to_ship(own, found)
    _refuse_unready(own, found)
    if missing:
        ship(spark, missing)
        found = _asked(spark, files)
        if again := _to_ship(own, found):
            hosts = _listed([each.host for each in found])
            raise WorkersUnready(
                f"workers on {hosts} do not import {', '.join(again)} even when it is sent to them. {_ADVICE}"
            )
    return found, missing


def _asked(spark: SparkSession, files: dict[str, int]) -> list[WorkerReport]:
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    count = 1 if is_connect(spark) else spark.sparkContext.defaultParallelism
    try:
        return reports(spark, max(count, _MIN_PARALLELISM), (*SHIPPED, *_COMPILED), files)
    except (PySparkException, Py4JJavaError) as error:
        raise WorkersUnready(_explained(f"{error} {reason(error)}", reason(error))) from error


_MIN_PARALLELISM = 4


def _explained(text: str, otherwise: str) -> str:
    """Why no worker answered."""
    host = _TASK_HOST.search(text)
    where = f"the worker on {host[1]}" if host else "Spark's workers"
    if other := _MISMATCH.search(text):
        own = ".".join(map(str, sys.version_info[:2]))
        return f"{where} runs Python 3.{other[1]}, and this is Python {own}: set PYSPARK_PYTHON to the same version. {_ADVICE}"
    if program := _NO_PROGRAM.search(text):
        return f"{where} has no {program[1]}: set PYSPARK_PYTHON to a Python that is there. {_ADVICE}"
    return f"Spark's workers run no Python: {otherwise}"


def _to_ship(own: WorkerReport, found: Sequence[WorkerReport]) -> tuple[str, ...]:
    """The packages of this environment that a worker lacks, or has in another version."""
    wanted = [name for name in SHIPPED if installed_here(name)]
    return tuple(name for name in wanted if any(each.packages.get(name) != own.packages.get(name) for each in found))


def _refuse_unready(own: WorkerReport, found: Sequence[WorkerReport]) -> None:
    problems = []
    for each in found:
        lacks = [name for name in _COMPILED if name not in each.packages]
        said = [f"Python is {each.python}, not {own.python}"] if each.python != own.python else []
        said += [f"{' and '.join(lacks)} {'is' if len(lacks) == 1 else 'are'} not installed"] if lacks else []
        if said:
            problems.append(f"on {each.host} {', '.join(said)}")
    if problems:
        raise WorkersUnready(f"Spark's workers cannot run headwater: {'; '.join(problems)}. {_ADVICE}")


def _sizes(inputs: Iterable[str]) -> dict[str, int]:
    """Some of the inputs, as absolute paths with their sizes."""
    found: dict[str, int] = {}
    for path in inputs:
        if len(found) == _MAX_FILES_ASKED:
            break
        with suppress(OSError):
            found[os.path.abspath(path)] = os.stat(path).st_size
    return found


@contextmanager
def _marker(folder: str | os.PathLike[str] | None) -> Iterator[dict[str, int]]:
    """A file in a folder, or in the nearest one above it that is there, for workers to look for; gone in the end."""
    if folder is None:
        yield {}
        return
    place = Path(folder).absolute()
    while not place.is_dir() and place != place.parent:
        place = place.parent
    try:
        marker = tempfile.NamedTemporaryFile(dir=place, prefix=".headwater-")  # noqa: SIM115 - closed below
    except OSError:
        yield {}
        return
    with marker:
        marker.write(os.urandom(1 + os.getpid() % 1000))
        marker.flush()
        yield {marker.name: os.stat(marker.name).st_size}


def _listed(hosts: Sequence[str]) -> str:
    return ", ".join(hosts[:_MAX_HOSTS_SHOWN]) + (
        f" and {len(hosts) - _MAX_HOSTS_SHOWN} more" if len(hosts) > _MAX_HOSTS_SHOWN else ""
    )


_MAX_HOSTS_SHOWN = 5
