"""Stand-ins for macros of dbt and of its packages: our own, in dbt's Jinja, written for lineage.

Each package is a folder of SQL files. A stand-in takes the arguments of the real macro and gives an expression or a query with the same
output columns and the same columns that flow in, in the dialect that `target.type` names. What is of no matter to lineage is left out.
A stand-in calls macros of `dbt` and of packages with the package's name, and asks for nothing but what dbt documents for templates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)")


@cache
def stand_in_macros() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """The files of each package, by name: file name and text, in order of file names."""
    folders = sorted((each for each in files(__name__).iterdir() if each.is_dir()), key=lambda each: each.name)
    packages = {folder.name: _sql_files(folder.name) for folder in folders}
    return MappingProxyType({package: found for package, found in packages.items() if found})


@cache
def stand_in_names() -> Mapping[str, tuple[str, ...]]:
    """The macros of each package that stand-ins exist for, sorted."""
    return MappingProxyType(
        {
            package: tuple(sorted(name for _, text in found for name in _MACRO.findall(text)))
            for package, found in stand_in_macros().items()
        }
    )


def _sql_files(package: str) -> tuple[tuple[str, str], ...]:
    """The SQL files in a package's folder."""
    found = sorted((each for each in files(__name__).joinpath(package).iterdir()), key=lambda each: each.name)
    return tuple((each.name, each.read_text("utf-8")) for each in found if each.name.endswith(".sql"))
