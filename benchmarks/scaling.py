"""How headwater's time grows, one dimension at a time: `python benchmarks/scaling.py [--sizes 10,100,1000]`.

For each size: `analyze` + `column_edges()`, the compiled parser alone on the same text, and the ratio. The growth
exponent is the slope between two sizes on a log-log scale: 1 is linear, 2 is quadratic. Times are CPU times. The parser
and headwater run in this process, at Python's default recursion limit; a text too deep for it is reported as such.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import process_time

import sqlglot

import headwater

DIALECT = "spark"
WIDTH = 5
"""Columns of every table whose width is not the dimension that grows."""

HEADINGS = (
    "   size",
    "characters",
    "parse ms",
    "headwater ms",
    "x parse",
    "growth",
    "parser's growth",
    "  edges",
    "diagnostics",
)

Schema = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Case:
    """A text and the schema that it needs."""

    sql: str
    schema: Schema


@dataclass(frozen=True, slots=True)
class Point:
    """What one size took, in seconds, and how many edges and diagnostics came out."""

    size: int
    characters: int
    parse: float
    analyze: float
    edges: int
    diagnostics: int


def columns(size: int) -> Case:
    """SELECT of N columns through three CTEs."""
    names = _names("c", size)
    listed = ", ".join(names)
    ctes = ", ".join(
        f"{cte} AS (SELECT {listed} FROM {source})" for cte, source in (("x", "t"), ("y", "x"), ("z", "y"))
    )
    return Case(f"WITH {ctes} SELECT {listed} FROM z", {"t": names})


def ctes(size: int) -> Case:
    """N CTEs of five columns, each reading the one before."""
    names = _names("c", WIDTH)
    listed = ", ".join(names)
    sources = ["t", *_names("s", size)]
    chain = ", ".join(f"{cte} AS (SELECT {listed} FROM {source})" for source, cte in pairwise(sources))
    return Case(f"WITH {chain} SELECT {listed} FROM {sources[-1]}", {"t": names})


def unions(size: int) -> Case:
    """N branches of UNION ALL over N tables."""
    names = _names("c", WIDTH)
    tables = _names("t", size)
    branches = (f"SELECT {', '.join(names)} FROM {table}" for table in tables)
    return Case(" UNION ALL ".join(branches), dict.fromkeys(tables, names))


def joins(size: int) -> Case:
    """A join of N tables, one output from each."""
    tables = _names("t", size)
    first, *others = tables
    outputs = ", ".join(f"{table}.c1 AS {table}_c1" for table in tables)
    joined = " ".join(f"JOIN {table} ON {table}.c0 = {first}.c0" for table in others)
    return Case(f"SELECT {outputs} FROM {first} {joined}", dict.fromkeys(tables, _names("c", WIDTH)))


def terms(size: int) -> Case:
    """One output that adds N columns."""
    names = _names("c", size)
    return Case(f"SELECT {' + '.join(names)} AS total FROM t", {"t": names})


def conditions(size: int) -> Case:
    """N conditions in one WHERE, joined by OR."""
    names = _names("c", size)
    condition = " OR ".join(f"{name} = {number}" for number, name in enumerate(names))
    return Case(f"SELECT c0 FROM t WHERE {condition}", {"t": names})


DIMENSIONS: tuple[Callable[[int], Case], ...] = (columns, ctes, unions, joins, terms, conditions)


def measure(case: Case, size: int, repeats: int) -> Point:
    """Best of `repeats` for both; the catalog is made once."""
    catalog = headwater.Catalog(case.schema)
    lineage = headwater.analyze(case.sql, dialect=DIALECT, schema=catalog)
    return Point(
        size,
        len(case.sql),
        best(lambda: sqlglot.parse(case.sql, dialect=DIALECT), repeats),
        best(lambda: headwater.analyze(case.sql, dialect=DIALECT, schema=catalog).column_edges(), repeats),
        len(lineage.column_edges()),
        len(lineage.diagnostics),
    )


def best(call: Callable[[], object], repeats: int) -> float:
    """The seconds of the fastest call."""
    times = []
    for _ in range(repeats):
        start = process_time()
        call()
        times.append(process_time() - start)
    return min(times)


def exponent(times: tuple[float, float], sizes: tuple[int, int]) -> float:
    """The growth between two sizes: log of the times' ratio over log of the sizes' ratio."""
    return math.log(times[1] / times[0]) / math.log(sizes[1] / sizes[0])


def report(dimension: Callable[[int], Case], sizes: Sequence[int], repeats: int) -> Iterator[str]:
    """The lines of one dimension."""
    yield f"{dimension.__name__}: {dimension.__doc__}"
    previous: Point | None = None
    for size in sizes:
        try:
            point = measure(dimension(size), size, repeats)
        except RecursionError:
            yield f"{size:>7,}  too deep for the parser at the default recursion limit"
            continue
        yield line(point, previous)
        previous = point


def line(point: Point, previous: Point | None) -> str:
    """One size: times, ratio, the growth of both since the size before, and what came out."""
    ours, parser = "-", "-"
    if previous:
        sizes = (previous.size, point.size)
        ours = f"{exponent((previous.analyze, point.analyze), sizes):.2f}"
        parser = f"{exponent((previous.parse, point.parse), sizes):.2f}"
    milliseconds = (f"{seconds * 1000:.2f}" for seconds in (point.parse, point.analyze))
    ratio = f"{point.analyze / point.parse:.2f}"
    counts = (f"{count:,}" for count in (point.edges, point.diagnostics))
    return aligned(f"{point.size:,}", f"{point.characters:,}", *milliseconds, ratio, ours, parser, *counts)


def aligned(*cells: str) -> str:
    """Cells to the right below their headings."""
    return "  ".join(cell.rjust(len(heading)) for cell, heading in zip(cells, HEADINGS, strict=True))


def main() -> None:
    """Measure every dimension at every size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10,100,1000", metavar="N,N")
    parser.add_argument("--repeats", type=int, default=5, help="calls of each; the best counts")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    print(aligned(*HEADINGS))
    for dimension in DIMENSIONS:
        print("", *report(dimension, sizes, options.repeats), sep="\n", flush=True)


def _names(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]


if __name__ == "__main__":
    main()
