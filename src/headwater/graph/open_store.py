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

    def graph(self, snapshot: str | None = None) -> Graph:
        """The graph of the current snapshot, as the store names it now, or of one of that name or time."""
        found = self.store.snapshot(snapshot)
        with self._lock:
            graph = self._graphs.get(found.name)
            if graph is None:
                graph = self._graphs[found.name] = Graph(found)
            self._graphs.move_to_end(found.name)
            if len(self._graphs) > _KEPT:
                self._graphs.popitem(last=False)
        return graph
