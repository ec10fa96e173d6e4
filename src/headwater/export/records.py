"""What formats are made of: scripts, processes, entities with their columns, relations. Records only; `feed` says in which order they come.

Ids are whole numbers, unique among processes, entities and columns of one feed; those of processes, of persistent entities and of their
columns are the same at every level.
"""

from __future__ import annotations

from typing import NamedTuple

from headwater.model.entity import FILES, EntityKind, TableName
from headwater.model.kind import Kind
from headwater.model.span import Position


class Place(NamedTuple):
    """A stretch of a script: the script's number, where it begins, and where the character behind it stands."""

    script: int
    start: Position
    end: Position


class Script(NamedTuple):
    """A script that was read; scripts are numbered from 0."""

    number: int
    path: str
    """As it is shown; empty for standard input."""


class Process(NamedTuple):
    """A statement: what it does, the hash of its redacted text, and where it stands."""

    id: int
    type: str
    procedure: str
    query_hash: str
    dialect: str
    text: str
    """Redacted."""
    places: tuple[Place, ...]
    path: str
    """Of the script in which it stands first."""

    @property
    def name(self) -> str:
        """`Query Create View` for a process of type `Create View`."""
        return f"Query {self.type}"


class Column(NamedTuple):
    """A column of an entity, or its row set."""

    id: int
    name: str
    data_type: str | None
    inferred: bool
    row_set: bool
    places: tuple[Place, ...]
    folded: str = ""
    """The name that identifies it; empty where that is `name`."""
    comment: str = ""
    """What is said of it for people."""


class Entity(NamedTuple):
    """A table, view, path or stage; or something inside a statement: a result set, function, literal, variable."""

    id: int
    kind: EntityKind
    type: str
    """The seed's word for a result set (`select_list`, `insert-select`, …), `function` for a table that a function gives, else the kind."""
    name: str
    """As its first place spells it; of a result set its own name, `RS-1`."""
    parts: TableName
    """The folded name, outermost part first; empty for what lives inside a statement."""
    alias: str | None
    temporary: bool
    file_format: str
    processes: tuple[int, ...]
    """Ids of the processes that write it."""
    places: tuple[Place, ...]
    columns: tuple[Column, ...]
    procedure: str = ""
    """The procedure whose variable it is; empty for what is none, or stands in none."""
    defined_by: int = 0
    """The process that defines it, writing to it or not; 0 for none."""
    comment: str = ""
    """What is said of it for people."""

    @property
    def is_file(self) -> bool:
        """Whether it lies outside of the database."""
        return self.kind in FILES


class End(NamedTuple):
    """One end of a relation: a column and its entity, by id and by name."""

    column: int
    column_name: str
    entity: int
    entity_name: str
    row_set: bool
    kind: EntityKind
    """Of the entity."""
    parts: TableName
    """Of the entity's folded name."""


class Source(NamedTuple):
    """A source of a relation, and how it reaches the target."""

    end: End
    kind: Kind
    place: Place | None


class Relation(NamedTuple):
    """One target, one or more sources of one type (`fdd`, `fdr`, `join`), made by one process."""

    type: str
    effect: str
    """The seed's effectType; empty where it has none."""
    process: int
    target: End
    sources: tuple[Source, ...]
    expression: str
    """The text that makes the target."""
    place: Place | None
    """Where that text stands."""

    @property
    def identity(self) -> object:
        """What makes a relation the same as another, wherever it stands."""
        sources = tuple((source.end.column, source.kind) for source in self.sources)
        return self.process, self.target.column, self.type, self.expression, sources


class Argument(NamedTuple):
    """An argument of a procedure."""

    id: int
    name: str
    data_type: str
    """As it is spelled."""
    mode: str
    """`in`, `out`, `inout`."""
    places: tuple[Place, ...]


class Procedure(NamedTuple):
    """A procedure, function or trigger that a process creates."""

    id: int
    name: str
    """Qualified, as it is spelled: folded, it is the `procedure` of the processes inside."""
    kind: str
    process: int
    places: tuple[Place, ...]
    arguments: tuple[Argument, ...]
    inner_parts: int
    """How many parts of its name, the last ones, stand inside of a package or another procedure."""
    folded: str = ""
    """The `procedure` of the processes inside."""


class TableRelation(NamedTuple):
    """A process reads one entity and writes another; a query that writes nothing writes its own result."""

    source: int
    source_name: str
    process: int
    target: int
    target_name: str


class Remark(NamedTuple):
    """A diagnostic: what could not be understood, or only guessed."""

    code: str
    severity: str
    message: str
    subject: str
    hint: str
    script: int
    """-1 where it is said of no script."""
    place: Place | None
    process: int
    """0 where there is none."""
