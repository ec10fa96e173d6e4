"""dbt projects of a few files, read as `git clone` gives them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headwater.project.dbt import read_dbt
from headwater.project.objects import Project


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a project; without other settings, it is called shop."""
    for name, content in {"dbt_project.yml": "name: shop\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")


def uncompiled(folder: Path, files: Mapping[str, str], **options: Any) -> Project:
    """A project of these files, for PostgreSQL unless something else is said."""
    write_files(folder, files)
    return read_dbt(folder, **{"dialect": "postgres", "environment": {}, **options})
