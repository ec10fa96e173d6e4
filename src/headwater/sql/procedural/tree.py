"""A procedural program as it was read: variables, and steps that hold statements.

Everything that touches data is a `Do` with one ordinary statement, whose tree may be a form of `form`; around them there are choices, loops
and guarded parts. Nothing is resolved here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from headwater.model.diagnostic import Diagnostic
from headwater.model.span import Span
from headwater.sql.statement import Statement


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """A variable or parameter where it is declared."""

    name: str
    """As spelled, `@` included."""
    kind: str
    """`scalar`, `cursor` or `record`."""
    place: Span
    type: str = ""
    """Its data type, as spelled."""
    mode: str = ""
    """Of a parameter: `in`, `out` or `inout`."""
    like: Any = None
    """The table, cursor or named type whose columns a record has, as a table node: `t%ROWTYPE`, `pkg.rec_t`.

    A variable of a named type is a record if somebody declares that type with fields.
    """
    fields: tuple[str, ...] = ()
    """The fields that a record's type lists, as spelled."""
    quoted: bool = False
    spreads: bool = False
    """Its columns are known without its name, too: of a loop."""
    default: str = ""
    """Of a parameter that need not be given: what it is then, as spelled."""
    collection: bool = False
    """It holds several elements, each of which is of *kind*."""


@dataclass(frozen=True, slots=True, eq=False)
class Do:
    """One statement."""

    statement: Statement


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """A name becomes known."""

    declared: Declared


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A condition, as a statement (None for ELSE), and what it guards."""

    condition: Statement | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """IF, CASE: one of the branches is taken, or none where there is no ELSE."""

    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Repeat:
    """A loop: what decides over each round (a condition, or the fetching of a row; None for LOOP), and its body."""

    head: Statement | None
    steps: tuple[Step, ...]
    tests_last: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Handler:
    """What takes over for a while, behind a statement, and lets the way go on: `DECLARE CONTINUE HANDLER FOR … `."""

    steps: tuple[Step, ...]
    not_found: bool
    """It does so only where a row was asked for and there was none."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Steps in a block of their own: what is declared inside is known only there; handlers take over at any point of it."""

    steps: tuple[Step, ...]
    handlers: tuple[tuple[Step, ...], ...] = ()
    label: str = ""
    resuming: tuple[Handler, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Leave:
    """The way ends here: RETURN, EXIT, CONTINUE, RAISE, GOTO; *condition* where it does so only sometimes (EXIT WHEN)."""

    statement: Statement
    out_of: str
    """`routine`, `loop`, `round` where the loop goes on, or `block` for one that *label* names."""
    condition: Statement | None = None
    label: str = ""
    """The loop or block that is left, where it is named."""


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """A place to go to; `label` makes blocks and loops of these."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Inner:
    """A routine that is declared inside another one, or in a package."""

    program: Program


Step = Do | Let | Choice | Repeat | Group | Leave | Label | Inner


@dataclass(frozen=True, slots=True, eq=False)
class Trigger:
    """What sets a trigger off: the table, and the names under which the changed row is known."""

    table: Any
    rows: tuple[str, ...]
    """`new`, `old`, and the names that REFERENCING gives them: each is a record."""
    tables: tuple[str, ...] = ()
    """Names under which all changed rows are a table: T-SQL's `inserted` and `deleted`, those of `REFERENCING NEW TABLE AS n`."""
    calls: Any = None
    """The function that is the body, as a table node: `EXECUTE FUNCTION f()`."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A routine, a package, a trigger, or a block without a name."""

    kind: str
    """`procedure`, `function`, `trigger`, `package`, `block`."""
    name: Any
    """A table node; None for a block without a name."""
    place: Span
    parameters: tuple[Declared, ...] = ()
    steps: tuple[Step, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    trigger: Trigger | None = None
    columns: tuple[str, ...] = ()
    """The columns of the table that a function returns, as spelled."""
    returns: str = ""
    """The type that a function returns, as far as it is one word: in upper case."""
    returned_type: str = ""
    """The name of the type that a function returns, as spelled."""
    rows_in: str = ""
    """The variable whose rows a function returns, `RETURNS @r TABLE (…)`."""
    opaque: str = ""
    """Why the body is not looked into: it is written in another language."""
    head: tuple[Statement, ...] = field(default=())
    """Statements that belong to the head: defaults of parameters."""
    types: Mapping[str, Declared] = field(default_factory=dict)
    """The types that a package declares, in upper case, each as a variable of it would be declared."""


def inner_programs(steps: Iterable[Step]) -> Iterator[Program]:
    """The routines that are declared among steps, wherever these stand."""
    for step in steps:
        if isinstance(step, Inner):
            yield step.program
        elif isinstance(step, Choice):
            for branch in step.branches:
                yield from inner_programs(branch.steps)
        elif isinstance(step, Repeat):
            yield from inner_programs(step.steps)
        elif isinstance(step, Group):
            yield from inner_programs(step.steps)
            for handler in step.handlers:
                yield from inner_programs(handler)
