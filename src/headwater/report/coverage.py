"""How much of what is written is explained, schema by schema; and of what is not, why. `headwater.graph.coverage` decides each column."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from headwater.graph.coverage import UNEXPLAINED, Coverage, State, column_states
from headwater.graph.files import Ints
from headwater.graph.lost import losses
from headwater.report.subject import Subject

_EXAMPLES = 3
REASONS = {
    State.UNRESOLVED: "from names that no table has",
    State.AMBIGUOUS: "from one of several columns: which one is not known",
    State.OPEN_STAR: "from the * of tables whose columns are not known",
    State.UNTRACED: "a statement writes them, and what it writes could not be traced",
}
"""Why columns are not explained, in words."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Columns by what is known of their origin; all but `columns` are among those that are written."""

    tables: int
    columns: int
    written: int
    sourced: int
    constant: int
    unexplained: int

    @property
    def explained(self) -> int:
        """Those that come from known columns, or hold constants."""
        return self.sourced + self.constant


@dataclass(frozen=True, slots=True)
class SchemaCounts:
    """The columns of a schema."""

    schema: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class Reason:
    """Why columns are not explained, and some of them."""

    state: State
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CoverageBySchema:
    """How much is explained."""

    total: Counts
    headline: str
    schemas: tuple[SchemaCounts, ...]
    """Those with the most written columns first."""
    reasons: tuple[Reason, ...]
    """The most frequent first."""


def coverage(subject: Subject) -> CoverageBySchema:
    """Count the columns of a snapshot by what is known of their origin."""
    states = np.where(subject.nodes, column_states(subject.arrays, subject.snapshot), State.NOT_WRITTEN)
    schemas = _by_schema(subject, states)
    total = Counts(*(sum(getattr(each.counts, field.name) for each in schemas) for field in fields(Counts)))
    headline = Coverage(total.written, total.explained, losses(subject.snapshot)).headline
    return CoverageBySchema(total, headline, schemas, _reasons(subject, states))


def _by_schema(subject: Subject, states: Ints) -> tuple[SchemaCounts, ...]:
    count = len(subject.schemas)
    owner = subject.schema_of[subject.arrays.node_entity]
    sourced, constant = states == State.SOURCED, states == State.CONSTANT
    unexplained = np.isin(states, UNEXPLAINED)
    masks = (subject.nodes, sourced | constant | unexplained, sourced, constant, unexplained)
    tables = np.bincount(subject.schema_of[subject.tables], minlength=count)
    columns = [np.bincount(owner[mask], minlength=count) for mask in masks]
    found = [
        SchemaCounts(name, Counts(*(int(each[number]) for each in (tables, *columns))))
        for number, name in enumerate(subject.schemas)
        if tables[number]
    ]
    return tuple(sorted(found, key=lambda each: (-each.counts.written, -each.counts.columns, each.schema)))


def _reasons(subject: Subject, states: Ints) -> tuple[Reason, ...]:
    nodes = {state: np.flatnonzero(states == state) for state in UNEXPLAINED}
    found = [Reason(state, len(own), subject.names_of(own[:_EXAMPLES])) for state, own in nodes.items() if len(own)]
    return tuple(sorted(found, key=lambda each: (-each.count, each.state)))
