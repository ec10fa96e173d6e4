"""The models, snapshots, seeds and analyses of a package, from its files."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from headwater.model.diagnostic import Code
from headwater.project.dbt.context.relation import PARTS, Relation
from headwater.project.dbt.document import Document, inner, inners, text, texts
from headwater.project.dbt.documented import described_columns
from headwater.project.dbt.package import Package
from headwater.project.dbt.property_files import Entries, files_below
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.rendering import Rendering, rendered_settings
from headwater.project.dbt.template_node import TemplateNode
from headwater.project.objects import Place
from headwater.source.template import TemplateProblem
from headwater.sql.text import read_text

_SNAPSHOT = re.compile(r"\{%-?\s*snapshot\s+(\w+)\s*-?%\}(.*?)\{%-?\s*endsnapshot\s*-?%\}", re.DOTALL)
_KNOWN = frozenset(
    {
        *(
            "materialized",
            "enabled",
            "tags",
            "meta",
            "schema",
            "database",
            "alias",
            "quoting",
            "delimiter",
            "quote_columns",
        ),
        *("column_types", "pre-hook", "post-hook", "pre_hook", "post_hook", "unique_key", "updated_at", "strategy"),
        *("target_schema", "target_database", "catalog", "project", "hard_deletes", "snapshot_meta_column_names"),
    }
)
"""Settings of folders that may be written without a plus."""
_ADDED = ("tags", "pre-hook", "post-hook", "pre_hook", "post_hook")
"""Settings that are added to those of outer folders, and do not take their place."""


def snapshots_in(template: str) -> dict[str, str]:
    """The templates between `{% snapshot name %}` and `{% endsnapshot %}`, by name, with as many lines in front as in the file."""
    return {
        found[1]: "\n" * template.count("\n", 0, found.start(2)) + found[2] for found in _SNAPSHOT.finditer(template)
    }


def snapshot_offsets(text: str) -> dict[str, int]:
    """What is added to an offset of such a template to have that of the file, by name."""
    return {found[1]: found.start(2) - text.count("\n", 0, found.start(2)) for found in _SNAPSHOT.finditer(text)}


class NodeFiles:
    """The files of a package to nodes of the rendering."""

    def __init__(
        self, package: Package, project: Package, entries: Entries, rendering: Rendering, remarks: Remarks
    ) -> None:
        self._package, self._project, self._entries = package, project, entries
        self._rendering, self._remarks = rendering, remarks

    def add_nodes(self) -> None:
        """Make all of them known."""
        for node in (*self._models(), *self._snapshots(), *self._seeds(), *self._analyses()):
            self._rendering.members.add(node)

    def _below(self, kind: str, *endings: str) -> Iterator[str]:
        return files_below(self._package.root, self._package.paths(kind), *endings)

    def _models(self) -> Iterator[TemplateNode]:
        described = self._described("models")
        paths = list(self._below("model-paths", ".sql", ".py"))
        versions = self._versions({PurePosixPath(path).stem for path in paths})
        for path in paths:
            stem = PurePosixPath(path).stem
            entry, version = versions.get(stem, (described.get(stem, {}), ""))
            name = text(entry, "name") or stem
            node = self._node("model", "models", path, name, entry, version)
            node.latest = _latest(entry)
            node.document["language"] = "python" if path.endswith(".py") else "sql"
            node.template = self._content(path)
            node.stands_in = (node.template, 0)
            yield node

    def _snapshots(self) -> Iterator[TemplateNode]:
        described = self._described("snapshots")
        for path in self._below("snapshot-paths", ".sql"):
            content = self._content(path)
            offsets = snapshot_offsets(content)
            for name, template in snapshots_in(content).items():
                node = self._node("snapshot", "snapshots", path, name, described.get(name, {}))
                node.template = template
                node.stands_in = (content, offsets[name])
                yield node
        for name, entry in described.items():
            relation = text(entry, "relation")
            if relation:
                node = self._node("snapshot", "snapshots", text(entry, "original_file_path"), name, entry)
                node.template = f"select * from {{{{ {relation} }}}}"
                yield node

    def _seeds(self) -> Iterator[TemplateNode]:
        described = self._described("seeds")
        for path in self._below("seed-paths", ".csv"):
            name = PurePosixPath(path).stem
            yield self._node("seed", "seeds", path, name, described.get(name, {}))

    def _analyses(self) -> Iterator[TemplateNode]:
        if self._package is not self._project:
            return
        for path in self._below("analysis-paths", ".sql"):
            node = self._node("analysis", "analyses", path, PurePosixPath(path).stem, {})
            node.template = self._content(path)
            node.stands_in = (node.template, 0)
            yield node

    def _described(self, section: str) -> dict[str, Document]:
        return {text(entry, "name"): entry for entry in self._entries[section]}

    def _versions(self, stems: Container[str]) -> dict[str, tuple[Document, str]]:
        """Files of versioned models, without their ending: the model's entry, and the version.

        The file of the latest version may have the model's name alone.
        """
        found: dict[str, tuple[Document, str]] = {}
        for entry in self._entries["models"]:
            name, latest = text(entry, "name"), _latest(entry)
            for version in inners(entry, "versions"):
                number = text(version, "v")
                stem = text(version, "defined_in") or f"{name}_v{number}"
                if number == latest and stem not in stems:
                    stem = name
                found[stem] = (_of_version(entry, version), number)
        return found

    def _node(self, kind: str, section: str, path: str, name: str, entry: Document, version: str = "") -> TemplateNode:
        package = self._package.name
        unique_id = f"{kind}.{package}.{name}" + (f".v{version}" if version else "")
        config, switches = self._configuration(section, path, entry)
        stem = path.split("/")[1:]
        document = {
            "tags": list(texts(entry, "tags")),
            "meta": dict(inner(entry, "meta")),
            "columns": described_columns(entry),
            "description": text(entry, "description"),
            "unique_id": unique_id,
            "name": name,
            "resource_type": kind,
            "package_name": package,
            "original_file_path": path,
            "path": "/".join(stem),
            "fqn": [package, *stem[:-1], name],
            "config": config,
            "version": version or None,
        }
        return TemplateNode(unique_id, name, kind, package, "", config, document, version=version, switches=switches)

    def _configuration(self, section: str, path: str, entry: Document) -> tuple[dict[str, Any], tuple[str, ...]]:
        """What YAML says of a node, over what folders say of it; the project's own folders win over those of a package.

        Beside it, the variables that nobody sets and by whose defaults the node is disabled.
        """
        found: dict[str, Any] = {}
        switches: dict[str, None] = {}
        where = re.sub(r"\.\w+$", "", path)
        settings = (self._package, self._project) if self._package is not self._project else (self._project,)
        levels = [level for each in settings for level in each.configured(section, self._package.name, where)]
        for level in (*(_settings(level) for level in levels), _settings(inner(entry, "config"), bare=True)):
            said, unset = self._rendered(level)
            merge_settings(found, said)
            if "enabled" in level:
                switches = unset
        return found, tuple(switches) if found.get("enabled") is False else ()

    def _rendered(self, settings: Document) -> tuple[dict[str, Any], dict[str, None]]:
        """Settings with their templates rendered, and the variables in them that nobody sets."""
        unset: dict[str, None] = {}
        package = self._package.name
        return rendered_settings(settings, lambda text: self._rendering.setting_of(text, package, unset)), unset

    def _content(self, path: str) -> str:
        """What a file holds; empty, with a remark, if it cannot be read."""
        try:
            return read_text(self._package.root / path).text
        except OSError as error:
            shown = (self._package.root / path).as_posix()
            reason = error.strerror or type(error).__name__
            self._remarks.add(Code.UNREADABLE_FILE, f"{shown} cannot be read: {reason}", Place(shown))
            return ""


def source_relation(entry: Document, table: Document, package: Package, rendering: Rendering) -> Relation:
    """The table of a source."""

    def rendered(*given: str) -> str:
        for written in given:
            try:
                found = rendering.text_of(written, package.name) if written else ""
            except TemplateProblem:
                continue
            if found:
                return found
        return ""

    made = rendering.make.create(
        rendered(text(entry, "database"), text(entry, "catalog")) or rendering.target.database,
        rendered(text(entry, "schema"), text(entry, "name")),
        rendered(text(table, "identifier"), text(table, "name")),
    )
    quoting = {**inner(entry, "quoting"), **inner(table, "quoting")}
    return made.quote(**{part: given for part in PARTS if isinstance(given := quoting.get(part), bool)})


def _settings(level: Document, bare: bool = False) -> dict[str, Any]:
    """The settings at a level of a folder's tree; *bare*: everything there is one."""
    return {
        key.removeprefix("+"): value for key, value in level.items() if bare or key.startswith("+") or key in _KNOWN
    }


def merge_settings(settings: dict[str, Any], others: Mapping[str, Any]) -> None:
    """Lay settings over others; tags and hooks are added to those that are there."""
    for key, value in others.items():
        both = key in _ADDED and key in settings
        settings[key] = [*_listed(settings[key]), *_listed(value)] if both else value


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _latest(entry: Document) -> str:
    """The version of a model that is taken where none is named; empty for a model without versions."""
    numbers = (text(each, "v") for each in inners(entry, "versions"))
    return text(entry, "latest_version") or max(numbers, key=lambda v: (len(v), v), default="")


def _of_version(entry: Document, version: Document) -> Document:
    """What YAML says of a version: of the model, with the version's own configuration and columns over it."""
    said = {**entry, "config": {**inner(entry, "config"), **inner(version, "config")}}
    columns = list(inners(version, "columns"))
    if columns:
        rule = next((each for each in columns if "include" in each), {"include": "all"})
        included, excluded = rule.get("include"), texts(rule, "exclude")
        common = [
            each
            for each in inners(entry, "columns")
            if (included in ("all", "*") or text(each, "name") in texts(rule, "include"))
            and text(each, "name") not in excluded
        ]
        own = [each for each in columns if "include" not in each]
        named = {text(each, "name") for each in own}
        said["columns"] = [*(each for each in common if text(each, "name") not in named), *own]
    if "description" in version:
        said["description"] = version["description"]
    return said
