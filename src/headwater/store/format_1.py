"""Stores of format 1, which the first version wrote: a snapshot was a folder with a folder for each table, and `current` named one.

They are read as they are. A build brings them to the present format: each snapshot gets a manifest that lists its files where they are.
The name of a snapshot is `<time>-<number>-<random>`; the number is the order, whatever the clock said. Snapshots behind the current one
are those of builds that were killed before they had changed `current`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from headwater.storage import Storage, StorageError
from headwater.store.manifest import FOLDER, Manifest, SnapshotFile, manifest_key

FORMAT = 1
_CURRENT = "current"
_TABLES = ("scripts", "statements", "processes", "entities", "columns", "relations", "diagnostics", "tags", "graph")
_REST = "rest"
"""Under which the other files are listed, so that they are removed with their snapshot."""


def manifests(storage: Storage) -> list[Manifest]:
    """The manifests of all snapshots up to the current one, oldest first."""
    files: dict[str, dict[str, list[SnapshotFile]]] = {}
    for file in storage.files(FOLDER):
        name, _, rest = file.key.removeprefix(FOLDER).partition("/")
        table = rest.partition("/")[0]
        if rest:
            known = table if table in _TABLES else _REST
            files.setdefault(name, {}).setdefault(known, []).append(SnapshotFile(file.key, file.size))
    names = _until_current(storage, files)
    return [Manifest(at, name, _run(storage, name), files[name]) for at, name in enumerate(names, 1)]


def _until_current(storage: Storage, names: Iterable[str]) -> list[str]:
    """The names of the snapshots in order, the current one last."""
    try:
        current = storage.read(_CURRENT).decode("ascii", "replace").strip()
    except FileNotFoundError as error:
        if not names:
            return []
        raise _damage(storage, _CURRENT, "is missing: write the name of the last snapshot into it") from error
    if current not in names:
        raise _damage(storage, _CURRENT, "is damaged: it names no snapshot; write the name of the last one into it")
    ordered = sorted(names, key=_place)
    return ordered[: ordered.index(current) + 1]


def _place(name: str) -> tuple[int, str]:
    number = name.split("-")[1] if name.count("-") > 1 else ""
    return int(number) if number.isdecimal() else 0, name


def _run(storage: Storage, name: str) -> dict[str, Any]:
    key = f"{FOLDER}{name}/run.json"
    try:
        found = json.loads(storage.read(key))
    except FileNotFoundError as error:
        raise _damage(storage, key, "is missing: build into a new folder") from error
    except ValueError as error:
        raise _damage(storage, key, "is damaged: build into a new folder") from error
    if not isinstance(found, dict):
        raise _damage(storage, key, "is damaged: build into a new folder")
    return found


def _damage(storage: Storage, key: str, reason: str) -> StorageError:
    return StorageError(f"{storage.folder or storage.uri}/{key} {reason}")


def write_manifests(storage: Storage) -> None:
    """Write the manifests of a store of format 1, which it does not use until its format is another one."""
    for manifest in manifests(storage):
        storage.create(manifest_key(manifest.number), manifest.to_json())


def forget_current(storage: Storage) -> None:
    """Remove what named the current snapshot in format 1."""
    storage.delete([_CURRENT])
