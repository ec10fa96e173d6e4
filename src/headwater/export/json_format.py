"""JSON: the complete, column or table level of a script as one document, stable and versioned."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headwater.lineage.lineage import Lineage, StatementLineage
    from headwater.model.entity import ColumnRef
    from headwater.model.relation import Process
    from headwater.model.span import Span

VERSION = "1"
LONGEST = 1000
"""Characters of an expression that each of its edges repeats; a longer one is given in full once, under `expressions`."""


class _Told:
    """The places, processes and columns of a script as plain values, each made once: thousands of edges name the same ones."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._spans: dict[Span, dict[str, Any]] = {}
        self._processes: dict[tuple[Process, Span], dict[str, Any]] = {}
        self._ends: dict[ColumnRef, dict[str, Any]] = {}

    def span(self, span: Span | None) -> dict[str, Any] | None:
        """Where a stretch of the script begins and ends."""
        if span is None:
            return None
        found = self._spans.get(span)
        if found is None:
            start, end = self._lineage.positions(span)
            found = self._spans[span] = {"start": [start.line, start.column], "end": [end.line, end.column]}
        return found

    def process(self, process: Process) -> dict[str, Any]:
        """A statement."""
        key = (process, process.span)  # two processes of one text are equal
        found = self._processes.get(key)
        if found is None:
            found = self._processes[key] = {
                "type": process.type,
                "name": process.name,
                "procedure": process.procedure,
                "queryHashId": process.query_hash,
                "span": self.span(process.span),
            }
        return found

    def end(self, ref: ColumnRef) -> dict[str, Any]:
        """One end of an edge."""
        found = self._ends.get(ref)
        if found is None:
            found = self._ends[ref] = {"table": ref.table, "column": ref.column}
        return found


def to_json(lineage: Lineage, level: str = "column") -> str:
    """A script's lineage as a JSON document."""
    return json.dumps(document(lineage, level), indent=2, ensure_ascii=False) + "\n"


def document(lineage: Lineage, level: str = "column", **options: Any) -> dict[str, Any]:
    """The document of a script at one level, as plain values, of which the same places and processes are the same objects."""
    told = _Told(lineage)
    body: dict[str, Any] = {
        "format": "headwater",
        "version": VERSION,
        "level": level,
        "file": lineage.path,
        "sources": lineage.sources,
        "targets": lineage.targets,
    }
    body["statements"] = [_statement(told, s) for s in lineage.statements]
    if level == "complete":
        for summary, statement in zip(body["statements"], lineage.statements, strict=True):
            summary.update(_complete(told, statement))
    elif level == "table":
        body["edges"] = [
            {"source": e.source, "target": e.target, "process": told.process(e.process)}
            for e in lineage.table_edges(bool(options.get("collapse_temp")))
        ]
    else:
        edges = lineage.column_edges(**options)
        body["edges"] = [
            {
                "source": told.end(e.source),
                "target": told.end(e.target),
                "type": e.type,
                "subtype": e.subtype,
                "clause": e.clause,
                "masking": e.masking,
                "candidate": e.candidate,
                "as_of": e.as_of or None,
                "condition": e.condition or None,
                "expression": _short(e.expression),
                "span": told.span(e.span),
                "process": told.process(e.process),
            }
            for e in edges
        ]
        long = {(e.target, e.span): e.expression for e in edges if len(e.expression) > LONGEST}
        if long:
            body["expressions"] = [
                {
                    "target": told.end(target),
                    "span": told.span(span),
                    "expression": expression,
                }
                for (target, span), expression in long.items()
            ]
    body["diagnostics"] = [
        {
            "code": d.code.value,
            "severity": d.severity.value,
            "message": d.message,
            "subject": d.subject,
            "hint": d.hint,
            "span": told.span(d.span),
        }
        for d in lineage.diagnostics
    ]
    return body


def _short(expression: str) -> str:
    return expression if len(expression) <= LONGEST else expression[:LONGEST] + "…"


def _statement(told: _Told, statement: StatementLineage) -> dict[str, Any]:
    conditions = " and ".join(statement.resolution.conditions)
    process = told.process(statement.resolution.process)
    return {"process": process, "dialect": statement.dialect, "condition": conditions or None}


def _complete(told: _Told, statement: StatementLineage) -> dict[str, Any]:
    model = statement.model
    used = {r.target for r in model.relations} | {s.column for r in model.relations for s in r.sources}
    owners = {model.columns[c].entity for c in used}
    return {
        "entities": [
            {
                "id": str(e.id),
                "kind": e.kind.value,
                "type": e.type,
                "name": e.name,
                "alias": e.alias,
                "temporary": e.temporary,
                "file_format": e.file_format or None,
                "span": told.span(e.span),
                "spans": [told.span(span) for span in e.spans],
            }
            for e in model.entities
            if e.id in owners
        ],
        "columns": [
            {
                "id": str(c.id),
                "entity": str(c.entity),
                "name": c.name,
                "inferred": c.inferred,
                "span": told.span(c.span),
            }
            for c in model.columns
            if c.id in used
        ],
        "relations": [
            {
                "target": str(r.target),
                "type": r.type,
                "effect": r.effect,
                "expression": _short(r.expression),
                "sources": [
                    {
                        "column": str(s.column),
                        "subtype": s.subtype,
                        "clause": s.clause,
                        "masking": s.masking,
                        "candidate": s.candidate,
                        "as_of": s.as_of or None,
                        "span": told.span(s.span),
                    }
                    for s in r.sources
                ],
            }
            for r in model.relations
        ],
    }
