"""`find_files`: the files that folders, globs and paths name, in one order everywhere."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from headwater.source.ignore import IGNORE_FILE, IgnoreRules

INCLUDED = (
    *("*.sql", "*.hql", "*.hive", "*.ddl", "*.dml", "*.bteq", "*.btq", "*.psql", "*.pgsql", "*.tsql", "*.bqsql"),
    *("*.pls", "*.plsql", "*.pks", "*.pkb", "*.ipynb", "*.py", "*.scala", "*.r"),
)
"""What is read from folders, unless other patterns are given."""
SKIPPED_FOLDERS = frozenset({"node_modules", "target", "dbt_packages", "__pycache__", "venv"})
"""Folders that are not walked into, beside those whose names begin with a dot; one that is named as a root is."""


def find_files(roots: Sequence[str], include: Sequence[str] = INCLUDED, exclude: Sequence[str] = ()) -> Iterator[str]:
    """The files that roots name, root by root, each once: a folder's in order, a glob's in order, a file itself whatever its ending.

    *include* are patterns of names, or of paths if they have a slash; *exclude* are patterns as in `.gitignore`, counted from the folder;
    `.headwaterignore` files in the folders have more of these. A root that leads nowhere is a `FileNotFoundError`.
    """
    seen: set[str] = set()
    for root in roots:
        for path in _of_root(root, include, exclude):
            if path not in seen:
                seen.add(path)
                yield path


def shown_path(path: str, root: str) -> str:
    """A file's path as it is displayed: from the root on, with forward slashes; a root that is the file itself shows its name."""
    relative = os.path.relpath(path, root)
    shown = os.path.basename(path) if relative == os.curdir else path if relative.startswith(os.pardir) else relative
    return shown.replace(os.sep, "/")


def _of_root(root: str, include: Sequence[str], exclude: Sequence[str]) -> Iterator[str]:
    if os.path.isdir(root):
        yield from _Walk(root, include, exclude).files()
    elif os.path.lexists(root):
        yield root
    else:
        found = sorted(glob.glob(root, recursive=True)) if glob.has_magic(root) else []
        if not found:
            raise FileNotFoundError(2, "No such file or folder", root)
        for path in found:
            if os.path.isdir(path) and "**" not in root:
                yield from _Walk(path, include, exclude).files()
            elif not os.path.isdir(path):
                yield path


class _Walk:
    """A walk through a folder. Links to folders are followed unless they lead into the folder itself or where the walk was already."""

    def __init__(self, root: str, include: Sequence[str], exclude: Sequence[str]) -> None:
        self._root = root
        self._include = [pattern.lower() for pattern in include]
        self._rules = IgnoreRules().with_patterns("", exclude)
        self._real = os.path.realpath(root)
        self._linked: set[str] = set()

    def files(self) -> Iterator[str]:
        """The files below the root, in the order of their paths."""
        yield from self._below("", self._rules)

    def _below(self, folder: str, outer: IgnoreRules) -> Iterator[str]:
        here = os.path.join(self._root, folder) if folder else self._root
        rules = outer.with_file(folder, Path(here, IGNORE_FILE))
        with os.scandir(here) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
        for entry in ordered:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if os.path.isdir(entry.path):
                if self._is_entered(entry) and not rules.ignores(path, is_folder=True):
                    yield from self._below(path, rules)
            elif self._is_included(path) and _is_file(entry) and not rules.ignores(path):
                yield os.path.join(self._root, *path.split("/"))

    def _is_entered(self, entry: os.DirEntry[str]) -> bool:
        if entry.name.startswith(".") or entry.name in SKIPPED_FOLDERS:
            return False
        if not entry.is_symlink():
            return True
        real = os.path.realpath(entry.path)
        if real in self._linked or _is_within(real, self._real) or _is_within(self._real, real):
            return False
        self._linked.add(real)
        return True

    def _is_included(self, path: str) -> bool:
        lowered = path.lower()
        name = lowered.rpartition("/")[2]
        return any(fnmatch(lowered if "/" in pattern else name, pattern) for pattern in self._include)


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether it is a file, or a link that should lead to one: where it leads nowhere is told when it is read."""
    return os.path.isfile(entry.path) or (entry.is_symlink() and not os.path.exists(entry.path))


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
