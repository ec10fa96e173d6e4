"""What a step does to variables, as the reader hands it to the resolver. Queries and expressions are syntax trees of the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.model.span import Span
from headwater.sql.form import Argument
from headwater.sql.statement import Statement

NOT_FOUND = "not found"
"""The variable, nameless to programs, that says whether a row was there when it was asked for."""


ORDER_DECIDES = "order decides"
"""The mark, in the meta data of an ORDER BY, that a program depends on the order in which it gets the rows."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is assigned to: `v`, `@v`, `r.a`, by its parts as identifiers; of `v(i)` the whole of v."""

    parts: tuple[Any, ...]
    place: Span | None
    partly: bool = False
    """Only a part of it is assigned, so that what it held before stays: an element of a collection."""
    indexes: tuple[Any, ...] = ()
    """What chooses that part, as expressions."""


@dataclass(frozen=True, slots=True)
class Assign:
    """Values go into variables: `v := a + 1`, `SET (x, y) = (SELECT …)`."""

    targets: tuple[Target, ...]
    value: Any
    """An expression; for several targets a query, or a tuple of as many expressions."""
    type: str = "Set"


@dataclass(frozen=True, slots=True)
class IntoVariables:
    """What a statement gives back goes into variables: `SELECT a INTO v FROM t`, `INSERT … RETURNING a INTO v`."""

    statement: Any
    targets: tuple[Target, ...]
    bulk: bool = False
    """All rows, not one: BULK COLLECT."""


@dataclass(frozen=True, slots=True)
class Query:
    """A cursor gets its rows: `CURSOR c IS SELECT …` when it is opened, `OPEN c FOR SELECT …`."""

    cursor: Target
    query: Any
    type: str = "Open"


@dataclass(frozen=True, slots=True)
class Fetch:
    """The next row of a cursor goes into variables."""

    cursor: Target
    targets: tuple[Target, ...]
    type: str = "Fetch"
    bulk: bool = False
    """All rows, or many: BULK COLLECT."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What decides over other steps: the condition of IF, of a loop, of EXIT WHEN."""

    type: str
    expression: Any


@dataclass(frozen=True, slots=True)
class Call:
    """A procedure is called: `CALL p(a, b => c)`, `EXEC p @a, @b = @c OUTPUT`."""

    procedure: Any
    """A table node."""
    arguments: tuple[Argument, ...]
    into: Target | None = None
    """What takes its return value."""
    rows: Target | None = None
    """The result set that takes its rows: Snowflake's `res := (CALL p())`."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A parameter of a text that is executed: a variable that only the text knows."""

    name: str
    """As the text has it, `@` included."""
    value: Any
    """What it is given, as an expression."""
    out: Target | None = None
    """What takes its value back."""


@dataclass(frozen=True, slots=True)
class Dynamic:
    """A text that is built and then executed."""

    text: Any
    """An expression."""
    into: tuple[Target, ...] = ()
    using: tuple[Any, ...] = ()
    names: tuple[str, ...] = ()
    """The names that what is in *using* has inside of the text, where it has names."""
    outs: tuple[Target | None, ...] = ()
    """What takes back the values of what is in *using*, where it is given back: `USING OUT v`."""
    passed: tuple[Passed, ...] = ()
    """The variables that the text declares for its parameters."""
    cursor: Target | None = None
    """The cursor that gets the rows: `OPEN c FOR v_sql`."""
    table: Any = None
    """The table that gets the rows, with its column list if it has one: `INSERT INTO t (a) EXEC (@sql)`."""
    returns: bool = False
    """Its rows are given back: `RETURN QUERY EXECUTE …`."""
    otherwise: Statement | None = None
    """What is run where the text is not known: the statement as it is written."""
    too_long: bool = False
    """Whether the text is not known because it is too long."""


@dataclass(frozen=True, slots=True)
class Returned:
    """What a function gives back: a value, or rows."""

    value: Any
    """An expression or a query; None where nothing is given."""
    rows: bool = False
