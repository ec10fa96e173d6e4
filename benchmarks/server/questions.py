"""What is asked, mixed as people who look around ask: names typed letter by letter, the pages they open, what they follow from there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np

from headwater.graph import open_graph
from headwater.graph.graph import Graph

SHARES = {
    "search": 0.40,
    "neighbourhood": 0.20,
    "table": 0.10,
    "column": 0.10,
    "upstream": 0.08,
    "impact": 0.04,
    "path": 0.03,
    "script": 0.05,
}
KNOWN = 400
"""Columns and tables that are looked at."""


class Question(NamedTuple):
    """A request: its kind, and where it goes."""

    kind: str
    address: str


class Questions:
    """Questions about a store, drawn at random."""

    def __init__(self, store: Path, seed: int = 0) -> None:
        self._draw = np.random.default_rng(seed)
        graph = open_graph(store)
        nodes = self._draw.integers(0, graph.arrays.nodes, KNOWN).tolist()
        columns = [column for node in nodes if not (column := graph._records.column(node)).row_set]
        self._columns = [f"id:{column.id}" for column in columns]
        self._tables = [f"id:{column.table.id}" for column in columns]
        self._names = [str(column) for column in columns]
        self._ways = list(_ways(graph, self._columns))
        self._scripts = [str(each.id) for each in graph.scripts.page(None, 1000, 0)[1]]

    def drawn(self) -> Question:
        """One question."""
        kind = str(self._draw.choice(list(SHARES), p=list(SHARES.values())))
        path, parameters = getattr(self, f"_{kind}")()
        return Question(kind, f"/api/v1{path}?{urlencode(parameters)}")

    def _one(self, of: list[str]) -> str:
        return of[int(self._draw.integers(len(of)))]

    def _search(self) -> tuple[str, dict[str, str]]:
        """A name as it is typed: its beginning, its end, its table and a part of the column, words of it."""
        name = self._one(self._names)
        table, column = name.rsplit(".", 1)
        short = table.rsplit(".", 1)[1]
        typed = [short, column, table, f"{short}.{column}", f"{short[6:]} {column}", short[6:]][self._draw.integers(6)]
        return "/search", {"q": typed[: int(self._draw.integers(1, len(typed) + 1))] or typed}

    def _neighbourhood(self) -> tuple[str, dict[str, str]]:
        of = self._one(self._columns if self._draw.random() < 0.5 else self._tables)
        hops = str(self._draw.choice([1, 1, 1, 2]))
        flow = str(self._draw.choice(["data", "data", "impact"]))
        return "/neighbourhood", {"of": of, "upstream": hops, "downstream": hops, "flow": flow}

    def _table(self) -> tuple[str, dict[str, str]]:
        return "/table", {"of": self._one(self._tables)}

    def _column(self) -> tuple[str, dict[str, str]]:
        return "/column", {"of": self._one(self._columns)}

    def _upstream(self) -> tuple[str, dict[str, str]]:
        way = "/upstream" if self._draw.random() < 0.5 else "/downstream"
        return way, {"of": self._one(self._columns), "limit": "50"}

    def _impact(self) -> tuple[str, dict[str, str]]:
        return "/impact", {"of": self._one(self._columns), "limit": "50"}

    def _path(self) -> tuple[str, dict[str, str]]:
        source, target = self._ways[int(self._draw.integers(len(self._ways)))]
        return "/path", {"source": source, "target": target, "limit": "3"}

    def _script(self) -> tuple[str, dict[str, str]]:
        return f"/scripts/{self._one(self._scripts)}", {}


def _ways(graph: Graph, columns: list[str]) -> Iterator[tuple[str, str]]:
    """Columns with one far upstream of them."""
    for name in columns[:100]:
        total, reached = graph.upstream(name).page(None, 1000, 0)
        if total:
            yield f"id:{reached[-1].what.id}", name
