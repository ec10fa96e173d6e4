"""Runs a literate case: analyses its SQL and renders what its expectation blocks compare with."""

from __future__ import annotations

import headwater
from case_file import Block, Case
from headwater.lineage.complete import CompleteModel
from headwater.model.entity import PSEUDO_ROWS
from headwater.model.relation import ColumnEdge

_DEFAULT_CLAUSES = {
    "FILTER": "where",
    "GROUP_BY": "groupBy",
    "JOIN": "joinCondition",
    "SORT": "orderBy",
    "WINDOW": "window",
}


def analyse(case: Case) -> headwater.Lineage:
    """The lineage of a case's script."""
    attributes = case.blocks["sql"].attributes
    return headwater.analyze(
        case.sql,
        dialect=attributes["dialect"],
        schema=case.schema,
        default_schema=attributes.get("default_schema"),
    )


def how(type_: str, subtype: str | None, clause: str, masking: bool, candidate: bool, as_of: str = "") -> str:
    """The word for a kind, as the cases' README explains it."""
    word = "foreign_key" if clause == "foreignKey" else "rows" if subtype is None else subtype.lower()
    default = _DEFAULT_CLAUSES.get(subtype or "")
    if type_ == "fdr" and default is not None and clause != default:
        word += f":{clause}"
    word += f" as_of:{as_of}" if as_of else ""
    return word + " masked" * masking + " candidate" * candidate


def edge_line(edge: ColumnEdge) -> str:
    """An edge as a case writes it."""
    arrow = "<-" if edge.type == "fdd" else "<~"
    words = how(edge.type, edge.subtype, edge.clause, edge.masking, edge.candidate, edge.as_of)
    return f"{edge.target} {arrow} {edge.source} {words}"


def lineage_lines(lineage: headwater.Lineage, block: Block) -> list[str]:
    """The column-level edges that a `lineage` block lists."""
    options = block.attributes
    edges = lineage.column_edges(
        literals="literals" in options, collapse_temp="collapse_temp" in options, end_to_end="end_to_end" in options
    )
    if options.get("rows") != "all":
        edges = [e for e in edges if not (e.source.column == PSEUDO_ROWS and e.target.column == PSEUDO_ROWS)]
    return sorted({edge_line(e) for e in edges})


def table_lines(lineage: headwater.Lineage, block: Block) -> list[str]:
    """The table-level edges that a `table` block lists."""
    edges = lineage.table_edges(collapse_temp="collapse_temp" in block.attributes)
    return sorted(
        {f"{e.target} <- {e.source} {e.process.type}" if e.target else f"<- {e.source} {e.process.type}" for e in edges}
    )


def complete_lines(lineage: headwater.Lineage) -> set[str]:
    """All single-hop relations, as a `complete` block writes them."""
    return {line for s in lineage.statements for line in _complete_lines(s.model)}


def _complete_lines(model: CompleteModel) -> set[str]:
    lines = set()
    for relation in model.relations:
        arrow = {"fdd": "<-", "fdr": "<~", "join": "=="}[relation.type]
        for source in relation.sources:
            rows = model.columns[source.column].is_row_set and model.columns[relation.target].is_row_set
            words = (
                "rows" if rows else how(relation.type, source.subtype, source.clause, source.masking, source.candidate)
            )
            lines.add(f"{model.name(relation.target)} {arrow} {model.name(source.column)} {words}")
    return lines


def output_lines(lineage: headwater.Lineage) -> list[str]:
    """Names of the last statement's outputs."""
    return [ref.column for ref in lineage.statements[-1].outputs]


def diagnostic_lines(lineage: headwater.Lineage, expected: list[str]) -> list[str]:
    """Codes and subjects; the subject is shown only where the expectation has one for that code."""
    with_subject = {line.split()[0] for line in expected if " " in line}
    return sorted(
        f"{d.code} {d.subject}".strip() if d.code in with_subject else str(d.code.value) for d in lineage.diagnostics
    )


def failures(case: Case, lineage: headwater.Lineage) -> list[str]:
    """How a case's lineage differs from its expectation; empty if it does not."""
    problems: list[str] = []
    for kind, block in case.blocks.items():
        if kind == "lineage":
            problems += _difference(kind, sorted(set(block.lines)), lineage_lines(lineage, block))
        elif kind == "table":
            problems += _difference(kind, sorted(set(block.lines)), table_lines(lineage, block))
        elif kind == "outputs":
            if block.lines != output_lines(lineage):
                problems.append(f"outputs: expected {block.lines}, got {output_lines(lineage)}")
        elif kind == "complete":
            missing = [line for line in block.lines if line not in complete_lines(lineage)]
            problems += [f"complete - {line}" for line in missing]
    expected = case.blocks["diagnostics"].lines if "diagnostics" in case.blocks else []
    problems += _difference("diagnostics", sorted(expected), diagnostic_lines(lineage, expected))
    return problems


def _difference(kind: str, expected: list[str], actual: list[str]) -> list[str]:
    missing = [f"{kind} - {line}" for line in expected if line not in actual]
    extra = [f"{kind} + {line}" for line in actual if line not in expected]
    if not missing and not extra and len(expected) != len(actual):
        return [f"{kind}: expected {expected}, got {actual}"]
    return missing + extra
