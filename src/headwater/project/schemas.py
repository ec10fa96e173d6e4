"""In which schemas a project's tables are: as its files say, as somebody says, or as the database does that was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headwater.model.entity import TableName
from headwater.project.objects import Project
from headwater.sql.dialect import dialect


def with_schemas(project: Project, told: Mapping[str, str]) -> Project:
    """A project whose sources have the schemas that somebody says: `{"warehouse": "analytics.public"}`."""
    spoken = {source.name: dialect(source.dialect) for source in project.sources if source.name in told}
    return project.in_schemas(
        {name: tuple(spoken[name].spelled_table(part) for part in told[name].split(".")) for name in spoken}
    )


def as_in_database(project: Project, speaks: str, path: Sequence[TableName]) -> Project:
    """A project whose one source of a database's dialect has that database's default schema; with several, nobody knows which is meant."""
    sources = project.sources_without_schema(speaks)
    return project.in_schemas({sources[0]: path[0]}) if len(sources) == 1 and path else project
