"""A trace as a tree: below each column what it comes from, or goes to; how, by which expression, where.

A column that several ways lead to is spelled out once; where it comes again, it says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from headwater.cli.cells import head, visible
from headwater.cli.tabular import one_line
from headwater.model.relation import OUTSIDE

if TYPE_CHECKING:
    from headwater.graph import Column, Hop, Process, Table, Trace
    from headwater.graph.trace import TableHop

_WIDEST_EXPRESSION = 60
Branches = dict[int, list[tuple[int, str, str]]]
"""Below each thing, by its id: another one's id, its name, and what is said about the way to it."""


def tree_lines(trace: Trace) -> Iterator[str]:
    """The lines of a trace: of its columns, or of its tables."""
    if trace.level == "table":
        tables = {column.table.id: column.table for column in trace.start}
        yield from _tree([(id, str(table)) for id, table in tables.items()], _table_branches(trace))
        return
    branches = _column_branches(trace)
    starts = [(column.id, column_name(column)) for column in trace.start]
    yield from _tree([start for start in starts if start[0] in branches] or starts[:1], branches)


def column_name(column: Column) -> str:
    """A column as it is shown; a row set as the rows of its table."""
    return visible(f"rows of {column.table}" if column.row_set else str(column))


def _column_branches(trace: Trace) -> Branches:
    upward = trace.direction.value == "upstream"
    branches: Branches = defaultdict(list)
    for hop in trace.hops:
        own, other = (hop.target, hop.source) if upward else (hop.source, hop.target)
        branches[own.id].append((other.id, column_name(other), hop_words(hop)))
    return branches


def process_words(process: Process) -> str:
    """What a statement does, and in which procedure: `Insert in dbo.load`."""
    return process.type if process.procedure == OUTSIDE else f"{process.type} in {visible(process.procedure)}"


def hop_words(hop: Hop) -> str:
    """What is said about a hop: how, the expression, the place."""
    if hop.process is None:
        return click.style("its rows" if hop.source.row_set else "", dim=True)
    expression = head(one_line(hop.expression), _WIDEST_EXPRESSION)
    words = [hop.how, click.style(expression, fg="green") if expression else "", process_words(hop.process)]
    place = hop.place or hop.process.place
    words.append(click.style(visible(str(place)), dim=True) if place else "")
    return "  ".join(word for word in words if word)


def _table_branches(trace: Trace) -> Branches:
    upward = trace.direction.value == "upstream"
    branches: Branches = defaultdict(list)
    for hop in trace.table_hops():
        own, other = (hop.target, hop.source) if upward else (hop.source, hop.target)
        if own.id != other.id:
            branches[own.id].append((other.id, visible(_name(other)), _table_words(hop)))
    return branches


def _name(table: Table) -> str:
    return str(table)


def _table_words(hop: TableHop) -> str:
    if hop.process is None:
        return ""
    place = click.style(visible(str(hop.process.place)), dim=True) if hop.process.place else ""
    return f"{process_words(hop.process)}  {place}".rstrip()


def _tree(starts: list[tuple[int, str]], branches: Branches) -> Iterator[str]:
    told: set[int] = set()
    for id, name in starts:
        if id in told:
            continue
        yield click.style(name, bold=True)
        told.add(id)
        yield from _below(id, branches, told)


def _below(start: int, branches: Branches, told: set[int]) -> Iterator[str]:
    """All that hangs below a start, without recursion: chains may be long."""
    pending = [(child, "", last) for child, last in _children(start, branches)]
    while pending:
        (id, name, words), margin, last = pending.pop()
        again = id in told and id in branches
        line = f"{margin}{'└── ' if last else '├── '}{click.style(name, fg='cyan')}  {words}".rstrip()
        yield line + click.style("  (see above)", dim=True) * again
        if id not in told:
            told.add(id)
            deeper = margin + ("    " if last else "│   ")
            pending += [(child, deeper, end) for child, end in _children(id, branches)]


def _children(id: int, branches: Branches) -> list[tuple[tuple[int, str, str], bool]]:
    """What hangs below, the last first, each with whether it is the last."""
    found = list(dict.fromkeys(branches.get(id, ())))
    return [(child, i == 0) for i, child in enumerate(reversed(found))]
