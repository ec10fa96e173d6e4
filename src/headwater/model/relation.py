"""Relations: one target, one or more sources, and how; at the complete, the column and the table level."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from headwater.model.entity import ColumnRef
from headwater.model.span import Span

OUTSIDE = "batchQueries"
"""The procedure of statements that stand in none."""


@dataclass(frozen=True, slots=True)
class Process:
    """The statement that makes relations: its type (`Create View`), its name, the hash of its redacted text, its place.

    The same text met again is the same process; the span is that of one occurrence.
    """

    type: str
    query_hash: str
    span: Span = field(compare=False)
    procedure: str = OUTSIDE

    @property
    def name(self) -> str:
        """`Query Create View` for a process of type `Create View`."""
        return f"Query {self.type}"


class Source(NamedTuple):
    """One source of a relation, by column id, with what is particular to it."""

    column: int
    subtype: str | None
    clause: str
    masking: bool = False
    candidate: bool = False
    span: Span | None = None
    as_of: str = ""


class Relation(NamedTuple):
    """A relation of the complete model: a single hop. `effect` is the seed's effectType."""

    target: int
    type: str
    effect: str
    sources: tuple[Source, ...]
    expression: str = ""


class ColumnEdge(NamedTuple):
    """A column-level relation between one source and one target, through one process; the span is its expression's."""

    source: ColumnRef
    target: ColumnRef
    type: str
    subtype: str | None
    clause: str
    masking: bool
    candidate: bool
    expression: str
    process: Process
    span: Span | None = None
    as_of: str = ""
    """`version`, `timestamp`, `branch` or `changes`, where the statement does not read the current state of the source's table."""
    condition: str = ""
    """Of a template's statement: what must be so for the relation to be there, `full and not late`."""


class TableEdge(NamedTuple):
    """A table-level relation: the process reads `source` and writes `target` (None for a bare SELECT)."""

    source: str
    target: str | None
    process: Process
