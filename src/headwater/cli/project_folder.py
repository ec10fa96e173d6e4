"""Folders of projects whose files are no SQL until their tool, or our reader of it, has written out their macros."""

from __future__ import annotations

from pathlib import Path

import click

from headwater.project.read import DATAFORM_FILES, DBT_FILE, SQLMESH_FILES, project_file


def refuse_project(argument: str) -> None:
    """Say which commands take a folder of Dataform or SQLMesh: as plain scripts its files would be nothing but syntax errors.

    Those of dbt can be read so, but without its macros.
    """
    path = Path(argument)
    file = project_file(path) if path.is_dir() else None
    if file is not None and file.name in (*DATAFORM_FILES, *SQLMESH_FILES):
        tool = "Dataform" if file.name in DATAFORM_FILES else "SQLMesh"
        raise click.ClickException(
            f"{argument} is a project of {tool}: headwater project check {argument} and headwater build {argument} read it"
        )
    if file is not None and file.name == DBT_FILE:
        commands = f"headwater project check {argument} and headwater build {argument}"
        click.echo(
            f"{argument} is a project of dbt: its templates are read one by one here; {commands} read it as a whole",
            err=True,
        )
