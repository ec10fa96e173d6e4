"""What is said of a store as a whole: how much there is of everything, and which snapshots. Counted in arrays, nothing is read."""

from __future__ import annotations

import re

import numpy as np
import pyarrow.compute as pc

from headwater.graph import Graph
from headwater.graph.files import ROW_SET
from headwater.server.shapes.answers import SnapshotThing, StoreThing
from headwater.store import Store

_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)")


class Counts:
    """How much a snapshot holds; it never changes."""

    def __init__(self, graph: Graph) -> None:
        arrays = graph.arrays
        counted = pc.value_counts(arrays.entities.column("kind")).to_pylist()
        self.kinds = {each["values"]: each["counts"] for each in sorted(counted, key=lambda each: -each["counts"])}
        self.columns = int(np.count_nonzero(arrays.node_flags & ROW_SET == 0))
        self.relations = arrays.relations
        self.tables = len(arrays.entities)
        self.scripts = graph.snapshot.dataset("scripts").count_rows()
        self.time = str(graph.snapshot.run.get("time") or "") or time_of(graph.snapshot.name)


def store_thing(store: Store, snapshot: str, counts: Counts) -> StoreThing:
    """What is said of a store, whose current snapshot has these counts."""
    return StoreThing(
        name=store.name,
        snapshot=snapshot,
        time=counts.time,
        snapshots=[
            SnapshotThing(name=name, time=time_of(name), current=name == snapshot) for name in reversed(store.names())
        ],
        scripts=counts.scripts,
        tables=counts.tables,
        columns=counts.columns,
        relations=counts.relations,
        kinds=counts.kinds,
    )


def time_of(snapshot: str) -> str:
    """When a snapshot was made, as its name says: `2026-11-15T12:00:00Z`."""
    found = _TIME.match(snapshot)
    return "{}-{}-{}T{}:{}:{}Z".format(*found.groups()) if found else ""
