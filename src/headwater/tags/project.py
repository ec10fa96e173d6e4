"""The tags in a project: of the columns of its models, of its dimensions and metrics, of what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from headwater.project.names import Names
from headwater.project.objects import Field, Place, Presentation, Project
from headwater.project.statements import dialect_of
from headwater.tags.declared import Declared


class Told(NamedTuple):
    """A tag, and where a project's files speak of what has it."""

    declared: Declared
    place: Place


def project_tags(project: Project) -> Iterator[Told]:
    """All tags of a project, by the names that its objects have in the graph."""
    names = Names(project)
    for model in project.models:
        spoken = dialect_of(model.source)
        for column, tags in model.tags.items():
            folded = spoken.spelled_column(column) if column else None
            yield from (Told(Declared(names.table(model), folded, tag), model.place) for tag in tags)
    shown: tuple[Field | Presentation, ...] = (*project.fields, *project.presentations)
    for each in shown:
        yield from (Told(Declared(names.table(each), None, tag), each.place) for tag in each.tags)
