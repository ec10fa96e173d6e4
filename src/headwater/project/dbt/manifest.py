"""`target/manifest.json`: everything that dbt knows of a project, compiled; and what `semantic_manifest.json` has beyond it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from headwater.model.diagnostic import Code
from headwater.project.dbt.document import Document, as_document, inner, inners, text
from headwater.project.dbt.files import COMPILE, read_json
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Place

OLDEST = 4
"""The manifest of dbt 1.0."""

_VERSION = re.compile(r"/manifest/v(\d+)\.json")


@dataclass(frozen=True, slots=True)
class Manifest:
    """A project as dbt writes it down; objects that are disabled are left out."""

    project: str
    adapter: str
    nodes: tuple[Document, ...] = ()
    sources: tuple[Document, ...] = ()
    exposures: tuple[Document, ...] = ()
    semantic_models: tuple[Document, ...] = ()
    metrics: tuple[Document, ...] = ()
    saved_queries: tuple[Document, ...] = ()
    files: tuple[str, ...] = field(default=())
    """The files that it was read from, as they are shown."""

    def of_type(self, *types: str) -> Iterator[Document]:
        """The nodes of some resource types."""
        return (node for node in self.nodes if text(node, "resource_type") in types)


def read_manifest(folder: Folder, remarks: Remarks) -> Manifest | None:
    """The manifest of a project; None if there is none that can be read, and a remark says why."""
    shown = folder.manifest.as_posix()
    content = read_json(folder.manifest, shown, remarks)
    if content is None or not _is_manifest(content, shown, remarks):
        return None
    semantic = _semantic_manifest(folder, remarks)
    metadata = inner(content, "metadata")
    return Manifest(
        project=text(metadata, "project_name") or text(folder.settings, "name") or _package(content),
        adapter=text(metadata, "adapter_type"),
        nodes=_enabled(content, "nodes", "unique_id"),
        sources=_enabled(content, "sources", "unique_id"),
        exposures=_enabled(content, "exposures"),
        semantic_models=_together(content, semantic, "semantic_models"),
        metrics=_together(content, semantic, "metrics"),
        saved_queries=_together(content, semantic, "saved_queries"),
        files=(shown, (folder.target / SEMANTIC).as_posix()) if semantic else (shown,),
    )


SEMANTIC = "semantic_manifest.json"


def _semantic_manifest(folder: Folder, remarks: Remarks) -> Document:
    path = folder.target / SEMANTIC
    return (read_json(path, path.as_posix(), remarks) or {}) if path.is_file() else {}


def _is_manifest(content: Document, shown: str, remarks: Remarks) -> bool:
    """Whether this is a manifest at all; an old one is read as far as that goes."""
    version = _VERSION.search(text(inner(content, "metadata"), "dbt_schema_version"))
    if "nodes" not in content or (version is None and "macros" not in content and "parent_map" not in content):
        message = f"{shown} is not a manifest of dbt: it has no nodes, or says that it is something else"
        remarks.add(Code.INVALID_PROJECT, message, Place(shown), hint=COMPILE)
        return False
    if version is not None and int(version[1]) < OLDEST:
        message = (
            f"{shown} is a manifest of version {version[1]}; {OLDEST} and later are understood, this one only in part"
        )
        remarks.add(Code.INVALID_PROJECT, message, Place(shown), hint="run `dbt compile` with dbt-core 1.0 or later")
    return True


def _enabled(content: Document, section: str, known_by: str = "name") -> tuple[Document, ...]:
    """The objects of a section that have what they are known by, and are not switched off."""
    named = (node for node in inners(content, section) if text(node, known_by))
    return tuple(node for node in named if inner(node, "config").get("enabled") is not False)


def _together(content: Document, semantic: Document, section: str) -> tuple[Document, ...]:
    """A section of the manifest, and what only the semantic manifest has."""
    found = _enabled(content, section)
    known = {text(node, "name") for node in found}
    return found + tuple(node for node in _enabled(semantic, section) if text(node, "name") not in known)


def _package(content: Document) -> str:
    """The package of most nodes, for manifests that do not name their project."""
    packages = [text(as_document(node), "package_name") for node in inners(content, "nodes")]
    return max(sorted(set(packages)), key=packages.count, default="") or "dbt"
