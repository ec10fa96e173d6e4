"""Every name in a corpus, found where its scripts lie: what a live catalog is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.budget import Budget
from headwater.catalog.wanted import Wanted
from headwater.pipeline.split.split import cuts_of
from headwater.pipeline.watchdog import Watchdog
from headwater.runtime.arrow_ddl import ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_NAME = pa.schema([("defined", pa.bool_()), ("parts", pa.list_(pa.string()))])


def wanted_names(scripts: DataFrame, budget: Budget) -> Wanted:
    """What scripts may name and define."""
    columns = ["script_id", "dialect", "default_schema", "text"]
    found = scripts.select(*columns).mapInArrow(_finder(budget), ddl(_NAME)).distinct().collect()
    named = {row["defined"]: set[tuple[str, ...]]() for row in found}
    for row in found:
        named[row["defined"]].add(tuple(row["parts"]))
    return Wanted(frozenset(named.get(False, ())), defined=frozenset(named.get(True, ())))


def _finder(budget: Budget) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        watch = Watchdog(budget.timeout)
        try:
            for batch in batches:
                names = dict.fromkeys(name for script in batch.to_pylist() for name in _names(script, watch, budget))
                yield pa.RecordBatch.from_pylist([{"defined": d, "parts": parts} for d, parts in names], schema=_NAME)
        finally:
            watch.stop()

    return run


def _names(script: dict[str, Any], watch: Watchdog, budget: Budget) -> Iterable[tuple[bool, tuple[str, ...]]]:
    for cut in cuts_of(script, watch, budget).cuts:
        yield from ((False, name) for name in cut.mentions.named)
        yield from ((True, name) for name in cut.mentions.defined)
