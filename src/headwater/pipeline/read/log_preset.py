"""What a query log of a known system looks like: data that `preset_log` reads by. Needs the standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Form = Literal["rows", "postgres", "mysql", "access"]
"""How statements stand in a log: one per row; as messages of PostgreSQL's server log; as commands of MySQL's general log; as lineage."""
Names = tuple[str, ...]
"""The names that a column may have, as views, tables and exports spell it; of those that are there, the first with a value counts."""
Measure = tuple[tuple[str, float], ...]
"""The columns that a quantity may stand in, each with the factor that makes bytes, seconds or credits of it."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A condition on a row: a column has one of these values, in any case of letters. A row without the column meets it."""

    column: Names
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pieces:
    """How statements are cut into rows: which columns are the same in all pieces of one, and which one counts them from 0."""

    statement: Names
    """All of these that are there tell statements apart."""
    number: str
    width: int
    """Bytes of a piece; blanks at the end of one are often lost on the way, and are put back."""
    most: int
    """Pieces that the system keeps of a statement."""


@dataclass(frozen=True, slots=True)
class LogPreset:
    """The query log of a system."""

    name: str
    system: str
    """What the log is called, for people."""
    dialect: str
    columns: Mapping[str, Names]
    """`sql`, `user`, `time`, `end`, `last`, `database`, `schema`, `session`, `position`, `count`, `id`, `parent`, and what a form needs."""
    export: str
    """The command or setting that gives such a log."""
    needed: tuple[str, ...] = ("sql",)
    """The fields without which it is no such log."""
    bytes: Measure = ()
    seconds: Measure = ()
    """Without such a column, the time from `time` to `end`."""
    credits: Measure = ()
    statements: OneOf | None = None
    """Which rows are statements."""
    succeeded: OneOf | None = None
    """Which statements did not fail."""
    failed: Names = ()
    """Columns that hold something only if a statement failed."""
    limits: tuple[int, ...] = ()
    """Characters, or bytes, at which the system, or what exports it, cuts texts: a text of exactly such a length is taken for cut."""
    hidden: tuple[str, ...] = ()
    """What stands in the place of a text that the log does not show."""
    rewrites: tuple[tuple[str, str], ...] = ()
    """Patterns of what is not SQL in texts, in any case of letters, and what stands for it."""
    escaped: bool = False
    """Whether line ends in texts are written as a backslash and a letter."""
    pieces: Pieces | None = None
    form: Form = "rows"
    upper: bool | None = None
    """Whether the system folds unquoted names to upper case, or to lower case; a name in the log that is not folded is a quoted one."""
    header: Names = ()
    """The columns of a CSV file that has no header."""
    inside: str = ""
    """The field that holds the event, where it is wrapped in another one."""
    text_files: bool = False
    """Whether the log may also be plain text, in files that end in .log or .txt."""
    notes: str = ""
    """What a user should know."""

    def names(self, field: str) -> Names:
        """The names that the column of a field may have."""
        return self.columns.get(field, ())
