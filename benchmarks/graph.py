"""The graph's speed and size on generated stores: how long it takes to write the arrays and to open them, what a closure costs.

    python benchmarks/graph.py                        10^4 … 10^6 relations
    python benchmarks/graph.py --relations 10000000   one size
    python benchmarks/graph.py --json figures.json    the figures for a program

A generated warehouse has domains of a thousand tables in twelve layers, a table of ten columns and a row set. A table is made of a
few tables of earlier layers of its domain, mostly of the last one; one in fifty is of the first domain, which all share. Which they are
follows a power law, and so does how many relations a table has, so that there are hubs that thousands read and tables that read
hundreds. Much of the graph hangs on the shared domain: the greatest closures show that. `--tangled` has no domains: then most
of the graph is downstream of more than one column in a hundred, which is as bad as it gets. Everything is made by numpy and written into a
store as a build would write it. Each size is measured in a process of its own, so that memory is what it takes alone.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from headwater.graph.adjacency import Flow
from headwater.graph.arrays import arrays_of
from headwater.graph.closure import Direction, closure
from headwater.graph.graph import Graph, open_graph
from headwater.model.entity import PSEUDO_ROWS
from headwater.store import Store
from headwater.store.build_folder import BuildFolder, begin
from headwater.store.manifest import SnapshotFile
from headwater.store.schema import TABLES

WIDTH = 10
"""Columns of a table, besides its row set."""
LAYERS = 12
DOMAIN = 1000
"""Tables of a domain."""
SOURCES = 3
"""Tables that most tables are made of."""
ELSEWHERE = 0.02
"""The share of these that are of the domain that all share."""
SIZES = (10**4, 10**5, 10**6)
QUESTIONS = 1000
PART = 1_000_000
"""Relations of a Parquet file."""
KINDS = (
    ("fdd", "IDENTITY", "select"),
    ("fdd", "TRANSFORMATION", "select"),
    ("fdd", "AGGREGATION", "select"),
    ("fdr", "FILTER", "where"),
    ("fdr", "JOIN", "joinCondition"),
)
SHARES = (0.55, 0.25, 0.05, 0.1, 0.05)


def generate(folder: Path, relations: int, tangled: bool = False, seed: int = 0) -> Store:
    """A store with that many relations, and a fifth as many columns."""
    draw = np.random.default_rng(seed)
    store = Store(folder)
    store.create()
    tables = max(relations // 5 // (WIDTH + 1), 2 * LAYERS)
    with begin(store) as build:
        snapshot = _Files(build)
        columns = _write_names(snapshot, draw, tables)
        _write_processes(snapshot, tables)
        _write_relations(snapshot, draw, tables, columns, relations, tangled)
        snapshot.write("diagnostics", TABLES["diagnostics"].schema.empty_table())
        build.publish(snapshot.tables, {})
    return store


class _Files:
    """The tables of the snapshot, as they are written."""

    def __init__(self, build: BuildFolder) -> None:
        self._build = build
        self.tables: dict[str, list[SnapshotFile]] = {}

    def write(self, name: str, table: pa.Table) -> None:
        """Write a table, or the next part of one."""
        files = self.tables.setdefault(name, [])
        files.append(self._build.write(name, table, len(files)))


def _ids(draw: np.random.Generator, count: int) -> Any:
    return np.unique(draw.integers(1, 2**62, count + 100))[:count][draw.permutation(count)]


def _write_names(snapshot: _Files, draw: np.random.Generator, tables: int) -> Any:
    """Entities and columns; gives the columns' ids, a table a row, its row set last."""
    entity = _ids(draw, tables)
    names = [f"domain{i // DOMAIN}.table_{i}" for i in range(tables)]
    blank = pa.nulls(tables, pa.string())
    no, zero = pa.array(np.zeros(tables, bool)), pa.array(np.zeros(tables, np.int64))
    parts = pa.array([name.split(".") for name in names])
    kind = pa.array(["table"] * tables)
    values = [entity, kind, parts, names, names, no, zero, pa.array(np.ones(tables, bool)), blank, zero]
    snapshot.write("entities", pa.table([pa.array(v) for v in values], TABLES["entities"].schema.names))
    columns = _ids(draw, tables * (WIDTH + 1)).reshape(tables, WIDTH + 1)
    name = pa.array([*(f"column_{i}" for i in range(WIDTH)), PSEUDO_ROWS])
    ordinal = np.tile(np.arange(WIDTH + 1, dtype=np.int32), tables)
    given: dict[str, Any] = {"column_id": columns.ravel(), "entity_id": np.repeat(entity, WIDTH + 1)}
    given |= {"name": name.take(pa.array(ordinal)), "ordinal": ordinal, "row_set": ordinal == WIDTH}
    given |= {"data_type": ["int"] * ordinal.size, "inferred": np.zeros(ordinal.size, bool)}
    snapshot.write("columns", _filled(TABLES["columns"].schema, ordinal.size, given))
    return columns


def _write_processes(snapshot: _Files, tables: int) -> None:
    """A statement for each table, a hundred to a script."""
    numbers = np.arange(1, tables + 1)
    scripts = np.unique((numbers - 1) // 100) + 1
    schema = TABLES["scripts"].schema
    given: dict[str, Any] = {"script_id": scripts, "path": [f"etl/{i:06d}.sql" for i in scripts]}
    snapshot.write("scripts", _filled(schema, len(scripts), given))
    given = {"process_id": numbers, "type": ["Create Table"] * tables, "text": ["CREATE TABLE …"] * tables}
    snapshot.write("processes", _filled(TABLES["processes"].schema, tables, given))
    line = (numbers - 1) % 100 + 1
    given = {"statement_id": numbers, "process_id": numbers, "script_id": (numbers - 1) // 100 + 1}
    given |= {"start": line * 100, "line": line, "column": np.ones(tables, np.int32)}
    snapshot.write("statements", _filled(TABLES["statements"].schema, tables, given))


def _filled(schema: pa.Schema, rows: int, given: dict[str, Any]) -> pa.Table:
    columns = [pa.array(given[f.name]) if f.name in given else pa.nulls(rows, f.type) for f in schema]
    return pa.table(columns, schema.names)


def _sources(draw: np.random.Generator, tables: int, target: Any, tangled: bool) -> Any:
    """For each of these tables one of an earlier layer; tables stand in order of domain, then layer."""
    size = tables if tangled else min(DOMAIN, tables)
    domain, place = np.divmod(target, size)
    layer = np.maximum(place * LAYERS // size, 1)
    from_layer = np.maximum(layer - draw.geometric(0.8, len(target)), 0)
    elsewhere = draw.random(len(target)) < ELSEWHERE
    domain = np.where(elsewhere, 0, domain)
    first, last = from_layer * size // LAYERS, (from_layer + 1) * size // LAYERS
    found = domain * size + first + ((last - first) * draw.power(0.4, len(target))).astype(np.int64)
    return np.minimum(found, tables - 1)


def _write_relations(
    snapshot: _Files, draw: np.random.Generator, tables: int, columns: Any, count: int, tangled: bool
) -> None:
    schema = TABLES["relations"].schema
    expressions = pa.array([f"coalesce(t.column_{i % WIDTH}, {i})" for i in range(1000)])
    every = np.arange(tables)
    read = np.stack([_sources(draw, tables, every, tangled) for _ in range(SOURCES)], axis=1)
    weight = np.cumsum(draw.pareto(1.5, tables) + 0.5)
    for first in range(0, count, PART):
        size = min(PART, count - first)
        target = np.searchsorted(weight, draw.random(size) * weight[-1])
        source = read[target, draw.integers(0, SOURCES, size)]
        kind = draw.choice(len(KINDS), size, p=SHARES)
        own = np.where(kind >= 3, WIDTH, draw.integers(0, WIDTH, size))
        of_kind = (pa.array([each[i] for each in KINDS]).take(pa.array(kind)) for i in range(3))
        given: dict[str, Any] = dict(zip(("type", "subtype", "clause"), of_kind, strict=True))
        given |= {"relation_id": np.arange(first + 1, first + size + 1), "process_id": target + 1}
        given |= {"source_id": columns[source, (draw.power(0.5, size) * WIDTH).astype(int)]}
        given |= {
            "target_id": columns[target, own],
            "expression": expressions.take(pa.array(draw.integers(0, 1000, size))),
        }
        given |= {"masking": np.zeros(size, bool), "candidate": np.zeros(size, bool)}
        given |= {"start": np.full(size, 10, np.int32), "end": np.full(size, 20, np.int32)}
        table = _filled(schema, size, given).cast(schema)
        snapshot.write("relations", table)


def measure(folder: Path) -> dict[str, float]:
    """Open a store and ask: seconds to open, milliseconds of closures, megabytes of memory."""
    began = time.perf_counter()
    graph = open_graph(folder)
    opened = time.perf_counter() - began
    draw = np.random.default_rng(1)
    figures = {"columns": graph._arrays.nodes, "relations": graph._arrays.relations, "open_s": opened}
    for name, flow in (("data", Flow()), ("impact", Flow(influence=True))):
        for direction in Direction:
            figures |= _closures(graph, draw, direction, flow, f"{direction.value}_{name}")
    began = time.perf_counter()
    graph.search("table_77*column_3")
    figures["search_ms"] = (time.perf_counter() - began) * 1000
    began = time.perf_counter()
    graph.unused()
    figures["unused_s"] = time.perf_counter() - began
    return figures


def _closures(graph: Graph, draw: np.random.Generator, direction: Direction, flow: Flow, name: str) -> dict[str, float]:
    times, sizes = [], []
    for node in draw.integers(0, graph._arrays.nodes, QUESTIONS):
        began = time.perf_counter()
        reach = closure(graph._arrays, np.array([node]), direction, flow)
        times.append(time.perf_counter() - began)
        sizes.append(len(reach.nodes))
    p50, p99 = np.percentile(times, [50, 99]) * 1000
    figures = {"p50_ms": p50, "p99_ms": p99, "nodes_mean": float(np.mean(sizes)), "nodes_max": float(np.max(sizes))}
    figures["memory_mb"] = resident()
    return {f"{name}_{what}": value for what, value in figures.items()}


def resident() -> float:
    """The most memory that this process ever had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def one_size(relations: int, tangled: bool) -> dict[str, float]:
    """Everything about one size, each step in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "lineage")
        figures: dict[str, float] = {}
        for step in ("generate", "write", "measure"):
            command = [sys.executable, __file__, "--step", step, "--folder", store, "--relations", str(relations)]
            command += ["--tangled"] * tangled
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            figures |= json.loads(done.stdout or "{}")
        return figures


def _step(step: str, folder: Path, relations: int, tangled: bool) -> None:
    if step == "generate":
        generate(folder, relations, tangled)
    elif step == "write":
        began = time.perf_counter()
        arrays_of(Store(folder).snapshot())
        print(json.dumps({"write_s": time.perf_counter() - began, "write_memory_mb": resident()}))
    else:
        print(json.dumps(measure(folder)))


def main() -> None:
    """Measure, and print a table: a figure a line, a size a column."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--relations", type=int, action="append", help="a size; may be given several times")
    parser.add_argument("--tangled", action="store_true", help="a graph without domains")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--step", choices=["generate", "write", "measure"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        _step(arguments.step, arguments.folder, arguments.relations[0], arguments.tangled)
        return
    found = [one_size(size, arguments.tangled) for size in arguments.relations or SIZES]
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n")
    for name in found[0]:
        print(f"{name:<32}" + "".join(f"{figures[name]:>14,.2f}" for figures in found))


if __name__ == "__main__":
    main()
