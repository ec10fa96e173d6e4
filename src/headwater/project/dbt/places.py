"""Where a project's objects stand: the file that dbt names, and the line of `name:` in it if that is a YAML file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from headwater.project.dbt.document import Document, inner, text
from headwater.project.dbt.files import read_yaml_value
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Place
from headwater.project.yaml_value import Entries, Items, Text

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

    def of_item(self, node: Document, section: str) -> Place:
        """The line of a text in a list of `dbt_project.yml`; *node* has its index."""
        path = text(node, "original_file_path").removeprefix("./")
        shown = self._folder.shown(self._path(node, path))
        content, index = self._content(shown), node.get("index")
        found = content.values.get(section) if content is not None else None
        listed = found.values if isinstance(found, Items) else (found,)
        item = listed[index] if isinstance(index, int) and 0 <= index < len(listed) else None
        return item.place if item is not None else Place(shown)

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
            content = self._content(shown)
            self._known[shown] = {} if content is None else dict(_entries(content, (), set()))
        return self._known[shown]

    def _content(self, shown: str) -> Entries | None:
        path = Path(shown)
        readable = self._folder.root is not None and path.is_file()
        return read_yaml_value(path, shown, self._remarks) if readable else None


def _entries(entries: Entries, names: Names, seen: set[int]) -> Iterator[tuple[Names, Place]]:
    """The named objects in a mapping; one that an alias repeats counts where it stands first."""
    if id(entries) in seen or len(names) > 8:
        return
    seen.add(id(entries))
    for key, value in entries.values.items():
        if isinstance(value, Entries):
            yield from _entries(value, (*names, key), seen)
        for item in value.values if isinstance(value, Items) else ():
            if isinstance(item, Entries) and isinstance(name := item.values.get("name"), Text):
                below = (*names, key, name.value)
                yield below, item.keys.get("name", item.place)
                yield from _entries(item, below, seen)
