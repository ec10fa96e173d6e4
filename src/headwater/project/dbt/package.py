"""`Package`: a dbt project, or a package that one uses: where its files lie, and what its `dbt_project.yml` says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from headwater.files import leads_out
from headwater.project.dbt.document import Document, as_document, inner, texts

KINDS_OF_PATHS = {
    "model-paths": ("source-paths", "models"),
    "seed-paths": ("data-paths", "seeds"),
    "snapshot-paths": ("", "snapshots"),
    "analysis-paths": ("", "analyses"),
    "macro-paths": ("", "macros"),
}
"""Kinds of folders: what the setting was called before dbt 1.0, and the folder where nothing is set."""


@dataclass(frozen=True, slots=True)
class Package:
    """A project, or a package that it uses."""

    name: str
    root: Path
    folder: str
    """Where it lies, from the project's folder on; empty for the project itself."""
    settings: Document

    def paths(self, kind: str) -> tuple[str, ...]:
        """The folders of a kind of files."""
        return tuple(path for path in self.written_paths(kind) if not leads_out(self.root / path, self.root))

    def written_paths(self, kind: str) -> tuple[str, ...]:
        """The same, with those that lead out of the folders that were named."""
        older, default = KINDS_OF_PATHS[kind]
        return texts(self.settings, kind) or (texts(self.settings, older) if older else ()) or (default,)

    def configured(self, section: str, package: str, path: str) -> Iterator[Document]:
        """What it says of a file of a package, from the outermost folder on: `models: {shop: {staging: {+schema: x}}}`."""
        level = inner(self.settings, section)
        for step in ("", package, *path.split("/")[1:]):
            level = as_document(level.get(step)) if step else level
            yield level
