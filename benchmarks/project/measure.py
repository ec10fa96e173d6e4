"""A semantic layer's figures: `python benchmarks/project/measure.py --folder /some/where`.

Generates a project (500 models of 20 columns, 1,000 metrics, 2,000 properties), reads and resolves it, builds a store of it, and compares
with the truth: the physical columns of every metric and property, and everything that breaks without a column. Printed are seconds
and milliseconds, and how much disagrees; the exit status is 1 if anything does.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import headwater
from headwater.graph import Graph
from headwater.pipeline.corpus import Corpus, build
from headwater.project.read import read_project
from headwater.project.resolver import Resolver
from project.generate import NAME, SOURCE, Generator, Size, Truth


def timed(what: Callable[[], Any]) -> tuple[Any, float]:
    """What a call gives, and its seconds."""
    start = time.perf_counter()
    return what(), time.perf_counter() - start


def slowest(milliseconds: Iterable[float]) -> str:
    """The middle, the 99th of a hundred and the worst."""
    listed = sorted(milliseconds)
    return (
        f"p50 {listed[len(listed) // 2]:.2f} ms, p99 {listed[int(len(listed) * 0.99)]:.2f} ms, most {listed[-1]:.2f} ms"
    )


def resolved(folder: Path, truth: Truth) -> int:
    """Resolve every metric and property; how many disagree with the truth."""
    project, reading = timed(lambda: read_project(folder))
    resolver = Resolver(project)
    _, analysing = timed(lambda: resolver.resolve("k0"))
    print(f"read {reading:.2f} s; resolved as a whole {analysing:.2f} s, {len(resolver.lineage.statements)} statements")
    problems = [said for said, _ in resolver.lineage.diagnostics()]
    wrong, took, warm = [], [], []
    for name, values in truth.values.items():
        parts = name.split(".")
        reference = parts[2] if parts[1] == "metric" else ".".join(parts[2:])
        found, seconds = timed(lambda reference=reference: resolver.resolve(reference))
        took.append(seconds * 1000)
        warm.append(timed(lambda reference=reference: resolver.resolve(reference))[1] * 1000)
        if frozenset(found.columns) != values:
            wrong.append(name)
    print(f"{len(took)} expressions resolved, each: {slowest(took)}; again: {slowest(warm)}")
    print(f"{len(wrong)} have other columns than they should, {len(problems)} diagnostics", *wrong[:5])
    return len(wrong) + len(problems)


def traced(graph: Graph, truth: Truth, count: int, seed: int = 3) -> int:
    """Ask the store up and down; how many answers disagree with the truth."""
    chance = random.Random(seed)
    wrong, up = [], []
    for name, values in truth.values.items():
        found, seconds = timed(lambda name=name: _raw(graph, name))
        up.append(seconds * 1000)
        wrong += [] if found == values else [name]
    print(f"upstream to the raw columns of {len(up)} expressions: {slowest(up)}; {len(wrong)} wrong", *wrong[:5])
    down, hits, extra, missing = [], [], 0, 0
    for raw in chance.sample(sorted(truth.broken), count):
        _, seconds = timed(lambda raw=raw: graph.downstream(raw, flow="impact").columns())
        down.append(seconds * 1000)
        found, seconds = timed(lambda raw=raw: graph.impact(raw, "drop"))
        hits.append(seconds * 1000)
        broken = {str(hit.column) for hit in found.hits if hit.verdict == "breaking" and not hit.column.row_set}
        extra += len(broken - truth.broken[raw])
        missing += len(truth.broken[raw] - broken)
        if broken != truth.broken[raw] and extra + missing < 50:
            print("  ", raw, sorted(broken - truth.broken[raw])[:3], sorted(truth.broken[raw] - broken)[:3])
    print(f"downstream of {count} raw columns, with impact: {slowest(down)}")
    print(f"impact of dropping them: {slowest(hits)}; {extra} false positives, {missing} missed")
    return len(wrong) + extra + missing


def _raw(graph: Graph, name: str) -> frozenset[str]:
    found = (str(each.what) for each in graph.upstream(name).columns())
    return frozenset(each for each in found if each.startswith(f"{SOURCE}."))


def main() -> None:
    """Generate, resolve, build, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--models", type=int, default=500)
    parser.add_argument("--columns", type=int, default=300, help="raw columns whose impact is compared")
    options = parser.parse_args()
    scale = options.models / 500
    size = Size(options.models, metrics=int(1000 * scale), insights=int(500 * scale))
    folder = options.folder.absolute() / NAME
    truth = Generator(size).write(folder)
    wrong = resolved(folder, truth)
    store = options.folder.absolute() / "store"
    _, seconds = timed(lambda: build(Corpus([str(folder)]), store))
    print(f"built in {seconds:.1f} s with Spark's start")
    graph, seconds = timed(lambda: headwater.open(store))
    print(f"opened in {seconds * 1000:.0f} ms")
    wrong += traced(graph, truth, min(options.columns, len(truth.broken)))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
