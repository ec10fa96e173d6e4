"""A small store with every kind of file that a build writes: two snapshots, the second with the graph's arrays and a memo."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from headwater.graph.arrays import write_arrays
from headwater.store import Snapshot, Store
from headwater.store.build_folder import BuildFolder, begin
from headwater.store.manifest import SnapshotFile
from headwater.store.schema import TABLES
from stores import rows_of

BEFORE = """
d.a.x -> d.v.x = x @ v.sql:1 Create View
d.v.x -> d.t.y TRANSFORMATION = upper(x) @ t.sql:1 Insert
tag d.t.y pii @ t.sql:1
error e.sql:1 syntax-error SELEC is no word of SQL
"""
AFTER = f"""{BEFORE}
d.t.y -> d.u.y = y @ u.sql:1 Insert
d.a.z -> d.u.z AGGREGATION = count(z) @ u.sql:1 Insert
"""
TEXTS = {"t.sql": "INSERT INTO d.t SELECT upper(x) AS y FROM d.v"}
_MEMO = pa.table({"unit_id": pa.array([1, 2, 3], pa.int64())})


def tables(lines: str) -> dict[str, pa.Table]:
    """The tables of a snapshot."""
    rows = rows_of(lines, TEXTS)
    return {name: pa.Table.from_pylist([*rows[name].values()], table.schema) for name, table in TABLES.items()}


def publish(store: Store, content: Mapping[str, pa.Table], graph: bool = True) -> Snapshot:
    """Publish a snapshot, through the steps of a build; tables that are as before are listed again."""
    with begin(store) as build:
        files = {name: _files(build, name, table) for name, table in content.items()}
        files["memo-units"] = [build.write("memo-units", _MEMO)]
        if graph:
            files["graph"] = _graph(build, files)
        return build.publish(files, {"time": "2026-11-18T00:00:00Z", "memo": 0})


def _files(build: BuildFolder, name: str, table: pa.Table) -> list[SnapshotFile]:
    before = build.previous
    same = before is not None and before.table(name).equals(table)
    return [*before.files(name)] if before is not None and same else [build.write(name, table)]


def _graph(build: BuildFolder, files: Mapping[str, list[SnapshotFile]]) -> list[SnapshotFile]:
    made = build.scratch / "graph"
    made.mkdir()
    write_arrays(build.snapshot(files), made)
    return [build.add(path, f"graph/{path.name}") for path in sorted(made.iterdir())]


def whole_store(folder: Path) -> Store:
    """The store."""
    store = Store(folder)
    store.create()
    publish(store, tables(BEFORE), graph=False)
    publish(store, tables(AFTER))
    return store
