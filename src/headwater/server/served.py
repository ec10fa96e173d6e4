"""What is served: a store's graphs, each opened once; or nothing but the playground.

A new snapshot is seen as soon as the store names it: whoever asks next gets its graph.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Query, Request
from fastapi.concurrency import run_in_threadpool

from headwater.graph import Graph
from headwater.store import Store

_OPEN = 4
"""Snapshots whose graphs are kept open."""


class NoStore(Exception):
    """Only the playground is served."""


class Served:
    """The store behind a server, or none."""

    def __init__(self, store: Path | None) -> None:
        self.store = None if store is None else Store(store)
        self._graphs: OrderedDict[str, Graph] = OrderedDict()
        self._lock = threading.Lock()

    def open_graph(self, snapshot: str | None = None) -> Graph | None:
        """The same as `graph`, if it is open already; takes no time."""
        return None if self.store is None else self._graphs.get(self.store.snapshot(snapshot).name)

    def graph(self, snapshot: str | None = None) -> Graph:
        """The graph of the current snapshot, or of one of that name or time."""
        if self.store is None:
            raise NoStore
        found = self.store.snapshot(snapshot)
        with self._lock:
            graph = self._graphs.get(found.name)
            if graph is None:
                graph = self._graphs[found.name] = Graph(found)
            self._graphs.move_to_end(found.name)
            if len(self._graphs) > _OPEN:
                self._graphs.popitem(last=False)
        return graph


async def _served(request: Request) -> Served:
    found: Served = request.app.state.served
    return found


AskedStore = Annotated[Served, Depends(_served)]
"""What the application serves."""


async def _asked(
    store: AskedStore,
    snapshot: Annotated[
        str | None, Query(max_length=100, description="A snapshot's name or time; else the current one.")
    ] = None,
) -> Graph:
    graph = store.open_graph(snapshot)
    return await run_in_threadpool(store.graph, snapshot) if graph is None else graph


AskedGraph = Annotated[Graph, Depends(_asked)]
"""The graph that a request asks."""
