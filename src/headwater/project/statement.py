"""One statement of a project: an object, or a part of one, as SQL."""

from __future__ import annotations

from typing import NamedTuple

from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import EntityKind, TableName
from headwater.project.objects import Place


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
