"""`Roots`: the files and folders that a user has named. Nothing outside of them is read because something inside points there.

While roots are in force (`reading_below`), files are read through `headwater.files.access`, which asks them. Without roots, a caller
reads the files that it names itself.
"""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

OUTSIDE = "it is outside of the folders that were named; --follow-links reads it"
SPECIAL = "it is a pipe, a device or a socket"


@dataclass(frozen=True, slots=True)
class Roots:
    """Where files may be read from."""

    named: frozenset[str] = frozenset()
    """Paths as they were named: these are read, whatever they are."""
    folders: tuple[str, ...] = ()
    """The folders in which everything may be read, with links resolved."""
    follow_links: bool = False
    passed_over: list[str] = field(default_factory=list, compare=False)
    """What was found and not read, of which no diagnostic tells."""
    unreadable: list[str] = field(default_factory=list, compare=False)
    """What the system does not let read, of which no diagnostic tells."""

    @classmethod
    def of(cls, paths: Iterable[str], follow_links: bool = False) -> Roots:
        """The roots that arguments name: folders, the folders of files, and the folders in which patterns begin."""
        named = tuple(paths)
        folders = dict.fromkeys(os.path.realpath(_folder(path)) for path in named)
        return cls(frozenset(map(os.path.abspath, named)), tuple(folders), follow_links)

    def also(self, path: str) -> Roots:
        """These roots and one more."""
        more = Roots.of([path])
        return replace(self, named=self.named | more.named, folders=(*self.folders, *more.folders))

    def refusal(self, path: str) -> str:
        """Why a path is not read; empty if it may be."""
        if os.path.abspath(path) in self.named:
            return ""
        if _is_special(path):
            return SPECIAL
        return "" if self.follow_links or self.has(path) else OUTSIDE

    def passes_over(self, path: str) -> bool:
        """Whether a path is not read; it is noted then."""
        is_refused = bool(self.refusal(path))
        if is_refused and path not in self.passed_over:
            self.passed_over.append(path)
        return is_refused

    def has(self, path: str) -> bool:
        """Whether a path, with links resolved, is in one of the folders."""
        real = os.path.realpath(path)
        return any(is_within(real, folder) for folder in self.folders)


_IN_FORCE: ContextVar[Roots | None] = ContextVar("headwater_roots", default=None)


def roots_in_force() -> Roots | None:
    """The roots that decide about files now; None if there are none."""
    return _IN_FORCE.get()


@contextmanager
def reading_below(roots: Roots) -> Iterator[Roots]:
    """Read files only if these roots have them."""
    token = _IN_FORCE.set(roots)
    try:
        yield roots
    finally:
        _IN_FORCE.reset(token)


@contextmanager
def reading_also(path: str) -> Iterator[None]:
    """Read files of one more place, which the user and not a repository has named."""
    roots = roots_in_force()
    token = _IN_FORCE.set(roots.also(path) if roots is not None else None)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder or in it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _folder(path: str) -> str:
    """The folder that a root opens."""
    if os.path.isdir(path):
        return path
    if glob.has_magic(path) and not os.path.lexists(path):
        parts = path.split(os.sep)
        first = next(i for i, part in enumerate(parts) if glob.has_magic(part))
        return os.sep.join(parts[:first]) or (os.sep if path.startswith(os.sep) else os.curdir)
    return os.path.dirname(path) or os.curdir


def _is_special(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
