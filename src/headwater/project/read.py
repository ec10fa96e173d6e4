"""Which tool a project was written for, and its objects."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from headwater.project.objects import NoProject, Project

VISIVO_FILES = ("project.visivo.yml", "visivo_project.yml")
"""Visivo's project file, and what it was called before."""
DBT_FILE = "dbt_project.yml"
PROJECT_FILES = (*VISIVO_FILES, DBT_FILE)
"""The files that a project's folder is known by."""


def project_file(path: Path) -> Path | None:
    """The file that makes a project of a path: itself, or one in its folder."""
    if path.is_file():
        return path if path.name in PROJECT_FILES else None
    return next((path / name for name in PROJECT_FILES if (path / name).is_file()), None)


def read_project(path: Path, environment: Mapping[str, str] = os.environ) -> Project:
    """The project at a path: a folder, or its file; raises `NoProject`. *environment* has the variables that it asks for."""
    file = project_file(path)
    if file is None:
        raise NoProject(f"there is no project at {path}: neither {VISIVO_FILES[0]} nor {DBT_FILE}")
    if file.name in VISIVO_FILES:
        from headwater.project.visivo import read_visivo

        return read_visivo(file, environment)
    from headwater.project.dbt import read_dbt

    return read_dbt(file.parent, environment=environment)
