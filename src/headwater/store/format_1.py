"""Stores of format 1, which the first version wrote: a snapshot was a folder with a folder for each table, and `current` named one.

They are read as they are. A build brings them to the present format: each snapshot gets a manifest that lists its files where they are.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from headwater.storage import Storage
from headwater.store.manifest import FOLDER, Manifest, SnapshotFile, manifest_key

FORMAT = 1
_TABLES = ("scripts", "statements", "processes", "entities", "columns", "relations", "diagnostics", "tags", "graph")
_REST = "rest"
"""Under which the other files are listed, so that they are removed with their snapshot."""


def manifests(storage: Storage) -> list[Manifest]:
    """The manifests of all snapshots up to the current one, oldest first."""
    try:
        current = storage.read("current").decode().strip()
    except FileNotFoundError:
        return []
    files: dict[str, dict[str, list[SnapshotFile]]] = {}
    for file in storage.files(FOLDER):
        name, _, rest = file.key.removeprefix(FOLDER).partition("/")
        table = rest.partition("/")[0]
        if name <= current:
            known = table if table in _TABLES else _REST
            files.setdefault(name, {}).setdefault(known, []).append(SnapshotFile(file.key, file.size))
    return [Manifest(at, name, _run(storage, name), files[name]) for at, name in enumerate(sorted(files), 1)]


def _run(storage: Storage, name: str) -> dict[str, Any]:
    try:
        found = json.loads(storage.read(f"{FOLDER}{name}/run.json"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def upgrade(storage: Storage, folder: Path) -> None:
    """Write the manifests of a store of format 1."""
    for manifest in manifests(storage):
        storage.create(manifest_key(manifest.number), manifest.to_json())
    (folder / "current").unlink(missing_ok=True)
