"""`find_files`: the files that folders, globs and paths name, in one order everywhere."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from headwater.files import Roots, roots_in_force
from headwater.files.roots import is_within
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

    Links to folders outside of the roots are not followed. Links to files are listed wherever they lead: who reads them
    through `headwater.files` is told which may not be read.
    """
    allowed = roots_in_force() or Roots.of(roots)
    seen: set[str] = set()
    for root in roots:
        for path in _of_root(root, include, exclude, allowed):
            if path not in seen:
                seen.add(path)
                yield path


def shown_path(path: str, root: str) -> str:
    """A file's path as it is displayed: from the root on, with forward slashes; a root that is the file itself shows its name."""
    relative = os.path.relpath(path, root)
    shown = os.path.basename(path) if relative == os.curdir else path if relative.startswith(os.pardir) else relative
    return shown.replace(os.sep, "/")


def _of_root(root: str, include: Sequence[str], exclude: Sequence[str], allowed: Roots) -> Iterator[str]:
    if os.path.isdir(root):
        yield from _Walk(root, include, exclude, allowed).files()
    elif os.path.lexists(root):
        yield root
    else:
        found = sorted(glob.glob(root, recursive=True)) if glob.has_magic(root) else []
        if not found:
            raise FileNotFoundError(2, "No such file or folder", root)
        for path in found:
            if os.path.isdir(path) and "**" not in root:
                yield from _Walk(path, include, exclude, allowed).files()
            elif not os.path.isdir(path):
                yield path


class _Folder(NamedTuple):
    """A folder that a walk is in."""

    path: str
    """From the root on."""
    rules: IgnoreRules
    entries: Iterator[os.DirEntry[str]]
    """What is still to be visited."""


class _Walk:
    """A walk through a folder.

    Links to folders are followed unless they lead into the folder itself, where the walk was already, or outside of what was named.
    """

    def __init__(self, root: str, include: Sequence[str], exclude: Sequence[str], allowed: Roots) -> None:
        self._root = root
        self._allowed = allowed
        self._include = [pattern.lower() for pattern in include]
        self._rules = IgnoreRules().with_patterns("", exclude)
        self._real = os.path.realpath(root)
        self._linked: set[str] = set()

    def files(self) -> Iterator[str]:
        """The files below the root, in the order of their paths."""
        under_way = [self._begun("", self._rules)]
        while under_way:
            folder = under_way[-1]
            entry = next(folder.entries, None)
            if entry is None:
                under_way.pop()
                continue
            path = f"{folder.path}/{entry.name}" if folder.path else entry.name
            if os.path.isdir(entry.path):
                if self._is_entered(entry) and not folder.rules.ignores(path, is_folder=True):
                    under_way.append(self._begun(path, folder.rules))
            elif self._is_included(path) and not folder.rules.ignores(path):
                yield os.path.join(self._root, *path.split("/"))

    def _begun(self, folder: str, outer: IgnoreRules) -> _Folder:
        """A folder that the walk enters; one that cannot be listed is noted, and has no entries."""
        here = os.path.join(self._root, folder) if folder else self._root
        rules = self._with_file(folder, Path(here, IGNORE_FILE), outer)
        try:
            with os.scandir(here) as entries:
                return _Folder(folder, rules, iter(sorted(entries, key=lambda entry: entry.name)))
        except OSError:
            if not folder:
                raise
            self._allowed.unreadable.append(here)
            return _Folder(folder, rules, iter(()))

    def _with_file(self, folder: str, file: Path, outer: IgnoreRules) -> IgnoreRules:
        """Rules and those of an ignore file, if there is one that may be read; another one is noted."""
        if not file.is_file() or self._allowed.passes_over(str(file)):
            return outer
        try:
            return outer.with_file(folder, file)
        except OSError:
            self._allowed.unreadable.append(str(file))
            return outer

    def _is_entered(self, entry: os.DirEntry[str]) -> bool:
        if entry.name.startswith(".") or entry.name in SKIPPED_FOLDERS:
            return False
        if not entry.is_symlink():
            return True
        real = os.path.realpath(entry.path)
        if real in self._linked or is_within(real, self._real):
            return False
        self._linked.add(real)
        return not is_within(self._real, real) and not self._allowed.passes_over(entry.path)

    def _is_included(self, path: str) -> bool:
        lowered = path.lower()
        name = lowered.rpartition("/")[2]
        return any(fnmatch(lowered if "/" in pattern else name, pattern) for pattern in self._include)
