"""A snapshot's manifest: its name, the record of its build, and the files of its tables with their checksums.

A manifest is one small JSON file, `snapshots/<number>.json`. It is created when everything that it lists is written, and never changed. The
manifest with the highest number is the current snapshot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from headwater.store.checksum import Damaged, sealed, unsealed

FOLDER = "snapshots/"
_ENDING = ".json"
_ROOTS = ("data/", FOLDER)
"""Where files that a snapshot lists may be; in `snapshots/` are those of format 1."""


class SnapshotFile(NamedTuple):
    """A file of a snapshot. Several snapshots may list the same file."""

    key: str
    size: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a snapshot consists of."""

    number: int
    name: str
    run: Mapping[str, Any]
    """What the build says about itself."""
    tables: Mapping[str, Sequence[SnapshotFile]]
    checksums: Mapping[str, str] = field(default_factory=dict)
    """By the keys of files. Earlier versions wrote none, and Spark's files in a remote store have none if no reader needs them."""
    store: str = ""
    """The id of its store; earlier versions did not write it."""

    def files(self) -> Iterator[SnapshotFile]:
        """The files of all tables."""
        for files in self.tables.values():
            yield from files

    def to_json(self) -> bytes:
        """The manifest as a file's content."""
        tables = {name: [list(file) for file in files] for name, files in self.tables.items()}
        content = {"number": self.number, "name": self.name, "store": self.store, "run": self.run}
        return sealed({**content, "tables": tables, "checksums": self.checksums})

    @classmethod
    def from_json(cls, content: bytes) -> Manifest:
        """A manifest out of a file's content. Raises `Damaged`."""
        found = unsealed(content, must=b'"checksums"' in content)
        try:
            tables = {name: tuple(map(_listed, files)) for name, files in found["tables"].items()}
            checksums = {str(key): str(value) for key, value in found.get("checksums", {}).items()}
            run, store = dict(found["run"]), str(found.get("store", ""))
            return cls(int(found["number"]), str(found["name"]), run, tables, checksums, store)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Damaged("is damaged: it is not a snapshot's manifest") from error


def _listed(entry: Sequence[Any]) -> SnapshotFile:
    key, size = entry
    if not str(key).startswith(_ROOTS) or ".." in str(key).split("/"):
        raise ValueError(key)
    return SnapshotFile(str(key), int(size))


def manifest_key(number: int) -> str:
    """The key of a manifest."""
    return f"{FOLDER}{number:08d}{_ENDING}"


def manifest_number(key: str) -> int | None:
    """The number of the manifest at a key; None if the key is not a manifest's."""
    name = key.removeprefix(FOLDER)
    digits = name.removesuffix(_ENDING)
    return int(digits) if name.endswith(_ENDING) and digits.isdecimal() else None
