"""A build under way: where its files go, and how they become a snapshot."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from headwater.store.layout import Store
from headwater.store.links import link
from headwater.store.snapshot import Snapshot


class SnapshotFile(NamedTuple):
    path: str
    size: int


class BuildFolder:
    def __init__(self, store: Store, work: Path, previous: Snapshot | None) -> None:
        self._store, self._work, self.previous = store, work, previous
        self.id = work.name
        self.scratch = work / "scratch"
        self.scratch.mkdir()
        self._data = work / "snapshot"
        self._data.mkdir()

    @property
    def local(self) -> bool:
        return True

    def uri(self, name: str) -> str:
        return f"file://{(self._data / name).absolute()}"

    def work_uri(self, name: str) -> str:
        return f"file://{(self._work / 'work' / name).absolute()}"

    def listed(self, name: str) -> list[SnapshotFile]:
        return [SnapshotFile(str(p), p.stat().st_size) for p in sorted((self._data / name).rglob("*.parquet"))]

    def add(self, source: Path, name: str) -> SnapshotFile:
        target = self._data / name
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, target)
        return SnapshotFile(str(target), target.stat().st_size)

    def snapshot(self, tables: Mapping[str, Sequence[SnapshotFile]]) -> Snapshot:
        for name, files in tables.items():
            folder = self._data / name
            folder.mkdir(exist_ok=True, parents=True)
            for file in files:
                path = Path(file.path)
                target = folder / (path.parent.name + "-" + path.name)
                if folder not in path.parents and not target.exists():
                    link(path, target)
        for marker in [*self._data.rglob("_SUCCESS"), *self._data.rglob(".*.crc")]:
            marker.unlink()
        return Snapshot(self._data)

    def publish(self, tables: Mapping[str, Sequence[SnapshotFile]], run: Mapping[str, Any]) -> Snapshot:
        self.snapshot(tables)
        (self._data / "run.json").write_text(json.dumps(run, indent=2) + "\n")
        return self._store.publish(self._data)


@contextmanager
def begin(store: Store) -> Iterator[BuildFolder]:
    with store.build() as work:
        yield BuildFolder(store, work, store.pin(work / "previous"))
