"""Lineage as text for people: per statement, per column, where it comes from and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from headwater.cli.cells import visible
from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.lineage.shown_names import ShownNames
from headwater.model.entity import PSEUDO_ROWS, ColumnRef
from headwater.model.kind import Kind
from headwater.model.relation import OUTSIDE, ColumnEdge, Process
from headwater.model.span import Span

_WIDEST_EXPRESSION = 60


class _VisibleNames(ShownNames):
    """Names that do not steer a terminal."""

    def table(self, name: str) -> str:
        """A table's name."""
        return visible(super().table(name))

    def column(self, ref: ColumnRef, statement: StatementLineage | None = None) -> str:
        """A column's name."""
        return visible(super().column(ref, statement))


def place(lineage: Lineage, span: Span | None) -> str:
    """`file:line:column`, as terminals and editors like it."""
    position = lineage.position(span)
    path = visible(lineage.path) if lineage.path else "<stdin>"
    return path if position is None else f"{path}:{position}"


def how(edge: ColumnEdge) -> str:
    """How a source reaches its target, in a few words."""
    words = Kind(edge.type, edge.subtype, edge.clause, edge.masking, edge.candidate, edge.as_of).words
    return f"{words} (if {visible(edge.condition)})" if edge.condition else words


def inside(process: Process) -> str:
    """` in dbo.load`, for a statement of that procedure."""
    return "" if process.procedure == OUTSIDE else f" in {process.procedure}"


def column_lines(lineage: Lineage, edges: Iterable[ColumnEdge]) -> Iterator[str]:
    """The column level, statement by statement."""
    by_process: dict[Process, list[ColumnEdge]] = {}
    for edge in edges:
        by_process.setdefault(edge.process, []).append(edge)
    names = _VisibleNames(lineage)
    for statement in lineage.statements:
        found = by_process.pop(statement.resolution.process, [])
        yield from statement_lines(lineage, names, statement, found)


def statement_lines(
    lineage: Lineage, names: ShownNames, statement: StatementLineage, edges: list[ColumnEdge]
) -> Iterator[str]:
    """One statement: a heading, then each target column with its sources."""
    sourced = {e.target for e in statement.plain_edges}
    by_target: dict[ColumnRef, list[ColumnEdge]] = {ref: [] for ref in statement.outputs if ref not in sourced}
    for edge in edges:
        by_target.setdefault(edge.target, []).append(edge)
    if not by_target:
        return
    process = statement.resolution.process
    written = ", ".join(names.table(target) for target in Lineage([statement], "").targets)
    heading = click.style(f"{process.type} {written}".rstrip() + inside(process), bold=True)
    yield heading + click.style(f"  {place(lineage, process.span)}  {statement.dialect}", dim=True)
    order = {ref: i for i, ref in enumerate(statement.outputs)}
    width = max((len(names.column(e.source)) for e in edges if e.type == "fdd"), default=0)
    for target in sorted(by_target, key=lambda ref: order.get(ref, len(order))):
        sources = by_target[target]
        if target.column == PSEUDO_ROWS:
            yield from _row_set_lines(names, target, sources)
        else:
            yield from _target_lines(lineage, names, statement, target, sources, width)
    yield ""


def _target_lines(
    lineage: Lineage,
    names: ShownNames,
    statement: StatementLineage,
    target: ColumnRef,
    edges: list[ColumnEdge],
    width: int,
) -> Iterator[str]:
    """A column once per expression that makes it; data flow one source a line, influence gathered by clause."""
    name = click.style(names.column(target, statement), fg="cyan")
    if not edges:
        yield f"  {name}  {_reason(statement, target)}"
    for expression, span in dict.fromkeys((e.expression, e.span) for e in edges):
        made = [e for e in edges if (e.expression, e.span) == (expression, span)]
        where = click.style(place(lineage, span), dim=True) if span else ""
        yield f"  {name} = {_short(expression)}  {where}".rstrip() if expression else f"  {name}"
        for edge in made:
            if edge.type == "fdd":
                yield f"    <- {names.column(edge.source):<{width}}  {how(edge)}"
        yield from _influence_lines(names, (e for e in made if e.type == "fdr"))


def _row_set_lines(names: ShownNames, target: ColumnRef, edges: list[ColumnEdge]) -> Iterator[str]:
    deciding = [e for e in edges if e.source.column != PSEUDO_ROWS]
    if deciding:
        yield f"  {click.style('rows', fg='cyan')}{f' of {names.table(target.table)}' if target.table else ''}"
        yield from _influence_lines(names, deciding)


def _influence_lines(names: ShownNames, edges: Iterable[ColumnEdge]) -> Iterator[str]:
    gathered: dict[str, list[str]] = {}
    for edge in edges:
        gathered.setdefault(how(edge), []).append(names.column(edge.source))
    for words, sources in gathered.items():
        yield f"    <~ {words}: {', '.join(dict.fromkeys(sources))}"


def _short(expression: str) -> str:
    text = visible(" ".join(expression.split()))
    return text if len(text) <= _WIDEST_EXPRESSION else text[: _WIDEST_EXPRESSION - 1] + "…"


def _reason(statement: StatementLineage, target: ColumnRef) -> str:
    """Why a column has no source column: it is a constant, or a function makes it."""
    functions = statement.functions_behind(target)
    if functions:
        return f"made by {', '.join(functions)}, from no column"
    literals = statement.constants.get(target)
    return f"constant {', '.join(dict.fromkeys(visible(v[8:-1]) for v in literals))}" if literals else "no source"


def table_lines(lineage: Lineage, collapse_temp: bool = False) -> Iterator[str]:
    """The table level."""
    names = _VisibleNames(lineage)
    for edge in lineage.table_edges(collapse_temp):
        where = place(lineage, edge.process.span)
        process = f"{edge.process.type}{inside(edge.process)}"
        target = names.table(edge.target) if edge.target else "(result)"
        yield f"{target} <- {names.table(edge.source)}  {process}  {click.style(where, dim=True)}"


def complete_lines(lineage: Lineage) -> Iterator[str]:
    """The complete level: every single hop."""
    for statement in lineage.statements:
        model = statement.model
        process = model.process
        yield click.style(process.type + inside(process), bold=True) + click.style(
            f"  {place(lineage, process.span)}", dim=True
        )
        for relation in model.relations:
            arrow = {"fdd": "<-", "fdr": "<~", "join": "=="}[relation.type]
            for source in relation.sources:
                words = (source.subtype or "rows").lower()
                where = click.style(place(lineage, source.span), dim=True) if source.span else ""
                line = f"  {model.name(relation.target)} {arrow} {model.name(source.column)}  {words}  {where}"
                yield line.rstrip()
        yield ""
