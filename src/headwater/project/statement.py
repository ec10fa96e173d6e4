"""One statement of a project: an object, or a part of one, as SQL."""

from __future__ import annotations

from typing import NamedTuple

from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import EntityKind, TableName
from headwater.model.span import Span
from headwater.project.objects import Place
from headwater.source.template_map import TemplateMap


class ProjectStatement(NamedTuple):
    """An object, or a part of one, as SQL."""

    entity: TableName
    """What it makes."""
    kind: EntityKind
    sql: str
    dialect: str
    default_schema: TableName | None
    place: Place
    reads: tuple[TableName, ...] | None = None
    """What it reads, where that is known without looking into its SQL."""
    spelled: tuple[tuple[str, str], ...] = ()
    """Stretches of the SQL, and what the project has in their place: what people see is the project's own text."""
    remarks: tuple[tuple[Diagnostic, Place], ...] = ()
    """What is wrong with it, beside what its SQL shows."""
    places: TemplateMap | None = None
    """Where its SQL stands in its file, if it is written there."""

    def place_of(self, span: Span | None) -> Place:
        """The place of a stretch of the file; without one, that of the first word of its SQL, or the object's own."""
        if self.places is None:
            return self.place
        whole = self.places.stretch(Span(0, len(self.sql)))
        found = span or (whole.span if whole else None)
        return self.place if found is None else Place(self.place.path, *self.places.position(found.start))
