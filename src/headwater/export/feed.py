"""What a format is fed: the records of a lineage at one level, in an order in which they can be written as they come.

There are two: a script's (`script_feed`) and a store's (`store_feed`). A format asks for scripts, processes, entities and parts as often as
it needs them; each time they come one after the other, so that memory does not grow with what there is to tell.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from headwater.export.records import Entity, Procedure, Process, Relation, Remark, Script, TableRelation

if TYPE_CHECKING:
    from typing_extensions import Self

Level = Literal["complete", "column", "table"]
LEVELS: tuple[Level, ...] = ("complete", "column", "table")


@dataclass(frozen=True, slots=True)
class Scope:
    """What is told: the level, and what is left out."""

    level: Level = "column"
    impact: bool = True
    """Influence on rows and aggregates (`fdr`), and joins."""
    functions: bool = True
    """Functions as entities of their own; without them their arguments flow straight on. Complete level."""
    intermediate: bool = True
    """Result sets; without them the complete level has persistent columns only. Complete level."""
    places: bool = True
    """Where things stand; a format that does not tell it need not have it worked out."""


class Part(NamedTuple):
    """Relations that come together, and the entities inside of a statement that only they name."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]


class Feed(ABC):
    """The records of a lineage."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def scoped(self, scope: Scope) -> Self:
        """The same lineage, of which something else is told."""
        other = copy(self)
        other.scope = scope
        return other

    @property
    @abstractmethod
    def dialect(self) -> str:
        """The dialect of most statements."""

    @abstractmethod
    def scripts(self) -> Iterator[Script]:
        """The scripts, by number."""

    @abstractmethod
    def processes(self) -> Iterator[Process]:
        """The processes, by id."""

    @abstractmethod
    def process(self, id: int) -> Process:
        """A process, by its id."""

    @abstractmethod
    def procedures(self) -> Iterator[Procedure]:
        """The procedures, functions and triggers that processes create, by id."""

    @abstractmethod
    def entities(self) -> Iterator[Entity]:
        """The entities that outlive their statements, and what queries give that write nothing, with their columns; by id."""

    @abstractmethod
    def entity(self, id: int) -> Entity:
        """One of those entities, by its id."""

    @abstractmethod
    def parts(self) -> Iterator[Part]:
        """The relations of the complete or the column level."""

    @abstractmethod
    def statements(self) -> Iterator[tuple[Process, list[Relation]]]:
        """Every process with its relations of the column level, whatever the level is."""

    @abstractmethod
    def table_relations(self) -> Iterator[TableRelation]:
        """The relations of the table level, whatever the level is."""

    @abstractmethod
    def remarks(self) -> Iterator[Remark]:
        """The diagnostics."""

    def relations(self) -> Iterator[Relation]:
        """All relations of the level, one after the other."""
        for part in self.parts():
            yield from part.relations
