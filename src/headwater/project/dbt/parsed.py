"""A manifest that names models but not their SQL, as `dbt parse` and `dbt ls` write it: the templates are rendered here.

`ref` and `source` give the relations that the manifest names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from headwater.model.diagnostic import Code
from headwater.project.dbt.context.adapter import quotes_of
from headwater.project.dbt.context.relation import Relation
from headwater.project.dbt.document import Document, inner, text, texts
from headwater.project.dbt.files import COMPILE, template_digest
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.known_columns import KnownColumns
from headwater.project.dbt.macros.texts import package_macros
from headwater.project.dbt.manifest import Manifest
from headwater.project.dbt.node_files import snapshot_offsets, snapshots_in
from headwater.project.dbt.packages import missing_packages, packages_of
from headwater.project.dbt.places import Places
from headwater.project.dbt.profiles import Target
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.rendered import rendered_document, rendered_operations, tell_of_rendering
from headwater.project.dbt.rendering import Rendering
from headwater.project.dbt.surroundings import Surroundings
from headwater.project.dbt.template_node import TemplateNode
from headwater.project.objects import Place
from headwater.source.template import TemplateProblem
from headwater.sql.text import read_text

_QUERIES = ("model", "snapshot", "analysis")


def with_templates(
    manifest: Manifest,
    folder: Folder,
    root: Path,
    surroundings: Surroundings,
    remarks: Remarks,
) -> Manifest:
    """The manifest with the SQL of what was not compiled, as far as its templates can be rendered.

    Compiled SQL that its template makes here as well has the places that the rendering finds.
    """
    missing = [node for node in manifest.of_type(*_QUERIES) if _is_uncompiled(node)]
    place = Place(folder.project_file)
    noted = remarks if missing else Remarks()  # of a compiled project nothing is said that only rendering it would need
    packages = packages_of(root, folder.settings, surroundings, noted)
    macros = [macro for package in packages for macro in package_macros(package)]
    try:
        rendering = Rendering(packages, _target(manifest), surroundings, macros)
    except TemplateProblem as problem:
        if missing:
            remarks.add(Code.TEMPLATE, str(problem), place, hint=COMPILE)
        return manifest
    places = Places(folder, noted)
    for node in manifest.of_type("model", "snapshot", "analysis", "seed"):
        rendering.members.add(_template_node(node, manifest, places))
    for source in manifest.sources:
        names = (text(source, "source_name"), text(source, "name"))
        rendering.members.sources[names] = (text(source, "unique_id"), _relation(source, manifest.adapter))
    rendering.columns = KnownColumns(rendering, manifest.sources, folder, noted).of
    compiled = {
        text(node, "unique_id"): _with_hooks(_with_places(node, rendering), rendering) for node in _compiled(manifest)
    }
    compiled |= {
        text(node, "unique_id"): node for node in rendered_operations(manifest.of_type("operation"), rendering)
    }
    manifest = replace(manifest, nodes=tuple(compiled.get(text(node, "unique_id"), node) for node in manifest.nodes))
    if not missing:
        return manifest
    message = f"{len(missing)} of the project's queries are not compiled: their templates are rendered without dbt"
    remarks.add(Code.TEMPLATE, message, place, hint=COMPILE)
    done = {
        text(node, "unique_id"): rendered_document(rendering.members.nodes[text(node, "unique_id")], rendering)
        for node in missing
    }
    tell_of_rendering(rendering, missing_packages(packages, surroundings, remarks), place, places, remarks)
    nodes = tuple({**node, **_made(done.get(text(node, "unique_id"), {}))} for node in manifest.nodes)
    return replace(manifest, nodes=nodes)


_RENDERED = (
    *("compiled_code", "incremental_code", "hooks", "template_problem", "template_hint"),
    *("template_map", "incremental_map"),
)


def _compiled(manifest: Manifest) -> Iterator[Document]:
    """The queries and programs that dbt has compiled."""
    for node in manifest.of_type(*_QUERIES):
        if not _is_uncompiled(node):
            yield node


def _with_hooks(node: Document, rendering: Rendering) -> Document:
    """A compiled node with its hooks, which are templates in a manifest."""
    hooks = rendering.hooks_of(text(node, "unique_id"))
    return node if hooks is None else {**node, "hooks": list(hooks)}


def _with_places(node: Document, rendering: Rendering) -> Document:
    """A compiled node with where its SQL stands in its file, if its template makes the same SQL here."""
    unique_id, digest = text(node, "unique_id"), text(node, "template_digest")
    known = rendering.members.nodes[unique_id]
    is_program = text(node, "language") == "python"
    if is_program or known.stands_in is None or (digest and digest != template_digest(known.template)):
        return node
    made = rendering.rendered(unique_id)
    code = text(node, "compiled_code") or text(node, "compiled_sql")
    if made.places is None or made.sql.strip() != code.strip():
        return node
    start, size = len(made.sql) - len(made.sql.lstrip()), len(code.strip())
    before = len(code) - len(code.lstrip())
    places = made.places.part(start, start + size).within(before, len(code) - before - size)
    return {**node, "template_map": places}


def _made(document: Document) -> dict[str, object]:
    return {key: document[key] for key in _RENDERED if key in document}


def _is_uncompiled(node: Document) -> bool:
    return text(node, "language") != "python" and not (text(node, "compiled_code") or text(node, "compiled_sql"))


def _target(manifest: Manifest) -> Target:
    """The database that the manifest's own nodes are in."""
    for node in manifest.of_type("model", "seed"):
        if not text(inner(node, "config"), "schema"):
            return Target(manifest.adapter, text(node, "schema") or manifest.project, text(node, "database"))
    return Target(manifest.adapter, manifest.project)


def _relation(node: Document, adapter: str) -> Relation:
    """The table of a node, written as the manifest has it."""
    name = text(node, "identifier") or text(node, "alias") or text(node, "name")
    made = Relation(text(node, "database"), text(node, "schema"), name, quotes=quotes_of(adapter))
    return replace(made, text=text(node, "relation_name"))


def _template_node(node: Document, manifest: Manifest, places: Places) -> TemplateNode:
    made = TemplateNode(
        text(node, "unique_id"),
        text(node, "name"),
        text(node, "resource_type"),
        text(node, "package_name") or manifest.project,
        _template(node, manifest, places),
        dict(inner(node, "config")),
        dict(node),
        _relation(node, manifest.adapter),
        text(node, "version"),
    )
    made.latest = text(node, "latest_version")
    path = Path(places.of_file(node).path)
    if path.suffix == ".sql" and made.template:
        content = _content(path)
        made.stands_in = (content, snapshot_offsets(content)[made.name] if made.kind == "snapshot" else 0)
    return made


def _template(node: Document, manifest: Manifest, places: Places) -> str:
    """The template of a node: its file, or its part of it; of a snapshot in YAML, all of what it depends on."""
    path = Path(places.of_file(node).path)
    if path.suffix == ".sql":
        content = _content(path)
        is_snapshot = text(node, "resource_type") == "snapshot"
        return snapshots_in(content).get(text(node, "name"), "") if is_snapshot else content
    needed = set(texts(inner(node, "depends_on"), "nodes"))
    every = (*manifest.nodes, *manifest.sources)
    found = next((text(each, "relation_name") for each in every if text(each, "unique_id") in needed), "")
    return f"select * from {found}" if found and text(node, "resource_type") == "snapshot" else ""


def _content(path: Path) -> str:
    """What a file holds; nothing, if it cannot be read."""
    try:
        return read_text(path).text
    except OSError:
        return ""
