"""A project that dbt has not compiled: a manifest made of its own files, as far as that goes.

Models are rendered with the project's macros. The schema that dbt would put tables in is nowhere in the project, so they go by the
project's name and their model's, `shop.orders`; ephemeral models are views here. Macros of packages and whatever asks the database are
out of reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from headwater.model.diagnostic import Code
from headwater.project.dbt.calls import call_of
from headwater.project.dbt.document import Document, inner, inners, text, texts
from headwater.project.dbt.files import COMPILE
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.manifest import Manifest
from headwater.project.dbt.property_files import Entries, files_below, read_property_files
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.settings import Settings, read_settings
from headwater.project.dbt.templates import Rendered, Templates, snapshot_offsets, snapshots_in
from headwater.project.objects import Place
from headwater.source.template import TemplateProblem
from headwater.sql.text import read_text

_KINDS = ("model-paths", "seed-paths", "snapshot-paths", "analysis-paths")


def uncompiled_manifest(
    folder: Folder,
    root: Path,
    variables: Mapping[str, object],
    environment: Mapping[str, str],
    remarks: Remarks,
) -> Manifest:
    """The manifest that a project's own files give."""
    place = Place(folder.project_file)
    settings = read_settings(folder, root, environment, remarks)
    message = "the project is not compiled: its templates are rendered without dbt, and its tables are called after it and its models"
    remarks.add(Code.TEMPLATE, message, place, hint=COMPILE)
    folders = tuple(dict.fromkeys(path for kind in _KINDS for path in settings.paths(kind)))
    entries = read_property_files(root, folders, settings.name, remarks)
    try:
        read = _Uncompiled(root, settings, entries, Names(settings.name, entries), remarks)
        return read.manifest(variables, environment, place)
    except TemplateProblem as problem:
        remarks.add(Code.INVALID_PROJECT, str(problem), place, hint=COMPILE)
        return Manifest(settings.name, settings.adapter)


@dataclass(frozen=True, slots=True)
class Names:
    """What `ref` and `source` mean in a project."""

    project: str
    entries: Entries

    def versions(self) -> dict[str, tuple[Document, str]]:
        """Files of versioned models, without their ending: the model's entry, and the version."""
        return {
            text(version, "defined_in") or f"{text(entry, 'name')}_v{text(version, 'v')}": (entry, text(version, "v"))
            for entry in self.entries["models"]
            for version in inners(entry, "versions")
        }

    def ref(self, names: tuple[str, ...], version: str) -> str:
        """The table of a model: its project's name and its own, with the version that is meant."""
        if not names:
            raise TemplateProblem("ref names no model")
        wanted = version or self._latest(names[-1])
        return f"{self.project}.{names[-1]}_v{wanted}" if wanted else f"{self.project}.{names[-1]}"

    def unique_id(self, names: tuple[str, ...], version: str, seeds: frozenset[str]) -> str:
        """What `ref` means, by dbt's unique id."""
        name, package = names[-1], names[0] if len(names) > 1 else self.project
        wanted = version or self._latest(name)
        snapshots = {text(entry, "name") for entry in self.entries["snapshots"]}
        kind = "seed" if name in seeds else "snapshot" if name in snapshots else "model"
        return f"{kind}.{package}.{name}.v{wanted}" if wanted else f"{kind}.{package}.{name}"

    def source(self, schema: str, table: str) -> str:
        """The table of a source, as its file declares it."""
        for entry in self.entries["sources"]:
            for each in inners(entry, "tables"):
                if (text(entry, "name"), text(each, "name")) == (schema, table):
                    return source_table(entry, each)
        return f"{schema}.{table}"

    def _latest(self, name: str) -> str:
        for entry in self.entries["models"]:
            if text(entry, "name") == name:
                versions = [text(version, "v") for version in inners(entry, "versions")]
                return text(entry, "latest_version") or max(versions, key=lambda v: (len(v), v), default="")
        return ""


def source_table(entry: Document, table: Document) -> str:
    """The full name of a source's table; templates in it are left out, since they ask for the environment."""
    schema = text(entry, "schema")
    parts = (text(entry, "database"), schema if schema and "{{" not in schema else text(entry, "name"))
    plain = [part for part in parts if part and "{{" not in part]
    return ".".join((*plain, text(table, "identifier") or text(table, "name")))


@dataclass(frozen=True, slots=True)
class _Uncompiled:
    root: Path
    settings: Settings
    entries: Entries
    names: Names
    remarks: Remarks

    def manifest(self, variables: Mapping[str, object], environment: Mapping[str, str], place: Place) -> Manifest:
        """Everything that the project's files say, in the shape of a manifest."""
        own = self.settings.variables(variables)
        adapter = self.settings.adapter
        templates = Templates(self.settings.name, own, environment, adapter, self.names.ref, self.names.source)
        macros = files_below(self.root, self.settings.paths("macro-paths"), ".sql")
        for problem in templates.define(self._text(path) for path in macros):
            self.remarks.add(Code.TEMPLATE, f"a macro is not available: {problem}", place, hint=COMPILE)
        seeds = tuple(self._seeds())
        names = frozenset(text(seed, "name") for seed in seeds)
        nodes = (*self._models(templates), *self._snapshots(templates), *seeds, *self._analyses(templates))
        return Manifest(
            project=self.settings.name,
            adapter=adapter,
            nodes=tuple(node for node in nodes if inner(node, "config").get("enabled") is not False),
            sources=tuple(self._sources()),
            exposures=tuple(self._exposure(entry, names) for entry in self.entries["exposures"]),
            semantic_models=tuple(map(self._semantic_model, self.entries["semantic_models"])),
            metrics=(*self.entries["metrics"], *self._metrics_of_measures()),
            saved_queries=self.entries["saved_queries"],
            files=((self.root / "dbt_project.yml").as_posix(),),
        )

    def _text(self, path: str) -> str:
        """What a file holds; empty, with a remark, if it cannot be read."""
        try:
            return read_text(self.root / path).text
        except OSError as error:
            shown = (self.root / path).as_posix()
            reason = error.strerror or type(error).__name__
            self.remarks.add(Code.UNREADABLE_FILE, f"{shown} cannot be read: {reason}", Place(shown))
            return ""

    def _table(self, name: str) -> str:
        return f"{self.settings.name}.{name}"

    def _models(self, templates: Templates) -> Iterator[Document]:
        described = {text(entry, "name"): entry for entry in self.entries["models"]}
        versions = self.names.versions()
        for path in files_below(self.root, self.settings.paths("model-paths"), ".sql", ".py"):
            stem = PurePosixPath(path).stem
            entry, version = versions.get(stem, (described.get(stem, {}), ""))
            name = text(entry, "name") or stem
            table = self._table(f"{name}_v{version}" if version else stem)
            python = path.endswith(".py")
            rendered = Rendered("", {}) if python else templates.render(self._text(path), stem)
            node = self._node("model", "models", path, name, entry, rendered, table, f".v{version}" if version else "")
            yield {**node, "language": "python" if python else "sql"}

    def _snapshots(self, templates: Templates) -> Iterator[Document]:
        described = {text(entry, "name"): entry for entry in self.entries["snapshots"]}
        for path in files_below(self.root, self.settings.paths("snapshot-paths"), ".sql"):
            content = self._text(path)
            offsets = snapshot_offsets(content)
            for name, body in snapshots_in(content).items():
                rendered = templates.render(body, name)
                if rendered.map is not None:
                    rendered = rendered._replace(map=rendered.map.standing_in(content, offsets[name]))
                yield self._node(
                    "snapshot", "snapshots", path, name, described.get(name, {}), rendered, self._table(name)
                )
        for name, entry in described.items():
            relation = text(entry, "relation")
            if relation:
                rendered = templates.render(f"select * from {{{{ {relation} }}}}", name)._replace(map=None)
                path = text(entry, "original_file_path")
                yield self._node("snapshot", "snapshots", path, name, entry, rendered, self._table(name))

    def _seeds(self) -> Iterator[Document]:
        described = {text(entry, "name"): entry for entry in self.entries["seeds"]}
        for path in files_below(self.root, self.settings.paths("seed-paths"), ".csv"):
            name = PurePosixPath(path).stem
            yield self._node("seed", "seeds", path, name, described.get(name, {}), Rendered("", {}), self._table(name))

    def _analyses(self, templates: Templates) -> Iterator[Document]:
        for path in files_below(self.root, self.settings.paths("analysis-paths"), ".sql"):
            name = PurePosixPath(path).stem
            rendered = templates.render(self._text(path), name)
            yield self._node("analysis", "analyses", path, name, {}, rendered, "")

    def _node(
        self,
        kind: str,
        section: str,
        path: str,
        name: str,
        entry: Document,
        rendered: Rendered,
        table: str,
        version: str = "",
    ) -> Document:
        """A node of a manifest. What stands in its own file wins over YAML, and that over the folder's settings."""
        folders = self.settings.of_folder(section, path)
        config: dict[str, object] = {**folders, **inner(entry, "config"), **rendered.config}
        every = (folders, inner(entry, "config"), rendered.config)
        config["tags"] = [tag for each in every for tag in texts(each, "tags")]
        if config.get("materialized") == "ephemeral":
            config["materialized"] = "view"
        config |= {"schema": None, "database": None}
        return {
            "tags": entry.get("tags"),
            "meta": entry.get("meta"),
            "columns": entry.get("columns"),
            "description": entry.get("description"),
            "unique_id": f"{kind}.{self.settings.name}.{name}{version}",
            "name": name,
            "resource_type": kind,
            "package_name": self.settings.name,
            "original_file_path": path,
            "relation_name": table,
            "compiled_code": rendered.sql,
            "template_problem": rendered.problem,
            "template_map": rendered.map,
            "config": config,
        }

    def _sources(self) -> Iterator[Document]:
        for entry in self.entries["sources"]:
            for table in inners(entry, "tables"):
                name, own = text(entry, "name"), text(table, "name")
                yield {
                    **table,
                    "unique_id": f"source.{self.settings.name}.{name}.{own}",
                    "source_name": name,
                    "source_description": text(entry, "description"),
                    "package_name": self.settings.name,
                    "original_file_path": text(entry, "original_file_path"),
                    "relation_name": source_table(entry, table),
                }

    def _exposure(self, entry: Document, seeds: frozenset[str]) -> Document:
        nodes = [self._meant(written, seeds) for written in texts(entry, "depends_on")]
        return {**entry, "depends_on": {"nodes": [node for node in nodes if node]}}

    def _meant(self, written: str, seeds: frozenset[str]) -> str:
        """The unique id of what `ref(…)`, `source(…)` or `metric(…)` means."""
        call = call_of(written)
        if call is None:
            return ""
        if call.function == "ref":
            return self.names.unique_id(call.texts, call.version, seeds)
        return ".".join((call.function, self.settings.name, *call.texts))

    def _semantic_model(self, entry: Document) -> Document:
        call = call_of(text(entry, "model"))
        table = self.names.ref(call.texts, call.version) if call else ""
        return {**entry, "node_relation": {"relation_name": table}}

    def _metrics_of_measures(self) -> Iterator[Document]:
        """Metrics that a measure makes of itself."""
        for entry in self.entries["semantic_models"]:
            for measure in inners(entry, "measures"):
                if measure.get("create_metric") is True:
                    name = text(measure, "name")
                    stands = {key: entry.get(key) for key in ("original_file_path", "package_name")}
                    yield {**stands, "name": name, "type": "simple", "type_params": {"measure": name}}
