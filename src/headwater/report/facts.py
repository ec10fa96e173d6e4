"""The numbers of a report, and nothing but numbers and names: what is made of them is a page's business."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headwater.graph import Graph
from headwater.graph.lost import Losses, losses
from headwater.graph.unused import unused_numbers
from headwater.report.chains import Chains, chains
from headwater.report.coverage import CoverageBySchema, coverage
from headwater.report.hubs import Hubs, hubs
from headwater.report.problems import Problems, problems
from headwater.report.statements import Statements, processes_in_scope, statements
from headwater.report.subject import Subject, subject_of
from headwater.report.usage import Usage, usage


@dataclass(frozen=True, slots=True)
class About:
    """What was looked at."""

    snapshot: str
    time: str
    """When it was built, as the build says."""
    version: str
    """The version that built it."""
    scope: str | None
    top: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much there is; in a scope, relations that begin or end there."""

    scripts: int
    tables: int
    columns: int
    relations: int


@dataclass(frozen=True, slots=True)
class UnusedCounts:
    """What nobody reads."""

    never: int
    """Columns, of tables that are read, that nobody reads."""
    star_only: int
    """Those that are read through `*` only, and by nobody by name behind it."""
    tables: int
    """Tables of which nobody reads anything: they may be what it is all made for."""
    by_schema: tuple[tuple[str, int], ...]
    """Columns of the first two kinds, the most first."""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a report tells."""

    about: About
    sizes: Sizes
    coverage: CoverageBySchema
    losses: Losses
    """Of the whole snapshot, also in a scope: what a lost statement writes is unknown."""
    statements: Statements
    problems: Problems
    hubs: Hubs
    chains: Chains
    unused: UnusedCounts
    usage: Usage | None = None
    """What ran; None if there is no query log."""


def gather(graph: Graph, top: int = 10, scope: str | None = None) -> Facts:
    """The facts of a graph's snapshot; of the tables with a name like *scope*, and of the statements that have to do with them."""
    subject = subject_of(graph, scope)
    processes = processes_in_scope(subject)
    run = graph.snapshot.run
    covered = coverage(subject)
    return Facts(
        about=About(graph.snapshot.name, str(run.get("time", "")), str(run.get("version", "")), scope, top),
        sizes=Sizes(
            scripts=subject.snapshot.dataset("scripts").count_rows(),
            tables=covered.total.tables,
            columns=covered.total.columns,
            relations=_relations(subject),
        ),
        coverage=covered,
        losses=losses(graph.snapshot),
        statements=statements(subject, processes, top),
        problems=problems(subject, processes, top),
        hubs=hubs(subject, top),
        chains=chains(subject, top),
        unused=_unused(subject),
        usage=usage(subject, graph.runs, top),
    )


def _relations(subject: Subject) -> int:
    arrays, count = subject.arrays, 0
    for part in subject.parts():
        made = ~subject.fields[arrays.relation_kind[part]]
        if subject.scope:
            ends = (arrays.node_entity[ends[part]] for ends in (arrays.relation_source, arrays.relation_target))
            made &= np.logical_or(*(subject.tables[each] for each in ends))
        count += int(np.count_nonzero(made))
    return count


def _unused(subject: Subject) -> UnusedCounts:
    found = unused_numbers(subject.arrays)
    asked = subject.tables[subject.arrays.node_entity[found.nodes]] & ~found.copy_read
    nodes, starred = found.nodes[asked], found.starred[asked]
    counts = np.bincount(subject.schema_of[subject.arrays.node_entity[nodes]], minlength=len(subject.schemas))
    by_schema = [(name, int(count)) for name, count in zip(subject.schemas, counts, strict=True) if count]
    return UnusedCounts(
        never=int(np.count_nonzero(~starred)),
        star_only=int(np.count_nonzero(starred)),
        tables=int(np.count_nonzero(subject.tables[found.tables])),
        by_schema=tuple(sorted(by_schema, key=lambda each: (-each[1], each[0]))),
    )
