"""A project's statement to its resolution: the core's, with entities that are what the project says they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from headwater.budget import Budget, Resolved, resolved
from headwater.lineage.level_limit import within_levels
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import EntityKind, TableName
from headwater.model.resolution import Resolution
from headwater.model.span import Span
from headwater.model.unknown_part import is_asked_for
from headwater.project.statement import ProjectStatement
from headwater.resolve import Session
from headwater.sql.dialect import dialect
from headwater.sql.script import Script

PROJECT = "project"
"""In the place of a dialect: the text is no SQL, but a project's statement; and the kind of script that a project's file is."""

MADE = "in the text that the template makes here"
"""What is said of a place where not the text itself stands, but the expression that makes it."""

ASKS = "the template asks the database, which is not there: run `dbt compile`"
"""The hint for text that depends on what the database would have answered."""


def resolve_statement(
    statement: ProjectStatement,
    session: Session,
    budget: Budget,
    kinds: Mapping[TableName, EntityKind] | None = None,
) -> Iterator[Resolved]:
    """What a statement resolves to: one resolution, as a rule. *kinds* are those of the project's entities, at least its own.

    Places are those of the project's file. What is written nowhere has the place of its object.
    """
    labels = _Labels(statement, kinds if kinds is not None else {statement.entity: statement.kind})
    session = replace(session, default_schema=statement.default_schema)
    spoken = [dialect(statement.dialect)]
    said = list(dict.fromkeys(remark for remark, _ in statement.remarks))
    for each in Script(statement.sql, spoken, postpone=True).statements():
        for made in resolved(each, spoken, session, budget):
            resolution, _ = within_levels(made.resolution, budget.limits)
            session = session.after(resolution)
            yield made._replace(resolution=labels.put_on(resolution, said))
            said = []


class _Labels:
    """What a project says about a statement that was resolved."""

    def __init__(self, statement: ProjectStatement, kinds: Mapping[TableName, EntityKind]) -> None:
        self._spelled = statement.spelled
        self._places = statement.places
        self._kinds = kinds
        self._asks = is_asked_for(statement.sql)

    def put_on(self, resolution: Resolution, said: list[Diagnostic]) -> Resolution:
        """The resolution with the project's kinds, remarks and spelling, and with places in the project's file.

        SQL that stands in no file has no places.
        """
        for row in resolution.entities:
            kind = self._kinds.get(row.table) if row.table is not None else None
            if kind is not None:
                row.kind = kind
                row.type = kind.value
        shown, locate = resolution.expression, resolution.locate

        def expression(place: Any) -> tuple[str, Span | None]:
            text, span = shown(place)
            return self._respelled(text), self._in_file(span)

        whole = self._in_file(resolution.process.span)
        process = resolution.process if whole is None else replace(resolution.process, span=whole)
        return resolution._replace(
            process=process,
            diagnostics=[*said, *map(self._placed, resolution.diagnostics)],
            locate=lambda place: self._in_file(locate(place)),
            expression=expression,
        )

    def _placed(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic with its place in the file; one of a text that is not written there says so."""
        found = None if self._places is None or diagnostic.span is None else self._places.stretch(diagnostic.span)
        if found is None or not found.made:
            return replace(diagnostic, span=found.span if found else None)
        is_asking = self._asks and diagnostic.code is Code.SYNTAX_ERROR and not diagnostic.has_own_hint
        hint = ASKS if is_asking else diagnostic.hint
        return replace(diagnostic, span=found.span, message=f"{diagnostic.message} ({MADE})", hint=hint)

    def _in_file(self, span: Span | None) -> Span | None:
        found = None if self._places is None or span is None else self._places.stretch(span)
        return found.span if found else None

    def _respelled(self, text: str) -> str:
        for sql, shown in self._spelled:
            text = text.replace(sql, shown)
        return text
