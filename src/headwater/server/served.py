"""What is served: a store's graphs, each opened once; or nothing but the playground.

A new snapshot is seen as soon as the store names it: whoever asks next gets its graph.
"""

from __future__ import annotations

import os
from typing import Annotated, Literal

from fastapi import Depends, Query, Request
from fastapi.concurrency import run_in_threadpool

from headwater.graph import Graph
from headwater.graph.open_store import OpenStore
from headwater.server.facts import Counts, store_thing
from headwater.server.shapes.answers import StoreThing
from headwater.store import Store, StoreError


class NoStore(Exception):
    """Only the playground is served."""


class Served:
    """The store behind a server, or none."""

    def __init__(self, store: str | os.PathLike[str] | None) -> None:
        self._opened = None if store is None else OpenStore(store)
        self._counts: tuple[str, Counts] | None = None

    @property
    def store(self) -> Store | None:
        """The store, if there is one."""
        return None if self._opened is None else self._opened.store

    def open_graph(self, snapshot: str | None = None) -> Graph | None:
        """The same as `graph`, if it is open already; takes no time."""
        return None if self._opened is None else self._opened.opened(snapshot)

    def graph(self, snapshot: str | None = None) -> Graph:
        """The graph of the current snapshot, or of one of that name or time."""
        if self._opened is None:
            raise NoStore
        return self._opened.graph(snapshot)

    def facts(self) -> StoreThing | None:
        """What is said of the store as a whole; None without one."""
        if self.store is None:
            return None
        graph = self.graph()
        name = graph.snapshot.name
        if self._counts is None or self._counts[0] != name:
            self._counts = name, Counts(graph)
        return store_thing(self.store, name, self._counts[1])

    def warm(self) -> None:
        """Open the current graph, count it, and make its names ready to be searched."""
        if self.facts() is not None:
            self.graph().find("a")

    def known_counts(self) -> Counts | None:
        """How much the store holds, if somebody has asked for that before."""
        return None if self._counts is None else self._counts[1]

    def state(self) -> Literal["none", "ok", "unreadable"]:
        """Whether there is a store, and a snapshot in it."""
        if self.store is None:
            return "none"
        try:
            self.store.snapshot()
        except (StoreError, OSError):
            return "unreadable"
        return "ok"


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
