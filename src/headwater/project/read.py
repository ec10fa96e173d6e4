"""Which tool a project was written for, and its objects."""

from __future__ import annotations

from pathlib import Path

from headwater.project.objects import Project

VISIVO_FILE = "project.visivo.yml"
DBT_FILE = "dbt_project.yml"
PROJECT_FILES = (VISIVO_FILE, DBT_FILE)
"""The files that a project's folder is known by."""


class NoProject(ValueError):
    """A path at which there is no project; the message says what was looked for."""


def project_file(path: Path) -> Path | None:
    """The file that makes a project of a path: itself, or one in its folder."""
    if path.is_file():
        return path if path.name in PROJECT_FILES else None
    return next((path / name for name in PROJECT_FILES if (path / name).is_file()), None)


def read_project(path: Path) -> Project:
    """The project at a path: a folder, or its file; raises `NoProject`."""
    file = project_file(path)
    if file is None:
        raise NoProject(f"there is no project at {path}: neither {' nor '.join(PROJECT_FILES)}")
    if file.name == VISIVO_FILE:
        from headwater.project.visivo import read_visivo

        return read_visivo(file)
    from headwater.project.dbt import read_dbt

    return read_dbt(file.parent)
