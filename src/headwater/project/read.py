"""Which tool a project was written for, and its objects."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from headwater.files import Roots, reading_below, roots_in_force
from headwater.project.given_dialect import GivenDialect
from headwater.project.objects import NoProject, Project
from headwater.project.shapes import is_dataform, is_sqlmesh

VISIVO_FILES = ("project.visivo.yml", "visivo_project.yml")
"""Visivo's project file, and what it was called before."""
DBT_FILE = "dbt_project.yml"
DATAFORM_FILES = ("workflow_settings.yaml", "dataform.json")
"""Dataform's settings, and what they were called before; a project has a folder `definitions` beside them."""
SQLMESH_FILES = ("config.yaml", "config.yml", "config.py")
"""SQLMesh's settings; many tools have files of such names, so the models beside them count."""
PROJECT_FILES = (*VISIVO_FILES, DBT_FILE, *DATAFORM_FILES, *SQLMESH_FILES)
"""The files that a project's folder may be known by; `project_file` says whether one is."""
_SHAPES: Mapping[str, Callable[[Path], bool]] = {
    **dict.fromkeys(DATAFORM_FILES, is_dataform),
    **dict.fromkeys(SQLMESH_FILES, is_sqlmesh),
}


def project_file(path: Path) -> Path | None:
    """The file that makes a project of a path: itself, or one in its folder."""
    if not path.is_dir():
        return path if path.name in PROJECT_FILES and _is_project(path) else None
    return next((file for name in PROJECT_FILES if _is_project(file := path / name)), None)


def _is_project(file: Path) -> bool:
    """Whether a file of such a name makes a project of its folder, by what lies beside it."""
    has_shape = _SHAPES.get(file.name)
    return file.is_file() and (has_shape is None or has_shape(file.parent))


def owns_folder(file: str | os.PathLike[str]) -> bool:
    """Whether everything below a project's file is the project's: then no file there is a script of its own."""
    return os.path.basename(file) not in VISIVO_FILES


class Sorted(NamedTuple):
    """Files, sorted by whether they are a project's."""

    projects: list[str]
    """The files that make projects of their folders."""
    others: list[str]
    """What no project has for itself."""


def sort_projects(files: Sequence[str]) -> Sorted:
    """The projects among files, and the files that are read one by one."""
    named = [path for path in files if os.path.basename(path) in PROJECT_FILES]
    projects = [path for path in named if project_file(Path(path)) is not None]
    settings = {path for path in named if not path.endswith(".py")}.union(projects)
    owned = tuple(os.path.join(os.path.dirname(path), "") for path in projects if owns_folder(path))
    return Sorted(projects, [path for path in files if path not in settings and not path.startswith(owned)])


def _projects_below(path: Path) -> str:
    """Names the folders of a folder that are projects, as the end of a sentence; empty if there are none."""
    folders = sorted(path.iterdir()) if path.is_dir() else []
    below = [str(each) for each in folders if each.is_dir() and project_file(each) is not None]
    return f"; there is one at {' and at '.join(below)}" if below else ""


def read_project(
    path: Path,
    environment: Mapping[str, str] = os.environ,
    *,
    dialect: str | GivenDialect | None = None,
    variables: Mapping[str, object] | None = None,
) -> Project:
    """The project at a path: a folder, or its file; raises `NoProject`. *environment* has the variables that it asks for.

    Links that lead out of the folder, or out of the roots in force, are not read.
    Of a dbt project that is not compiled, *dialect* is what it is written in, and *variables* are what `var` gives.
    """
    roots = roots_in_force() or Roots.of([str(path)])
    with reading_below(roots.also(target) if (target := environment.get("DBT_TARGET_PATH")) else roots):
        return _read(path, environment, dialect, variables)


def _read(
    path: Path,
    environment: Mapping[str, str],
    dialect: str | GivenDialect | None,
    variables: Mapping[str, object] | None,
) -> Project:
    file = project_file(path)
    if file is None:
        looked_for = f"{VISIVO_FILES[0]}, {DBT_FILE}, {DATAFORM_FILES[0]}, {SQLMESH_FILES[0]}"
        raise NoProject(f"there is no project at {path}: none of {looked_for}{_projects_below(path)}")
    if file.name in VISIVO_FILES:
        from headwater.project.visivo import read_visivo

        return read_visivo(file, environment)
    if file.name in DATAFORM_FILES:
        from headwater.project.dataform import read_dataform

        return read_dataform(file)
    if file.name in SQLMESH_FILES:
        from headwater.project.sqlmesh import read_sqlmesh

        return read_sqlmesh(file, environment)
    from headwater.project.dbt import read_dbt

    return read_dbt(file.parent, environment=environment, dialect=dialect, variables=variables)
