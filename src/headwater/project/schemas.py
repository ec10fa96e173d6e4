"""In which schemas a project's tables are: as its files say, as somebody says, or as the database does that was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from headwater.model.entity import TableName
from headwater.model.suggestion import did_you_mean
from headwater.project.objects import NoProject, Project
from headwater.sql.dialect import dialect


class NoSource(NoProject):
    """A source that no project has."""


def with_schemas(projects: Iterable[Project], told: Mapping[str, str]) -> tuple[Project, ...]:
    """Projects whose sources have the schemas that somebody says: `{"warehouse": "analytics.public"}`; raises `NoSource`."""
    found = tuple(projects)
    known = [source.name for project in found for source in project.sources]
    for name in told:
        if name not in known:
            hint = did_you_mean(name, known)
            raise NoSource(f"--source-schema: there is no source {name}{f'; {hint}' if hint else ''}")
    return tuple(_with_schemas(project, told) for project in found)


def _with_schemas(project: Project, told: Mapping[str, str]) -> Project:
    spoken = {source.name: dialect(source.dialect) for source in project.sources if source.name in told}
    return project.in_schemas(
        {name: tuple(spoken[name].spelled_table(part) for part in told[name].split(".")) for name in spoken}
    )


def as_in_database(project: Project, speaks: str, path: Sequence[TableName]) -> Project:
    """A project whose one source of a database's dialect has that database's default schema; with several, nobody knows which is meant."""
    sources = project.sources_without_schema(speaks)
    return project.in_schemas({sources[0]: path[0]}) if len(sources) == 1 and path else project
