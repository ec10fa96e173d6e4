"""A manifest that names models but not their SQL, as `dbt parse` and `dbt ls` write it: the templates are rendered here.

`ref` and `source` give the relations that the manifest names; an ephemeral model is the query that it is, in brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from headwater.model.diagnostic import Code
from headwater.project.dbt.document import Document, inner, text, texts
from headwater.project.dbt.files import COMPILE, template_digest
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.manifest import Manifest
from headwater.project.dbt.places import Places
from headwater.project.dbt.property_files import files_below
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.settings import Settings
from headwater.project.dbt.templates import Templates, snapshot_offsets, snapshots_in
from headwater.project.objects import Place
from headwater.source.template import TemplateProblem
from headwater.source.template_map import TemplateMap
from headwater.sql.text import read_text

_QUERIES = ("model", "snapshot", "analysis")


def with_templates(
    manifest: Manifest,
    folder: Folder,
    root: Path,
    variables: Mapping[str, object],
    environment: Mapping[str, str],
    remarks: Remarks,
) -> Manifest:
    """The manifest with the SQL of what was not compiled, as far as its templates can be rendered.

    Compiled SQL that its template gives here as well has the places that the rendering finds.
    """
    missing = [node for node in manifest.of_type(*_QUERIES) if _is_uncompiled(node)]
    settings = Settings(folder.settings, manifest.adapter)
    place = Place(folder.project_file)
    try:
        rendering = _Rendering(manifest, Places(folder, remarks), settings.variables(variables), environment)
    except TemplateProblem as problem:
        if missing:
            remarks.add(Code.TEMPLATE, str(problem), place, hint=COMPILE)
        return manifest
    macros = files_below(root, settings.paths("macro-paths"), ".sql")
    rendering.define(root / path for path in macros)
    if missing:
        message = f"{len(missing)} of the project's queries are not compiled: their templates are rendered without dbt"
        remarks.add(Code.TEMPLATE, message, place, hint=COMPILE)
    for node in missing:
        rendering.render(node)
    for node in manifest.of_type(*_QUERIES):
        if text(node, "language") != "python" and not _is_uncompiled(node):
            rendering.find_places(node)
    return replace(manifest, nodes=tuple(rendering.done.get(text(node, "unique_id"), node) for node in manifest.nodes))


def _is_uncompiled(node: Document) -> bool:
    return text(node, "language") != "python" and not (text(node, "compiled_code") or text(node, "compiled_sql"))


class _Rendering:
    """Renders nodes, and before each the ephemeral models that it stands on."""

    def __init__(
        self,
        manifest: Manifest,
        places: Places,
        variables: Mapping[str, object],
        environment: Mapping[str, str],
    ) -> None:
        self.done: dict[str, Document] = {}
        self._places = places
        self._nodes = {text(node, "unique_id"): node for node in (*manifest.nodes, *manifest.sources)}
        self._by_name: dict[str, list[Document]] = {}
        for node in manifest.of_type("model", "seed", "snapshot"):
            self._by_name.setdefault(text(node, "name"), []).append(node)
        self._project = manifest.project
        self._sources = {(text(node, "source_name"), text(node, "name")): node for node in manifest.sources}
        self._templates = Templates(manifest.project, variables, environment, manifest.adapter, self._ref, self._source)

    def define(self, paths: Iterable[Path]) -> None:
        """Make the macros of some files known; one that cannot be read is missed where it is used."""
        self._templates.define(map(_content, paths))

    def render(self, node: Document) -> None:
        """Find out the SQL of a node."""
        unique_id = text(node, "unique_id")
        if unique_id in self.done:
            return
        self.done[unique_id] = node
        needed = (self._nodes.get(each, {}) for each in texts(inner(node, "depends_on"), "nodes"))
        for other in needed:
            if _is_ephemeral(other) and _is_uncompiled(other):
                self.render(other)
        template = self._template(node)
        if template:
            made = self._templates.render(template, text(node, "alias") or text(node, "name"))
            places = self._in_file(node, made.map)
            told = {"compiled_code": made.sql, "template_problem": made.problem, "template_map": places}
            self.done[unique_id] = {**node, **told}

    def find_places(self, node: Document) -> None:
        """Find out where the SQL of a compiled node stands in its template, if the template gives the same SQL here."""
        template, digest = self._template(node), text(node, "template_digest")
        if not template or (digest and digest != template_digest(template)):
            return
        made = self._templates.render(template, text(node, "alias") or text(node, "name"))
        code = text(node, "compiled_code") or text(node, "compiled_sql")
        places = self._in_file(node, made.map)
        if places is None or made.sql.strip() != code.strip():
            return
        start, size = len(made.sql) - len(made.sql.lstrip()), len(code.strip())
        before = len(code) - len(code.lstrip())
        places = places.part(start, start + size).within(before, len(code) - before - size)
        self.done[text(node, "unique_id")] = {**node, "template_map": places}

    def _in_file(self, node: Document, places: TemplateMap | None) -> TemplateMap | None:
        """A map to a node's template as a map to its file; None if the template is in none."""
        path = Path(self._places.of_file(node).path)
        if places is None or path.suffix != ".sql":
            return None
        if text(node, "resource_type") != "snapshot":
            return places
        content = _content(path)
        return places.standing_in(content, snapshot_offsets(content)[text(node, "name")])

    def _template(self, node: Document) -> str:
        """The template of a node: its file, or its part of it; of a snapshot in YAML, all of what it depends on."""
        path = Path(self._places.of_file(node).path)
        if path.suffix != ".sql":
            relations = (
                text(self._nodes.get(each, {}), "relation_name") for each in texts(inner(node, "depends_on"), "nodes")
            )
            found = next((relation for relation in relations if relation), "")
            return f"select * from {found}" if found else ""
        content = _content(path)
        return (
            snapshots_in(content).get(text(node, "name"), "") if text(node, "resource_type") == "snapshot" else content
        )

    def _ref(self, names: tuple[str, ...], version: str) -> str:
        known = self._by_name.get(names[-1], []) if names else []
        found = [node for node in known if self._is_meant(node, names, version)]
        own = [node for node in found if text(node, "package_name") == self._project]
        node = next(iter(own or found), None)
        if node is None:
            raise TemplateProblem(f"there is no model {'.'.join(names)}")
        if not _is_ephemeral(node):
            return text(node, "relation_name")
        rendered = self.done.get(text(node, "unique_id"), node)
        return f"(\n{text(rendered, 'compiled_code')}\n)"

    @staticmethod
    def _is_meant(node: Document, names: tuple[str, ...], version: str) -> bool:
        package = len(names) < 2 or text(node, "package_name") == names[0]
        return package and text(node, "version") == (version or text(node, "latest_version"))

    def _source(self, schema: str, table: str) -> str:
        node = self._sources.get((schema, table))
        if node is None:
            raise TemplateProblem(f"there is no source {schema}.{table}")
        return text(node, "relation_name")


def _content(path: Path) -> str:
    """What a file holds; nothing, if it cannot be read."""
    try:
        return read_text(path).text
    except OSError:
        return ""


def _is_ephemeral(node: Document) -> bool:
    return text(inner(node, "config"), "materialized") == "ephemeral"
