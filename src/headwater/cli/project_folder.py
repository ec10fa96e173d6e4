"""Folders of projects whose files are no SQL until their tool, or our reader of it, has written out their macros."""

from __future__ import annotations

from pathlib import Path

import click

from headwater.project.read import DATAFORM_FILES, SQLMESH_FILES, project_file


def refuse_project(argument: str) -> None:
    """Say which commands take a folder of Dataform or SQLMesh: as plain scripts its files would be nothing but syntax errors."""
    path = Path(argument)
    file = project_file(path) if path.is_dir() else None
    if file is not None and file.name in (*DATAFORM_FILES, *SQLMESH_FILES):
        tool = "Dataform" if file.name in DATAFORM_FILES else "SQLMesh"
        raise click.ClickException(
            f"{argument} is a project of {tool}: headwater project check {argument} and headwater build {argument} read it"
        )
