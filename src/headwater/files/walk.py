"""`files_in`: the files below a folder, however deep, in one order everywhere. Links to folders are not followed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from headwater.files.roots import Roots, roots_in_force


def files_in(folder: str | os.PathLike[str], is_entered: Callable[[str], bool] = lambda path: True) -> Iterator[str]:
    """The paths of files from a folder on, with slashes, in order; *is_entered* decides about each folder below.

    A folder that is not there, or that may not be listed, has none.
    """
    under_way = [_listed(os.fspath(folder), "")]
    while under_way:
        path, entry = next(under_way[-1], (None, None))
        if path is None or entry is None:
            under_way.pop()
        elif entry.is_dir(follow_symlinks=False):
            if is_entered(path):
                under_way.append(_listed(entry.path, f"{path}/"))
        elif not entry.is_dir():
            yield path


def leads_out(path: str | os.PathLike[str], root: str | os.PathLike[str]) -> bool:
    """Whether a path that a file of a project names is outside of the named folders; without any, outside of the project's *root*."""
    roots = roots_in_force() or Roots.of([os.fspath(root)])
    return bool(roots.refusal(os.fspath(path)))


def _listed(folder: str, before: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """What is in a folder, with its paths."""
    try:
        with os.scandir(folder) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in ordered:
        yield f"{before}{entry.name}", entry
