"""A project's statement to its resolution: the core's, with entities that are what the project says they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from headwater.budget import Budget, Resolved, resolved
from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import EntityKind, TableName
from headwater.model.resolution import Resolution
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
    kinds = kinds if kinds is not None else {statement.entity: statement.kind}
    session = replace(session, default_schema=statement.default_schema)
    spoken = [dialect(statement.dialect)]
    said = [remark for remark, _ in statement.remarks]
    for each in Script(statement.sql, spoken, postpone=True).statements():
        for made in resolved(each, spoken, session, budget):
            session = session.after(made.resolution)
            yield made._replace(resolution=_labelled(made.resolution, kinds, said))
            said = []


def _labelled(resolution: Resolution, kinds: Mapping[TableName, EntityKind], said: list[Diagnostic]) -> Resolution:
    for row in resolution.entities:
        kind = kinds.get(row.table) if row.table is not None else None
        if kind is not None:
            row.kind = kind
            row.type = kind.value
    unplaced = [replace(each, span=None) for each in resolution.diagnostics]
    return resolution._replace(diagnostics=[*said, *unplaced])
