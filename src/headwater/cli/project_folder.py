"""Folders of projects among the arguments of `analyze`, `check` and `export`: each is read as a whole, as `build` reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from headwater.analysis import Script, catalog_of
from headwater.budget import Budget
from headwater.cli.live_catalog import Answered
from headwater.cli.settings import Settings, given_dialect
from headwater.project.file_lineages import FileLineage, file_lineages
from headwater.project.lineage import project_lineage
from headwater.project.objects import Model, Operation, Project
from headwater.project.read import owns_folder, project_file, read_project
from headwater.project.statements import dialect_of
from headwater.sql.dialect import dialect
from headwater.sql.text import Text


def is_project(argument: str) -> bool:
    """Whether an argument is a folder that is a project's as a whole; a folder with Visivo's file has scripts of its own."""
    path = Path(argument)
    file = project_file(path) if path.is_dir() else None
    return file is not None and owns_folder(file)


def projects_of(arguments: Iterable[str], settings: Settings) -> tuple[Project, ...]:
    """The projects that these folders are."""
    return tuple(read_project(Path(each), dialect=given_dialect(settings)) for each in arguments)


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
    budget = Budget(settings.timeout, int(settings.memory), settings.max_columns, settings.max_relations)
    for project in projects:
        yield from file_lineages(project_lineage(project, catalog, budget))
