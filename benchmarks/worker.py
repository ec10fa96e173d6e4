"""One contender in one process: read the corpus, run it a few times, write what was seen as JSON.

Started by `run.py` with the contender's interpreter. The clock is the process' CPU time, all threads together, because
other work on the machine counts less in it. The garbage collector keeps its default setting. The texts of each pass
differ by a few spaces, so that a contender's cache of results cannot answer for it.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import logging
import resource
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from time import process_time
from typing import Any

from adapters import Adapter, ReportedError
from corpus import Corpus, Query

BYTES_PER_UNIT = 1 if sys.platform == "darwin" else 1024
"""What `ru_maxrss` counts in: bytes on macOS, KiB elsewhere."""


@dataclass(slots=True)
class Measurement:
    """What one contender did with one corpus."""

    passes: list[float] = field(default_factory=list)
    answered: int = 0
    empty: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    start_bytes: int = 0
    peak_bytes: int = 0
    gc_enabled: bool = True
    versions: dict[str, str] = field(default_factory=dict)


def measure(adapter: Adapter[Any], corpus: Corpus, passes: int, budget: float) -> Measurement:
    """Run the corpus up to `passes` times; none is begun once `budget` seconds are spent."""
    result = Measurement(start_bytes=peak_bytes(), gc_enabled=gc.isenabled(), versions=versions(adapter.packages))
    result.passes.append(first_pass(adapter, corpus, result))
    while len(result.passes) < passes and sum(result.passes) < budget:
        result.passes.append(timed_pass(adapter, corpus, len(result.passes)))
    result.peak_bytes = peak_bytes()
    return result


def first_pass(adapter: Adapter[Any], corpus: Corpus, result: Measurement) -> float:
    """A timed pass in which every answer is also looked at, outside the clock."""
    elapsed = 0.0
    gc.collect()
    for query in corpus.queries:
        start = process_time()
        answer, error = attempt(adapter, query)
        elapsed += process_time() - start
        classify(adapter, query, answer, error, result)
    return elapsed


def timed_pass(adapter: Adapter[Any], corpus: Corpus, number: int) -> float:
    """The seconds that one more pass takes; each result is dropped before the next query."""
    queries = list(varied(corpus, number))
    gc.collect()  # each pass begins with the collector in the same state; else the best pass is one that it skipped
    start = process_time()
    for query in queries:
        attempt(adapter, query)
    return process_time() - start


def attempt(adapter: Adapter[Any], query: Query) -> tuple[Any, Exception | None]:
    """The contender's answer, or the exception that ended it."""
    try:
        return adapter.run(query), None
    except Exception as error:  # noqa: BLE001 - any failure of a contender is a result of the benchmark
        return None, error


def classify(adapter: Adapter[Any], query: Query, answer: Any, error: Exception | None, result: Measurement) -> None:
    """Count a query as answered, empty or failed."""
    if error is None:
        try:
            if adapter.is_answer(answer):
                result.answered += 1
            else:
                result.empty.append(query.name)
        except ReportedError as reported:
            error = reported
    if error is not None:
        result.failed[query.name] = f"{type(error).__name__}: {error}"[:300]


def varied(corpus: Corpus, number: int) -> Iterator[Query]:
    """The corpus' queries, the first space in each widened by `number`."""
    return (Query(query.name, query.sql.replace(" ", " " * (number + 1), 1)) for query in corpus.queries)


def peak_bytes() -> int:
    """The largest resident size of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_PER_UNIT


def versions(packages: tuple[str, ...]) -> dict[str, str]:
    """The installed versions; a package on the path without metadata counts as a source tree."""
    return {package: version(package) for package in packages}


def version(package: str) -> str:
    """One package's version."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "source tree" if package in sys.modules else "absent"


def load_adapter(name: str, corpus: Corpus) -> Adapter[Any]:
    """Build the adapter that `module:class` names."""
    module, _, cls = name.partition(":")
    adapter: Adapter[Any] = getattr(importlib.import_module(f"adapters.{module}"), cls)(corpus)
    return adapter


def main() -> None:
    """Measure one contender."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("adapter", help="module:class below adapters")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--passes", type=int, required=True)
    parser.add_argument("--budget", type=float, required=True)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    corpus = Corpus.load(options.corpus)
    result = measure(load_adapter(options.adapter, corpus), corpus, options.passes, options.budget)
    options.output.write_text(json.dumps(asdict(result)), encoding="utf-8")


if __name__ == "__main__":
    main()
