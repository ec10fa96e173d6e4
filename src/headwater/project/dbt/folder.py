"""Where a dbt project's files lie: its folder, its compiled files, and how both are shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from headwater.project.dbt.document import NOTHING, Document, text
from headwater.project.dbt.files import read_yaml
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.surroundings import Surroundings

PROJECT_FILE = "dbt_project.yml"
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Folder:
    """The folders of a project. *root* is None where only compiled files are at hand."""

    root: Path | None
    target: Path
    manifest: Path
    settings: Document
    """What `dbt_project.yml` says."""

    def shown(self, path: str) -> str:
        """A path below the project's folder as it is shown."""
        clean = path.replace("\\", "/")
        return clean if self.root is None else (self.root / clean).as_posix()

    @property
    def project_file(self) -> str:
        """How the file is shown that everything begins with."""
        return self.manifest.as_posix() if self.root is None else self.shown(PROJECT_FILE)


def find_folder(path: Path, surroundings: Surroundings, remarks: Remarks) -> Folder:
    """The folders of the project that a path names: a folder, its `dbt_project.yml`, or a `manifest.json`."""
    if path.name == PROJECT_FILE:
        path = path.parent
    if (path / PROJECT_FILE).is_file():
        settings = _settings(path, surroundings, remarks)
        target = path / (surroundings.environment.get("DBT_TARGET_PATH") or text(settings, "target-path") or "target")
        if not (target / MANIFEST).is_file() and (path / MANIFEST).is_file():
            target = path
        return Folder(path, target, target / MANIFEST, settings)
    manifest = path if path.suffix == ".json" else path / MANIFEST
    root = next((folder for folder in list(manifest.parents)[:3] if (folder / PROJECT_FILE).is_file()), None)
    settings = NOTHING if root is None else _settings(root, surroundings, remarks)
    return Folder(root, manifest.parent, manifest, settings)


def _settings(root: Path, surroundings: Surroundings, remarks: Remarks) -> Document:
    return surroundings.settings(read_yaml(root / PROJECT_FILE, (root / PROJECT_FILE).as_posix(), remarks))
