"""A project that dbt has not compiled: a manifest made of its own files and those of its packages.

Templates are rendered with the project's macros, its packages' and dbt's own, or with what stands for these (`macros/`). Tables are named
as dbt names them; where no profile says in which schema, that is called after the project.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from headwater.model.diagnostic import Code
from headwater.project.dbt.calls import call_of
from headwater.project.dbt.document import Document, inner, inners, text, texts
from headwater.project.dbt.documented import described_columns
from headwater.project.dbt.files import COMPILE
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.hooks import run_hooks
from headwater.project.dbt.known_columns import KnownColumns
from headwater.project.dbt.macros.texts import package_macros
from headwater.project.dbt.manifest import Manifest
from headwater.project.dbt.node_files import NodeFiles, merge_settings, source_relation
from headwater.project.dbt.package import Package
from headwater.project.dbt.packages import missing_packages, packages_of
from headwater.project.dbt.places import Places
from headwater.project.dbt.profiles import find_target
from headwater.project.dbt.property_files import Entries, read_property_files
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.rendered import rendered_document, rendered_operations, tell_of_rendering, tell_of_target
from headwater.project.dbt.rendering import Rendering
from headwater.project.dbt.surroundings import Surroundings
from headwater.project.given_dialect import GivenDialect
from headwater.project.objects import Place
from headwater.source.template import TemplateProblem

_FOLDERS = ("model-paths", "seed-paths", "snapshot-paths", "analysis-paths")


def uncompiled_manifest(
    folder: Folder,
    root: Path,
    surroundings: Surroundings,
    given: GivenDialect | None,
    remarks: Remarks,
) -> Manifest:
    """The manifest that a project's own files give."""
    place = Place(folder.project_file)
    packages = packages_of(root, folder.settings, surroundings, remarks)
    macros = [macro for package in packages for macro in package_macros(package)]
    own = packages[0].name
    names = (macro.name for macro in macros if macro.package == own)
    target = find_target(packages[0], given, surroundings, names, remarks)
    tell_of_target(target, place, remarks)
    try:
        rendering = Rendering(packages, target, surroundings, macros)
    except TemplateProblem as problem:
        remarks.add(Code.INVALID_PROJECT, str(problem), place, hint=COMPILE)
        return Manifest(own, target.adapter)
    manifest = _Uncompiled(packages, rendering, folder, remarks).manifest()
    places = Places(folder, remarks)
    tell_of_rendering(rendering, missing_packages(packages, surroundings, remarks), place, places, remarks)
    return manifest


class _Uncompiled:
    def __init__(self, packages: tuple[Package, ...], rendering: Rendering, folder: Folder, remarks: Remarks) -> None:
        self._packages, self._rendering, self._folder = packages, rendering, folder
        self._own = packages[0]
        self._remarks = remarks
        self._entries = {package.name: self._property_files(package) for package in packages}

    def _property_files(self, package: Package) -> Entries:
        folders = tuple(dict.fromkeys(path for kind in _FOLDERS for path in package.paths(kind)))
        return read_property_files(package.root, folders, package.name, self._remarks)

    def manifest(self) -> Manifest:
        """Everything that the files say, in the shape of a manifest."""
        rendering = self._rendering
        sources = tuple(self._sources())
        files = [
            NodeFiles(package, self._own, self._entries[package.name], rendering, self._remarks)
            for package in self._packages
        ]
        for each in files:
            each.add_nodes()
        for node in [*rendering.members.nodes.values()]:
            merge_settings(node.config, rendering.configured(node))
            if node.config.get("enabled") is False and not node.switches:
                rendering.members.remove(node.unique_id)
        self._drop_alternatives()
        for node in rendering.members.nodes.values():
            rendering.name(node)
        known = KnownColumns(rendering, sources, self._folder, self._remarks)
        rendering.columns = known.of
        nodes = [rendered_document(node, rendering) for node in rendering.members.nodes.values()]
        nodes += rendered_operations((each for package in self._packages for each in run_hooks(package)), rendering)
        own = self._entries[self._own.name]
        every = [entry for entries in self._entries.values() for entry in entries["semantic_models"]]
        return Manifest(
            project=self._own.name,
            adapter=rendering.target.adapter,
            nodes=tuple(nodes),
            sources=sources,
            exposures=tuple(map(self._exposure, own["exposures"])),
            semantic_models=tuple(map(self._semantic_model, every)),
            metrics=(
                *(m for entries in self._entries.values() for m in entries["metrics"]),
                *_metrics_of_measures(every),
            ),
            saved_queries=own["saved_queries"],
            files=((self._own.root / "dbt_project.yml").as_posix(),),
        )

    def _drop_alternatives(self) -> None:
        """Of models of one name, one that is enabled wins over those that only a variable would enable."""
        rendering = self._rendering
        enabled = {node.name for node in rendering.members.nodes.values() if not node.switches}
        for node in [*rendering.members.nodes.values()]:
            if node.switches and node.name in enabled:
                rendering.members.remove(node.unique_id)
            node.config.pop("enabled", None)

    def _sources(self) -> Iterator[Document]:
        """The tables of sources; those that only a variable would enable come last, for models that it would enable too."""
        for enabled in (True, False):
            for package in self._packages:
                for entry in self._entries[package.name]["sources"]:
                    yield from self._tables(entry, package, enabled)

    def _tables(self, entry: Document, package: Package, enabled: bool) -> Iterator[Document]:
        for table in inners(entry, "tables"):
            name, own = text(entry, "name"), text(table, "name")
            states = (self._is_enabled(entry, package), self._is_enabled(table, package))
            wanted = all(states) if enabled else False not in states and not all(states)
            if not wanted or (not enabled and (name, own) in self._rendering.members.sources):
                continue
            unique_id = f"source.{package.name}.{name}.{own}"
            relation = source_relation(entry, table, package, self._rendering)
            document = {
                **table,
                "unique_id": unique_id,
                "source_name": name,
                "source_description": text(entry, "description"),
                "package_name": package.name,
                "original_file_path": text(entry, "original_file_path"),
                "relation_name": str(relation),
                "tags": [*texts(entry, "tags"), *texts(table, "tags")],
            }
            self._rendering.members.sources[name, own] = (unique_id, relation)
            self._rendering.members.described_sources[unique_id] = {
                **document,
                "source_meta": dict(inner(entry, "meta")),
                "loader": text(table, "loader") or text(entry, "loader"),
                "description": text(table, "description"),
                "meta": {**inner(entry, "meta"), **inner(table, "meta"), **inner(inner(table, "config"), "meta")},
                "config": {"enabled": True, **inner(table, "config")},
                "columns": described_columns(table),
                "fqn": [package.name, name, own],
            }
            yield document

    def _is_enabled(self, entry: Document, package: Package) -> bool | None:
        """Whether a source or a table is enabled; None if only the default of a variable says that it is not."""
        given: Any = inner(entry, "config").get("enabled", entry.get("enabled"))
        if not isinstance(given, str):
            return given is not False
        unset: dict[str, None] = {}
        with suppress(TemplateProblem):
            if self._rendering.text_of(given, package.name, unset).lower() == "false":
                return None if unset else False
        return True

    def _exposure(self, entry: Document) -> Document:
        nodes = [self._meant(written) for written in texts(entry, "depends_on")]
        return {**entry, "depends_on": {"nodes": [node for node in nodes if node]}}

    def _meant(self, written: str) -> str:
        """The unique id of what `ref(…)`, `source(…)` or `metric(…)` means."""
        call = call_of(written)
        if call is None:
            return ""
        if call.function == "ref":
            node = self._rendering.meant(call.texts, call.version)
            return node.unique_id if node else f"model.{self._own.name}.{call.texts[-1]}"
        if call.function == "source" and (found := self._rendering.members.sources.get(call.texts[:2])):  # type: ignore[arg-type]
            return found[0]
        return ".".join((call.function, self._own.name, *call.texts))

    def _semantic_model(self, entry: Document) -> Document:
        call = call_of(text(entry, "model"))
        node = self._rendering.meant(call.texts, call.version) if call else None
        return {**entry, "node_relation": {"relation_name": str(node.relation) if node else ""}}


def _metrics_of_measures(semantic_models: list[Document]) -> Iterator[Document]:
    """Metrics that a measure makes of itself."""
    for entry in semantic_models:
        for measure in inners(entry, "measures"):
            if measure.get("create_metric") is True:
                name = text(measure, "name")
                stands = {key: entry.get(key) for key in ("original_file_path", "package_name")}
                yield {**stands, "name": name, "type": "simple", "type_params": {"measure": name}}
