"""A snapshot's manifest: its name, the record of its build, and the files of its tables.

A manifest is one small JSON file, `snapshots/<number>.json`. It is created when everything that it lists is written, and never changed. The
manifest with the highest number is the current snapshot.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from headwater.storage import StorageError

FOLDER = "snapshots/"
_ENDING = ".json"


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

    def to_json(self) -> bytes:
        """The manifest as a file's content."""
        tables = {name: [list(file) for file in files] for name, files in self.tables.items()}
        content = {"number": self.number, "name": self.name, "run": self.run, "tables": tables}
        return (json.dumps(content, indent=1) + "\n").encode()

    @classmethod
    def from_json(cls, key: str, content: bytes) -> Manifest:
        """A manifest out of a file's content."""
        try:
            found = json.loads(content)
            tables = {
                name: tuple(SnapshotFile(str(file), int(size)) for file, size in files)
                for name, files in found["tables"].items()
            }
            return cls(int(found["number"]), str(found["name"]), dict(found["run"]), tables)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StorageError(f"{key} is damaged; remove it to go back to the snapshot before") from error


def manifest_key(number: int) -> str:
    """The key of a manifest."""
    return f"{FOLDER}{number:08d}{_ENDING}"


def manifest_number(key: str) -> int | None:
    """The number of the manifest at a key; None if the key is not a manifest's."""
    name = key.removeprefix(FOLDER)
    digits = name.removesuffix(_ENDING)
    return int(digits) if name.endswith(_ENDING) and digits.isdecimal() else None
