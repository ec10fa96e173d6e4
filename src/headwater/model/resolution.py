"""The resolved relations of one statement, in the compact form that resolvers write and levels read.

Columns are integers. A column is a tuple of its entity, its folded name and its place; an edge is a tuple of target, source, kind and
place. A place is whatever the resolver has (a syntax node, a span); `locate` turns it into a span when somebody
asks. Four entity ids are reserved, so that the thousands of literals and functions of a large statement need no entity record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import ORPHAN_TABLE, EntityKind, TableName
from headwater.model.kind import Kind
from headwater.model.relation import Process
from headwater.model.span import Span

LITERALS, FUNCTIONS, ORPHANS, VARIABLES = range(4)
"""Reserved entity ids: owners of all literals, all function calls, all orphan columns, all parameters of the statement."""

ColumnRow = tuple[int, str, Any]
"""Entity, folded name, place."""

Edge = tuple[int, int, int, Any]
"""Target column, source column, kind code, place."""


ROWS_OF_TRIGGER = "Trigger"
"""The name of what decides over all of a trigger, the changed rows."""


class Variable(NamedTuple):
    """A variable of a procedure, or of a script: known by its number, shown by its name."""

    name: str
    """As it was first spelled."""
    kind: str
    """`scalar`, `cursor`, `record`; `condition` for what a condition decides."""
    procedure: str
    number: int
    place: Any = None
    """Where it is declared."""

    @property
    def is_trigger(self) -> bool:
        """Whether it stands for the changed rows that set off a trigger."""
        return self.kind == "condition" and self.name == ROWS_OF_TRIGGER


class EntityRow:
    """An entity while its statement is resolved. `type` is the seed's word; a result set's number is given at the end."""

    __slots__ = (
        "alias",
        "as_of",
        "by_position",
        "file_format",
        "kind",
        "owner",
        "place",
        "places",
        "spelled",
        "table",
        "temporary",
        "type",
        "variable",
    )

    def __init__(
        self,
        kind: EntityKind,
        type: str,
        place: Any = None,
        table: TableName | None = None,
        spelled: str = "",
        alias: str | None = None,
        temporary: bool = False,
    ) -> None:
        self.kind = kind
        self.type = type
        self.place = place
        self.table = table
        self.spelled = spelled
        self.alias = alias
        self.temporary = temporary
        self.file_format = ""
        self.as_of = ""
        """Of a table that is not read in its current state: by what the state was chosen (see `Kind`)."""
        self.by_position = False
        """Of files that do not name their columns: each of these is the one pseudo column."""
        self.places: tuple[Any, ...] = ()
        """Where else it is named."""
        self.owner = ""
        """The procedure that keeps it to itself, of a temporary table or table variable."""
        self.variable: Variable | None = None
        """Set where the entity is a variable that was declared."""


def reserved_entities() -> list[EntityRow]:
    """The entities that every statement has, in the order of their reserved ids."""
    return [
        EntityRow(EntityKind.LITERAL, "literal"),
        EntityRow(EntityKind.FUNCTION, "function"),
        EntityRow(EntityKind.ORPHAN, "pseudoTable", table=(ORPHAN_TABLE,), spelled=ORPHAN_TABLE),
        EntityRow(EntityKind.VARIABLE, "variable"),
    ]


class Definition(NamedTuple):
    """A table or view that a statement defines: its columns, in order (None if they are unknown), and how long it lives."""

    table: TableName
    columns: Mapping[str, str] | None
    temporary: bool = False
    view: bool = False
    dropped: bool = False
    unknown: bool = False
    """Its columns are no longer what anybody thought."""
    key: tuple[str, ...] = ()
    """Its primary key."""
    computed: frozenset[str] = frozenset()
    """Columns that are made of others, or that the database counts: an INSERT without a column list leaves them out."""
    hidden: frozenset[str] = frozenset()
    """Columns that `*` leaves out."""


class NamedType(NamedTuple):
    """A type that a statement defines under a name."""

    spelled: str
    """The type in full, as its dialect spells it: `STRUCT<street TEXT, city TEXT>`."""
    fields: tuple[str, ...] = ()
    """The names of its fields, in order; none for a collection, or for another name of a simple type."""
    element_fields: tuple[str, ...] = ()
    """Of a collection of such rows: the names of their fields."""


class End(NamedTuple):
    """One end of what a routine does: a parameter by its position, a column of what it gives back, a table's column.

    A variable without a position is one of the session, known by its name; a table with one is given as a parameter.
    """

    column: str
    parameter: int = -1
    kind: EntityKind = EntityKind.VARIABLE
    """`VARIABLE` for a parameter, `RESULT_SET` for what is given back."""
    table: TableName | None = None
    temporary: bool = False


class Effect(NamedTuple):
    """What a routine does on behalf of its caller: something flows from one end to another."""

    source: End
    target: End
    kind: Kind


class SqlFunction(NamedTuple):
    """A function or procedure that a statement defines: what a call of it means. One for each number of parameters."""

    name: TableName
    parameters: tuple[tuple[str, Any], ...]
    """Folded names and defaults (None for a parameter without)."""
    body: Any
    """A query or an expression; None where only the engine can look inside."""
    columns: tuple[str, ...] = ()
    """The columns that it declares for its rows."""
    temporary: bool = False
    effects: tuple[Effect, ...] | None = None
    """What a call does, where the body is a program: it was followed once, and this is what came out."""
    modes: tuple[str, ...] = ()
    """Of the parameters of a program: `in`, `out`, `inout`."""
    procedure: bool = False
    aggregates: bool = False
    types: tuple[str, ...] = ()
    """The types of its parameters, as spelled; nothing for one without."""


class Parameter(NamedTuple):
    """A parameter of a routine, as it is declared."""

    name: str
    data_type: str
    mode: str
    """`in`, `out`, `inout`."""
    place: Span | None = None


class Routine(NamedTuple):
    """A procedure, function or trigger that a statement creates: its head."""

    name: str
    """Qualified, as it is spelled."""
    kind: str
    parameters: tuple[Parameter, ...]
    place: Span | None = None
    """Where it is named."""
    inner_parts: int = 0
    """How many parts of its name, the last ones, stand inside of a package or another routine; those before are its qualified name."""
    folded: str = ""
    """Its name as the processes inside of it have it."""


class Wildcard(NamedTuple):
    """A name that stands for all tables that fit it."""

    entity: int
    parts: tuple[tuple[str, str], ...]
    """What each part of a table's name must be: `is`, `begins`, `finds` (a regular expression) or `meets`, and a text.

    A place of a stage meets those below it and those that it is below, but for the stage itself: `S/a/` meets `S/a/x.csv`.
    """
    known: tuple[tuple[TableName, tuple[str, ...]], ...] = ()
    """The tables of the catalog that fit, and their columns."""

    @property
    def is_place(self) -> bool:
        """Whether it is a stage, or a place below one, and stands for other places."""
        return self.parts[-1][0] == "meets"

    def fits(self, table: TableName) -> bool:
        """Whether a table is one of those."""
        if len(table) != len(self.parts):
            return False
        return all(_FITS[how](text, name) for (how, text), name in zip(self.parts, table, strict=True))


def _meets(place: str, other: str) -> bool:
    return "/" in other and other != place and (other.startswith(place) or place.startswith(other))


_FITS: Mapping[str, Callable[[str, str], bool]] = {
    "is": lambda text, name: text == name,
    "begins": lambda text, name: name.startswith(text),
    "finds": lambda text, name: re.search(text, name) is not None,
    "meets": _meets,
}


class Turn(NamedTuple):
    """A construct around a statement of a program: a choice, in one of whose branches it stands, or a loop."""

    place: tuple[int, str, int]
    """What tells it from others of the script: how deep it stands, its kind, and where it begins."""
    branch: int
    """The branch; -1 for what decides between them."""
    branches: int
    """How many ways there are through a choice, one around all of its branches included; 0 for a loop."""


class Resolution(NamedTuple):
    """Everything a resolver found out about one statement. Its places may hold raw text: they are not for showing."""

    process: Process
    entities: list[EntityRow]
    columns: list[ColumnRow]
    edges: list[Edge]
    numbered: list[int]
    """Result sets in the order in which they were completed, the inside before the outside."""
    outputs: list[int]
    """Columns of the unwritten query, if the statement is one; its row set is `output_rows`."""
    output_rows: int
    read: list[int]
    """Persistent entities that the statement reads."""
    written: list[int]
    """Persistent entities that the statement writes."""
    inferred: frozenset[int]
    defines: tuple[Definition, ...]
    replaced: frozenset[TableName]
    """Tables whose former content is gone after this statement."""
    default_schema: TableName | None
    """The default schema after this statement, if it changes it."""
    diagnostics: list[Diagnostic]
    locate: Callable[[Any], Span | None]
    expression: Callable[[Any], tuple[str, Span | None]]
    """The source text of a place's expression, and where it stands."""
    function_name: Callable[[Any], str]
    effect: str = ""
    """The seed's effectType of what is written, where the process type does not tell."""
    functions: tuple[SqlFunction, ...] = ()
    """Functions that the statement defines."""
    dropped_functions: tuple[TableName, ...] = ()
    programs: tuple[tuple[TableName, Any], ...] = ()
    """Programs that others need whole, and types, by their names."""
    assigned: tuple[int, ...] = ()
    """Columns of variables that the statement assigns."""
    values: tuple[Edge, ...] = ()
    """What its variables hold when it runs, as edges from columns that other statements read: the column level sees through variables
    by these; they are no relations of the statement itself."""
    routines: tuple[Routine, ...] = ()
    """Routines with a body of statements that the statement creates: of a package, all of its own."""
    left_out: tuple[tuple[int, frozenset[str]], ...] = ()
    """For a `*` over what nobody knows: the names that EXCEPT and RENAME take out of it, and those that a new table has besides."""
    added: tuple[tuple[TableName, str], ...] = ()
    """Columns that ALTER gives a table: statements that filled it before did not write them."""
    altered: tuple[TableName, ...] = ()
    """Tables that the statement alters, and does not make: the statements that filled them are still asked for their columns."""
    wildcards: tuple[Wildcard, ...] = ()
    """Names that stand for many tables, which the statement reads."""
    moved: tuple[tuple[int, int], ...] = ()
    """Entities that took over the unknown columns of another, and this other one, as RENAME and SWAP have it: a star without relations."""
    comments: tuple[tuple[TableName, str | None, str], ...] = ()
    """What it says of tables, and of their columns, for people; without secrets."""
    turns: tuple[Turn, ...] = ()
    """The choices and loops of the program around it, the outermost first."""
    conditions: tuple[str, ...] = ()
    """Of a template's statement: what must be so for it to be as it is."""

    @property
    def has_variables(self) -> bool:
        """Whether it has to do with variables that other statements name too."""
        return any(row.variable is not None for row in self.entities)

    def __repr__(self) -> str:
        return f"<Resolution of {self.process!r}: {len(self.columns)} columns, {len(self.edges)} edges>"
