"""Walks a statement's result and says what no result may ever be.

Each source exists; each output has relations or a reason; no relation crosses levels; the column level follows from the
complete one, and has every way through it.
"""

from __future__ import annotations

from headwater.lineage.lineage import StatementLineage
from headwater.model.diagnostic import Code, Severity
from headwater.model.entity import PERSISTENT, PSEUDO_ROWS, EntityKind
from headwater.model.kind import FOREIGN_KEY, JOIN_TYPE, KINDS, MOVED, compose
from headwater.model.resolution import Resolution


def violations(statement: StatementLineage) -> list[str]:
    """Everything that is wrong with a result."""
    return [
        *_dangling(statement),
        *_outputs_without_reason(statement),
        *_crossing(statement),
        *_column_level(statement),
        *_lost_ways(statement),
    ]


def _dangling(statement: StatementLineage) -> list[str]:
    """Ends of edges that do not exist."""
    resolution = statement.resolution
    columns, entities = len(resolution.columns), len(resolution.entities)
    bad = [
        f"edge {e[:3]} has an end that does not exist"
        for e in resolution.edges
        if not all(0 <= c < columns for c in e[:2])
    ]
    bad += [f"column {c[:2]} has no entity" for c in resolution.columns if not 0 <= c[0] < entities]
    return bad + [f"edge {e[:3]} has an unknown kind" for e in resolution.edges if not 0 <= e[2] < len(KINDS)]


def _outputs_without_reason(statement: StatementLineage) -> list[str]:
    """Output and function columns that come from nowhere, without a diagnostic."""
    resolution = statement.resolution
    if any(d.severity is Severity.ERROR or d.code is Code.UNSUPPORTED_CONSTRUCT for d in statement.diagnostics):
        return []
    reached = {e[0] for e in resolution.edges}
    written = set(resolution.written)
    outputs = set(resolution.outputs)
    outputs |= {source for target, source, _, _ in resolution.edges if resolution.columns[target][0] in written}
    bad = []
    for column in sorted(outputs - reached):
        entity, name, place = resolution.columns[column]
        made_here = resolution.entities[entity].kind is EntityKind.RESULT_SET
        if made_here and name != PSEUDO_ROWS and not _is_default(place):
            bad.append(f"output {name} has no relation")
    return bad


def _is_default(place: object) -> bool:
    return getattr(place, "name", "").upper() == "DEFAULT"


def _crossing(statement: StatementLineage) -> list[str]:
    """Relations of the complete model that skip the level between: from a table straight into a written table.

    A statement without any query has no such level, and a table under another name needs none.
    """
    resolution = statement.resolution
    if not resolution.numbered:
        return []
    tables = {i for i, row in enumerate(resolution.entities) if row.kind in (EntityKind.TABLE, EntityKind.VIEW)}
    return [
        f"{resolution.columns[s][1]} goes straight into {resolution.columns[t][1]}"
        for t, s, kind, _ in resolution.edges
        if resolution.columns[t][0] in tables
        and resolution.columns[s][0] in tables
        and KINDS[kind].type != JOIN_TYPE
        and kind not in (MOVED, FOREIGN_KEY)
        and resolution.columns[t][0] != resolution.columns[s][0]
        and resolution.columns[t][1] != PSEUDO_ROWS
    ]


def _column_level(statement: StatementLineage) -> list[str]:
    """Column-level edges whose ends are not columns of the complete model."""
    model = statement.model
    names = {(".".join(model.entities[c.entity].table or ()) or None, c.name) for c in model.columns}
    bad = []
    for edge in statement.edges:
        for ref in (edge.source, edge.target):
            if not edge.literal and (ref.table, ref.column) not in names:
                bad.append(f"{ref} is not in the complete model")
    return bad


def _lost_ways(statement: StatementLineage) -> list[str]:
    """Ways through the complete model from one end to another, walked one by one, that the column level does not have."""
    resolution = statement.resolution
    if resolution.values or any(row.as_of for row in resolution.entities):
        return []
    below: dict[int, list[tuple[int, int]]] = {}
    for target, source, kind, _ in resolution.edges:
        if KINDS[kind].type != JOIN_TYPE:
            below.setdefault(target, []).append((source, kind))
    shown = {(e.target.column, e.source.column, e.kind) for e in statement.edges}
    written = {column for column in below if resolution.columns[column][0] in set(resolution.written)}
    lost = []
    for target in written.union(resolution.outputs):
        for source, kind in _ends_of(resolution, target, below):
            names = resolution.columns[target][1], resolution.columns[source][1]
            if (*names, kind) not in shown:
                lost.append(f"{names[0]} has lost a way from {names[1]}: {KINDS[kind]}")
    return lost


def _ends_of(resolution: Resolution, target: int, below: dict[int, list[tuple[int, int]]]) -> set[tuple[int, int]]:
    """The persistent columns at the ends of all ways into a column, with the kinds of the ways."""
    found: set[tuple[int, int]] = set()
    seen: set[tuple[int, int]] = set()
    pending = list(below.get(target, ()))
    while pending:
        column, kind = pending.pop()
        if (column, kind) in seen:
            continue
        seen.add((column, kind))
        if resolution.entities[resolution.columns[column][0]].kind in PERSISTENT:
            found.add((column, kind))
        else:
            pending += [(each, compose(first, kind)) for each, first in below.get(column, ())]
    return found
