"""JSON: the complete, column or table level of a script as one document, stable and versioned."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from headwater.model.relation import Process

if TYPE_CHECKING:
    from headwater.lineage.lineage import Lineage, StatementLineage
    from headwater.model.span import Span

VERSION = "1"
LONGEST = 1000
"""Characters of an expression that each of its edges repeats; a longer one is given in full once, under `expressions`."""


def to_json(lineage: Lineage, level: str = "column") -> str:
    """A script's lineage as a JSON document."""
    return json.dumps(document(lineage, level), indent=2, ensure_ascii=False) + "\n"


def document(lineage: Lineage, level: str = "column", **options: Any) -> dict[str, Any]:
    """The document of a script at one level, as plain values."""
    body: dict[str, Any] = {
        "format": "headwater",
        "version": VERSION,
        "level": level,
        "file": lineage.path,
        "sources": lineage.sources,
        "targets": lineage.targets,
    }
    body["statements"] = [_statement(lineage, s) for s in lineage.statements]
    if level == "complete":
        for summary, statement in zip(body["statements"], lineage.statements, strict=True):
            summary.update(_complete(lineage, statement))
    elif level == "table":
        body["edges"] = [
            {"source": e.source, "target": e.target, "process": _process(lineage, e.process)}
            for e in lineage.table_edges(bool(options.get("collapse_temp")))
        ]
    else:
        edges = lineage.column_edges(**options)
        body["edges"] = [
            {
                "source": {"table": e.source.table, "column": e.source.column},
                "target": {"table": e.target.table, "column": e.target.column},
                "type": e.type,
                "subtype": e.subtype,
                "clause": e.clause,
                "masking": e.masking,
                "candidate": e.candidate,
                "as_of": e.as_of or None,
                "condition": e.condition or None,
                "expression": _short(e.expression),
                "span": _span(lineage, e.span),
                "process": _process(lineage, e.process),
            }
            for e in edges
        ]
        long = {(e.target, e.span): e.expression for e in edges if len(e.expression) > LONGEST}
        if long:
            body["expressions"] = [
                {
                    "target": {"table": target.table, "column": target.column},
                    "span": _span(lineage, span),
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
            "span": _span(lineage, d.span),
        }
        for d in lineage.diagnostics
    ]
    return body


def _short(expression: str) -> str:
    return expression if len(expression) <= LONGEST else expression[:LONGEST] + "…"


def _statement(lineage: Lineage, statement: StatementLineage) -> dict[str, Any]:
    conditions = " and ".join(statement.resolution.conditions)
    process = _process(lineage, statement.resolution.process)
    return {"process": process, "dialect": statement.dialect, "condition": conditions or None}


def _process(lineage: Lineage, process: Process) -> dict[str, Any]:
    return {
        "type": process.type,
        "name": process.name,
        "procedure": process.procedure,
        "queryHashId": process.query_hash,
        "span": _span(lineage, process.span),
    }


def _span(lineage: Lineage, span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    start, end = lineage.positions(span)
    return {"start": [start.line, start.column], "end": [end.line, end.column]}


def _complete(lineage: Lineage, statement: StatementLineage) -> dict[str, Any]:
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
                "span": _span(lineage, e.span),
                "spans": [_span(lineage, span) for span in e.spans],
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
                "span": _span(lineage, c.span),
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
                        "span": _span(lineage, s.span),
                    }
                    for s in r.sources
                ],
            }
            for r in model.relations
        ],
    }
