"""Projects in the folders that `analyze`, `check` and `export` are given: each is read as a whole, as `build` reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from headwater.analysis import Script, catalog_of
from headwater.cli.live_catalog import Answered
from headwater.cli.settings import Settings, given_dialect
from headwater.project.file_lineages import FileLineage, file_lineages
from headwater.project.lineage import project_lineage
from headwater.project.objects import Model, Operation, Project
from headwater.project.read import read_project
from headwater.project.statements import dialect_of
from headwater.sql.dialect import dialect
from headwater.sql.text import Text


def projects_of(files: Iterable[str], settings: Settings) -> tuple[Project, ...]:
    """The projects that these files make of their folders."""
    return tuple(read_project(Path(each), dialect=given_dialect(settings)) for each in files)


def as_scripts(projects: Iterable[Project]) -> Iterator[Script]:
    """The SQL of projects, for what only looks for names in it."""
    for project in projects:
        queries: tuple[Model | Operation, ...] = (*project.models, *project.operations)
        for each in queries:
            yield Script(Path(each.place.path), Text(each.sql, "utf-8"), dialect=dialect_of(each.source).name)


def lineages_of(projects: Iterable[Project], told: Answered) -> Iterator[FileLineage]:
    """The lineage of projects, file by file."""
    settings = told.settings
    catalog = catalog_of(told.schemas(settings.schema), dialect("ansi"))
    for project in projects:
        yield from file_lineages(project_lineage(project, catalog, settings.budget))
