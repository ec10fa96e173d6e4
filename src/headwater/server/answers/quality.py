"""How much of a store is understood, what is not, and which columns carry tags."""

from __future__ import annotations

from typing import Literal

from headwater.graph import Column, Graph, TaggedColumn, UnknownName
from headwater.graph.diagnostics import Remark, Remarks
from headwater.report.chains import longest_chain
from headwater.report.coverage import coverage as covered
from headwater.report.hubs import hubs
from headwater.report.problems import problems
from headwater.report.statements import processes_in_scope, statements
from headwater.report.subject import subject_of
from headwater.server.answers.tables import table_row
from headwater.server.answers.things import column_thing, hop_thing, spot_of
from headwater.server.kept import Kept
from headwater.server.shapes.answers import (
    CoverageAnswer,
    DiagnosticPage,
    SchemaCoverage,
    Slice,
    StoredDiagnostic,
    TagPage,
    TagPathAnswer,
    TagRow,
)

_SCHEMAS = 200
"""Schemas that are listed."""
_TOP = 10
"""Hubs, and the most frequent of the rest."""


def _coverage(graph: Graph) -> CoverageAnswer:
    subject = subject_of(graph, None)
    processes = processes_in_scope(subject)
    found, said, columns = statements(subject, processes, _TOP), problems(subject, processes, _TOP), covered(subject)
    types: dict[str, int] = {}
    for kind in found.kinds:
        types[kind.type] = types.get(kind.type, 0) + kind.places
    codes: dict[str, int] = {}
    for problem in said.codes:
        codes[problem.code] = codes.get(problem.code, 0) + problem.count
    total, lost = columns.total, graph.coverage.losses
    return CoverageAnswer(
        headline=columns.headline,
        statements=lost.statements,
        understood=lost.statements - lost.lost_statements,
        scripts=lost.scripts,
        lost_scripts=lost.lost_scripts,
        columns=total.written,
        explained=total.explained,
        by_schema=[
            SchemaCoverage(
                schema_name=each.schema,
                tables=each.counts.tables,
                columns=each.counts.written,
                explained=each.counts.explained,
            )
            for each in columns.schemas[:_SCHEMAS]
        ],
        statement_types=_slices(types),
        codes=_slices(codes),
        hubs=[table_row(graph, each.table) for each in hubs(subject, _TOP).fan_out],
        longest_chain=longest_chain(subject),
    )


coverage: Kept[Graph, CoverageAnswer] = Kept(_coverage)
"""How much of a graph's store is understood: seconds, in a large one."""


def _slices(counts: dict[str, int]) -> list[Slice]:
    """The most frequent first."""
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return [Slice(name=name, count=count) for name, count in ordered]


def diagnostic_page(found: Remarks) -> DiagnosticPage:
    """Diagnostics."""
    return DiagnosticPage(
        total=found.total, codes=found.codes, severities=found.severities, items=list(map(_diagnostic, found.items))
    )


def _diagnostic(remark: Remark) -> StoredDiagnostic:
    return StoredDiagnostic(
        code=remark.code,
        severity=_severity(remark.severity),
        message=remark.message,
        subject=remark.subject,
        hint=remark.hint,
        place=None,
        spot=spot_of(remark.place),
        statement=str(remark.statement) if remark.statement else None,
    )


def _severity(word: str) -> Literal["error", "warning", "info"]:
    if word == "error":
        return "error"
    return "warning" if word == "warning" else "info"


def tag_page(counts: dict[str, int], found: list[TaggedColumn]) -> TagPage:
    """Columns that carry tags."""
    return TagPage(total=sum(counts.values()), counts=counts, items=list(map(_tag_row, found)))


def _tag_row(found: TaggedColumn) -> TagRow:
    return TagRow(
        tag=found.tag,
        column=column_thing(found.column),
        own=found.own,
        distance=found.distance,
        origin=column_thing(found.origin),
    )


def tag_path(graph: Graph, column: Column, tag: str) -> TagPathAnswer:
    """The way that proves why a column carries a tag."""
    tags = graph.tags()
    carried = tags.of(column.node)
    found = next((each for each in carried if each.tag == tag), None)
    if found is None:
        has = ", ".join(each.tag for each in carried) or "none"
        raise UnknownName(f"{column} does not carry the tag {tag}; it carries {has}")
    return TagPathAnswer(tag=tag, column=column_thing(column), path=list(map(hop_thing, tags.path(found))))
