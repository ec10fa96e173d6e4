"""A store whose graphs are asked again and again: each snapshot's is opened once, and the newest is always the current one."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict

from headwater.graph.graph import Graph
from headwater.store import Store

_KEPT = 4
"""Snapshots whose graphs are kept open."""


class OpenStore:
    """A store's graphs, for whoever asks often: several threads may."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.store = Store(path)
        self._graphs: OrderedDict[str, Graph] = OrderedDict()
        self._lock = threading.Lock()
        self._opening = threading.Lock()

    def graph(self, snapshot: str | None = None) -> Graph:
        """The graph of the current snapshot, as the store names it now, or of one of that name or time."""
        found = self.store.snapshot(snapshot)
        graph = self._kept(found.name)
        if graph is None:
            with self._opening:  # who asks an open graph does not wait for one that is being opened
                graph = self._kept(found.name) or Graph(found)
                self._keep(found.name, graph)
        return graph

    def opened(self, snapshot: str | None = None) -> Graph | None:
        """The same graph, if it is open already: that takes no time."""
        return self._kept(self.store.snapshot(snapshot).name)

    def _kept(self, name: str) -> Graph | None:
        with self._lock:
            graph = self._graphs.get(name)
            if graph is not None:
                self._graphs.move_to_end(name)
            return graph

    def _keep(self, name: str, graph: Graph) -> None:
        with self._lock:
            self._graphs[name] = graph
            if len(self._graphs) > _KEPT:
                self._graphs.popitem(last=False)
