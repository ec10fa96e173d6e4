"""What rules look at: a project, made of scripts or of a store.

Both kinds say the same things about statements; only a store has a graph, and only one with an earlier state has something to compare with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from headwater.check.finding import Where
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Code
from headwater.model.span import Position

if TYPE_CHECKING:
    from headwater.graph import Graph
    from headwater.tags.governance import Governance


@dataclass(frozen=True, slots=True)
class Said:
    """A diagnostic of a script."""

    code: Code
    message: str
    subject: str
    hint: str
    where: Where
    query_hash: str
    """Of its statement; empty if it is about the script as a whole."""


@dataclass(frozen=True, slots=True)
class UnknownStar:
    """A `*` over a table whose columns nobody knows."""

    table: str
    where: Where
    query_hash: str


@dataclass(frozen=True, slots=True)
class ScriptText:
    """A script's text, as it is looked through for suppressions and shown below a finding."""

    path: str
    text: str
    dialect: str
    shown: Lineage
    """Shows the text without its secrets."""
    starts: Mapping[Position, int]
    """The numbers of its statements, by where they begin."""


@dataclass(frozen=True, slots=True)
class Definition:
    """An entity that a statement defines, and the entities which that statement reads for it."""

    name: str
    view: bool
    reads: tuple[int, ...]


class Project(Protocol):
    """Everything that rules may ask."""

    @property
    def stored(self) -> Stored | None:
        """What only a store knows."""

    def diagnostics(self) -> Iterator[Said]:
        """What was said of the scripts."""

    def stars(self) -> Iterator[UnknownStar]:
        """The `*` over tables whose columns nobody knows, once per statement and table."""

    def texts(self, wanted: Collection[int], word: str) -> Mapping[int, ScriptText]:
        """The scripts of these keys, and those in which a word occurs."""


class Stored(Protocol):
    """What only a store knows."""

    @property
    def graph(self) -> Graph:
        """The graph of its snapshot."""

    @property
    def earlier(self) -> Graph | None:
        """The graph to compare with, if there is one."""

    @property
    def governance(self) -> Governance | None:
        """The policy on tags, if there is one."""

    def makers(self) -> Mapping[int, int]:
        """The process that defines each entity, by their ids."""

    def definitions(self) -> Mapping[int, Definition]:
        """The entities that the corpus defines, by id, with what their definitions read."""

    def places(self, processes: Collection[int]) -> Mapping[int, Where]:
        """The first place of each of these processes."""
