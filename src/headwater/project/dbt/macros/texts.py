"""`MacroText`: a macro as it is written in a file; and the macros of installed Python packages of dbt."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from headwater.files import files_in
from headwater.files.roots import reading_also
from headwater.project.dbt.context.adapter import with_parents
from headwater.project.dbt.package import Package
from headwater.sql.text import read_text

_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)\s*\(.*?\{%-?\s*endmacro\s*-?%\}", re.DOTALL)
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)


class MacroText(NamedTuple):
    """A macro as it is written."""

    package: str
    name: str
    text: str
    """The macro with as many empty lines in front as stand before it in its file."""
    path: str


def macros_in(text: str, package: str, path: str) -> Iterator[MacroText]:
    """The macros that a file defines."""
    plain = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in _MACRO.finditer(plain):
        yield MacroText(package, found[1], "\n" * plain.count("\n", 0, found.start()) + found[0], path)


def macros_below(folders: Iterable[Path], package: str, root: Path) -> Iterator[MacroText]:
    """The macros in the files below some folders."""
    for folder in folders:
        for path in (folder / below for below in files_in(folder) if below.endswith(".sql")):
            try:
                text = read_text(path).text
            except OSError:
                continue
            yield from macros_in(text, package, path.relative_to(root).as_posix())


def package_macros(package: Package) -> Iterator[MacroText]:
    """The macros of a project or package."""
    return macros_below((package.root / path for path in package.paths("macro-paths")), package.name, package.root)


def installed_macros(adapter: str) -> Iterator[MacroText]:
    """The macros that dbt's own Python packages bring: the adapter's, those of the adapter that it stands on, dbt's."""
    adapters = ((name, f"dbt_{name}") for name in with_parents(adapter))
    for name, package in (*adapters, ("global_project", "dbt")):
        folder = _included(name)
        if folder is not None:
            with reading_also(str(folder)):
                found = list(macros_below([folder / "macros"], package, folder))
            yield from found


def _included(name: str) -> Path | None:
    """The folder `dbt/include/<name>` of an installed package."""
    try:
        spec = importlib.util.find_spec("dbt.include")
    except (ImportError, ValueError):
        return None
    places = spec.submodule_search_locations if spec is not None else None
    return next((Path(place) / name for place in places or () if (Path(place) / name / "macros").is_dir()), None)
