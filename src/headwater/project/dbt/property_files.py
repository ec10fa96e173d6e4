"""YAML files of a project that is not compiled: what they say of models, and what they define themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from headwater.files import files_in
from headwater.project.dbt.document import Document, inners, text
from headwater.project.dbt.files import read_yaml
from headwater.project.dbt.remarks import Remarks

Entries = dict[str, tuple[Document, ...]]
"""The entries of each section, each with the file that it stands in, as a manifest would name it."""

SECTIONS = (
    "models",
    "seeds",
    "snapshots",
    "analyses",
    "sources",
    "exposures",
    "semantic_models",
    "metrics",
    "saved_queries",
)


def files_below(root: Path, folders: Iterable[str], *endings: str) -> Iterator[str]:
    """The files below some folders of a project that end in one of these, from its root on, in order."""
    for folder in folders:
        for below in files_in(root / folder):
            path = root / folder / below
            if path.suffix.lower() in endings and path.is_file():
                yield path.relative_to(root).as_posix()


def read_property_files(root: Path, folders: Iterable[str], package: str, remarks: Remarks) -> Entries:
    """Everything that the YAML files below some folders say."""
    found: dict[str, list[Document]] = {section: [] for section in SECTIONS}
    for path in files_below(root, folders, ".yml", ".yaml"):
        content = read_yaml(root / path, (root / path).as_posix(), remarks)
        for section in SECTIONS:
            stands = {"original_file_path": path, "package_name": package}
            found[section] += [{**entry, **stands} for entry in inners(content, section) if text(entry, "name")]
    return {section: tuple(entries) for section, entries in found.items()}
