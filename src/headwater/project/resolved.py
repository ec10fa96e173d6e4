"""A project's statement to its resolution: the core's, with entities that are what the project says they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from headwater.budget import Budget, Resolved, resolved
from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import EntityKind, TableName
from headwater.model.resolution import Resolution
from headwater.model.span import Span
from headwater.project.statement import ProjectStatement
from headwater.resolve import Session
from headwater.sql.dialect import dialect
from headwater.sql.script import Script

PROJECT = "project"
"""In the place of a dialect: the text is no SQL, but a project's statement; and the kind of script that a project's file is."""


def resolve_statement(
    statement: ProjectStatement,
    session: Session,
    budget: Budget,
    kinds: Mapping[TableName, EntityKind] | None = None,
) -> Iterator[Resolved]:
    """What a statement resolves to: one resolution, as a rule. *kinds* are those of the project's entities, at least its own.

    What is wrong has the place of the object: its SQL is written nowhere.
    """
    labels = _Labels(statement, kinds if kinds is not None else {statement.entity: statement.kind})
    session = replace(session, default_schema=statement.default_schema)
    spoken = [dialect(statement.dialect)]
    said = list(dict.fromkeys(remark for remark, _ in statement.remarks))
    for each in Script(statement.sql, spoken, postpone=True).statements():
        for made in resolved(each, spoken, session, budget):
            session = session.after(made.resolution)
            yield made._replace(resolution=labels.put_on(made.resolution, said))
            said = []


class _Labels:
    """What a project says about a statement that was resolved."""

    def __init__(self, statement: ProjectStatement, kinds: Mapping[TableName, EntityKind]) -> None:
        self._spelled = statement.spelled
        self._kinds = kinds

    def put_on(self, resolution: Resolution, said: list[Diagnostic]) -> Resolution:
        """The resolution with the project's kinds, remarks and spelling; without places, which are those of SQL that stands nowhere."""
        for row in resolution.entities:
            kind = self._kinds.get(row.table) if row.table is not None else None
            if kind is not None:
                row.kind = kind
                row.type = kind.value
        shown = resolution.expression
        unplaced = [replace(each, span=None) for each in resolution.diagnostics]
        return resolution._replace(
            diagnostics=[*said, *unplaced],
            locate=_nowhere,
            expression=lambda place: (self._respelled(shown(place)[0]), None),
        )

    def _respelled(self, text: str) -> str:
        for sql, shown in self._spelled:
            text = text.replace(sql, shown)
        return text


def _nowhere(place: Any) -> Span | None:
    return None
