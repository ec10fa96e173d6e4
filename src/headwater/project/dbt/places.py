"""Where a project's objects stand: the file that dbt names, and the line of `name:` in it if that is a YAML file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from headwater.project.dbt.document import Document, inner, text
from headwater.project.dbt.files import compose_yaml
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Place

Names = tuple[str, ...]
"""How one gets to an object: sections and names in turn, `("semantic_models", "orders", "measures", "total")`."""

_YAML = (".yml", ".yaml")


class Places:
    """Finds places; each YAML file is read once, when it is first asked for."""

    __slots__ = ("_folder", "_known", "_remarks")

    def __init__(self, folder: Folder, remarks: Remarks) -> None:
        self._folder, self._remarks = folder, remarks
        self._known: dict[str, dict[Names, Place]] = {}

    def of_file(self, node: Document) -> Place:
        """The beginning of a node's own file."""
        return Place(self._folder.shown(self._path(node, text(node, "original_file_path"))))

    def of_sql(self, node: Document, section: str) -> Place:
        """Where a node's SQL begins, or its entry in a section, if it is written in YAML."""
        in_yaml = text(node, "original_file_path").endswith(_YAML)
        return self.of_entry(node, section, text(node, "name")) if in_yaml else self.of_file(node)

    def of_entry(self, node: Document, *names: str, otherwise: Names = ()) -> Place:
        """The line of a node's entry in the YAML file that it was written in, or of another entry that brought it about.

        It is the file's beginning if neither is found there.
        """
        path = text(node, "original_file_path")
        if not path.endswith(_YAML):
            path = text(node, "patch_path").rpartition("://")[2] or path
        shown = self._folder.shown(self._path(node, path))
        line = inner(node, "metadata", "file_slice").get("start_line_number")
        default = Place(shown, line if isinstance(line, int) and line > 0 else 1)
        if not shown.endswith(_YAML):
            return default
        entries = self._entries(shown)
        return entries.get(names) or entries.get(otherwise, default)

    def _path(self, node: Document, path: str) -> str:
        """A path from the project's folder on; packages lie in a folder of their own."""
        package, own = text(node, "package_name"), text(self._folder.settings, "name")
        if not path:
            return self._folder.manifest.name if self._folder.root is None else text(node, "path")
        if package and own and package != own:
            installed = text(self._folder.settings, "packages-install-path") or "dbt_packages"
            return f"{installed}/{package}/{path}"
        return path

    def _entries(self, shown: str) -> dict[Names, Place]:
        if shown not in self._known:
            path = Path(shown)
            readable = self._folder.root is not None and path.is_file()
            tree = compose_yaml(path, shown, self._remarks) if readable else None
            self._known[shown] = {} if tree is None else dict(_entries(tree, shown, (), set()))
        return self._known[shown]


def _entries(node: Any, shown: str, names: Names, seen: set[int]) -> Iterator[tuple[Names, Place]]:
    """The named objects below a node; one that an alias repeats counts where it stands first."""
    if node.id != "mapping" or id(node) in seen or len(names) > 8:
        return
    seen.add(id(node))
    for key, value in node.value:
        if key.id != "scalar":
            continue
        if value.id == "mapping":
            yield from _entries(value, shown, (*names, str(key.value)), seen)
        for item in value.value if value.id == "sequence" else ():
            name = _name(item)
            if name is not None:
                below = (*names, str(key.value), str(name[1].value))
                mark = name[0].start_mark
                yield below, Place(shown, mark.line + 1, mark.column + 1)
                yield from _entries(item, shown, below, seen)


def _name(node: Any) -> tuple[Any, Any] | None:
    """The entry `name: …` of a mapping."""
    if node.id != "mapping":
        return None
    return next(((k, v) for k, v in node.value if k.id == "scalar" and k.value == "name" and v.id == "scalar"), None)
