"""Answers as text, for assistants that read no structured content: a line for each thing, and what was left out.

Names are shown so that nothing in them steers a terminal or turns a line around; long ones are cut. In the structured answer they are as
they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch

from headwater.mcp.shapes import (
    AnalyzeAnswer,
    ColumnDescription,
    ColumnShape,
    DiagnosticsAnswer,
    DiffAnswer,
    HopShape,
    ImpactAnswer,
    PathAnswer,
    PlaceShape,
    ScriptAnswer,
    SearchAnswer,
    Shape,
    TableDescription,
    TableShape,
    TagsAnswer,
    TraceAnswer,
)
from headwater.model.visible import visible

_LONGEST = 300
"""Characters of a name or an expression that are shown."""


def text_of(answer: Shape) -> str:
    """An answer as text."""
    return "\n".join(lines(answer))


@singledispatch
def lines(answer: Shape) -> Iterator[str]:
    """The lines of an answer."""
    raise TypeError(f"{type(answer).__name__} has no words")


@lines.register
def _search(answer: SearchAnswer) -> Iterator[str]:
    yield from map(_table, answer.tables)
    yield from map(_column, answer.columns)
    shown = len(answer.tables) + len(answer.columns)
    yield _count(shown, answer.total, "tables and columns") if answer.total else "nothing has a name like that"


@lines.register
def _table_description(answer: TableDescription) -> Iterator[str]:
    yield _table(answer.table)
    yield from _part("columns", answer.total_columns, [_column(each) for each in answer.columns])
    yield from _part("made of", answer.total_made_of, [_table(each) for each in answer.made_of])
    yield from _part("used by", answer.total_used_by, [_table(each) for each in answer.used_by])


@lines.register
def _column_description(answer: ColumnDescription) -> Iterator[str]:
    yield f"{_column(answer.column)}, in a {answer.column.kind}"
    yield from _part("made by", answer.total_made_by, [_hop(each) for each in answer.made_by])
    yield from _part("used by", answer.total_used_by, [_hop(each) for each in answer.used_by])


@lines.register
def _trace(answer: TraceAnswer) -> Iterator[str]:
    what = {"column": "columns", "table": "tables"}[answer.level]
    yield f"{answer.direction} of {_shown(answer.start)}, following {answer.flow}:"
    if not answer.total:
        yield "nothing makes it in this store" if answer.direction == "upstream" else "nothing reads it in this store"
        return
    yield from (f"  {each.distance}  {_shown(each.name)}  {each.kind}" for each in answer.items)
    yield _count(len(answer.items), answer.total, what)
    yield from _part("steps", answer.total_hops, [_hop(each) for each in answer.hops])


@lines.register
def _path(answer: PathAnswer) -> Iterator[str]:
    if not answer.ways:
        yield f"no way leads from {_shown(answer.source)} to {_shown(answer.target)}"
        return
    for number, way in enumerate(answer.ways, 1):
        yield f"way {number}: " + " -> ".join(map(_shown, way.columns))
        yield from (f"  {_hop(hop)}" for hop in way.hops)
    yield f"{len(answer.ways)} ways over {answer.columns} columns" + ("" if answer.complete else ", and there are more")


@lines.register
def _impact(answer: ImpactAnswer) -> Iterator[str]:
    counts = ", ".join(f"{count} {verdict}" for verdict, count in answer.verdicts.items())
    unused = (
        "no statement that was understood uses it" if answer.total_not_understood else "nothing uses it in this store"
    )
    yield f"{answer.change} {_shown(answer.column)}: {counts if answer.total else unused}"
    if answer.total_not_understood:
        yield f"{answer.total_not_understood} statements name its table or one that is hit, were not understood, and may use it:"
        yield from (f"  {_shown(each)}" for each in answer.not_understood)
    for hit in answer.hits:
        yield f"  {hit.verdict}  {_shown(hit.name)} ({hit.kind})  {_shown(hit.reason)}{_at(hit.hop.place)}"
    if answer.total:
        yield _count(len(answer.hits), answer.total, "columns")


@lines.register
def _diff(answer: DiffAnswer) -> Iterator[str]:
    yield f"from {answer.before} to {answer.after}:"
    for each in answer.differences:
        mark = "breaking: " if each.breaking else ""
        yield f"  {each.how} {each.what} {_shown(each.name)}  {mark}{_shown(each.reason)}"
    yield _count(len(answer.differences), answer.total, "changes") if answer.total else "nothing changed"


@lines.register
def _tags(answer: TagsAnswer) -> Iterator[str]:
    for each in answer.columns:
        why = "said of it" if each.own else f"flows from {_shown(each.origin)}"
        yield f"{_shown(each.name)}  {_shown(each.tag)}  {why}"
    more = "" if answer.complete else ", and there are more"
    yield f"{len(answer.columns)} columns{more}; tags: {', '.join(map(_shown, answer.tags)) or 'none'}"


@lines.register
def _diagnostics(answer: DiagnosticsAnswer) -> Iterator[str]:
    for each in answer.problems:
        yield f"{each.severity}[{each.code}] {each.count} times in {each.scripts} scripts: {each.meaning}"
        for cause in each.causes:
            places = ", ".join(f"{_shown(place.path)}:{place.line}" for place in cause.places)
            yield f"  {cause.count}  {_shown(cause.message)}  at {places}"
    yield answer.coverage if answer.problems else f"no diagnostics; {answer.coverage}"


@lines.register
def _script(answer: ScriptAnswer) -> Iterator[str]:
    last = answer.first_line + answer.text.count("\n")
    yield f"{_shown(answer.path)} ({answer.dialect}), lines {answer.first_line} to {last} of {answer.total_lines}:"
    yield answer.text


@lines.register
def _analysis(answer: AnalyzeAnswer) -> Iterator[str]:
    reads, writes = _listed(answer.sources, answer.total_sources), _listed(answer.targets, answer.total_targets)
    yield f"{answer.statements} statements ({answer.dialect}); reads {reads}; writes {writes}"
    for each in answer.relations:
        made = f" = {_shown(each.expression)}" if each.expression else ""
        place = f" line {each.line}" if each.line else ""
        yield f"  {_shown(each.target)} <- {_shown(each.source)}  {each.how}{made}{place}"
    yield _count(len(answer.relations), answer.total, "relations")
    for said in answer.diagnostics:
        hint = f" ({_shown(said.hint)})" if said.hint else ""
        yield f"  line {said.line or '?'}: {said.severity}[{said.code}] {_shown(said.message)}{hint}"
    if answer.total_diagnostics:
        yield _count(len(answer.diagnostics), answer.total_diagnostics, "diagnostics")


def _part(name: str, total: int, shown: Sequence[str]) -> Iterator[str]:
    yield f"{name} ({_count(len(shown), total, 'in all')}):"
    yield from (f"  {each}" for each in shown)


def _count(shown: int, total: int, what: str) -> str:
    return f"{total} {what}" if shown >= total else f"{shown} of {total} {what}"


def _listed(names: Sequence[str], total: int) -> str:
    more = [f"{total - len(names)} more"] if total > len(names) else []
    return ", ".join([*map(_shown, names), *more]) or "nothing"


def _table(table: TableShape) -> str:
    return f"{_shown(table.name)}  {table.kind}{' (temporary)' * table.temporary}"


def _column(column: ColumnShape) -> str:
    return f"{_shown(column.name)}  {_shown(column.data_type or '')}".rstrip()


def _hop(hop: HopShape) -> str:
    made = f" = {_shown(hop.expression)}" if hop.expression else ""
    return f"{_shown(hop.target)} <- {_shown(hop.source)}  {hop.how}{made}{_at(hop.place)}"


def _at(place: PlaceShape | None) -> str:
    return f"  at {_shown(place.path)}:{place.line}" if place else ""


def _shown(text: str) -> str:
    text = visible(text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
