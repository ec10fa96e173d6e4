"""Who has which number in a feed: the same thing the same number, wherever it is met."""

from __future__ import annotations

from abc import ABC, abstractmethod

from headwater.export.kinds import name_class
from headwater.model.entity import EntityKind, TableName
from headwater.model.relation import Process
from headwater.model.resolution import Variable

CONDITION = "condition"
"""The kind of a variable that nobody declared: it is what a condition decides."""


def name_of(variable: Variable) -> tuple[str, bool, str]:
    """What a variable is called: its procedure, whether it is a condition, and its own name."""
    return variable.procedure, variable.kind == CONDITION, variable.name.casefold()


class Numbers(ABC):
    """Gives numbers to what statements name."""

    def __init__(self) -> None:
        self._declared: dict[tuple[object, ...], dict[object, int]] = {}

    def nth(self, script: int, variable: Variable) -> int:
        """Which of the variables of its name a variable is in its procedure, from 1: they are told apart by where they are declared."""
        places = self._declared.setdefault((script, *name_of(variable)), {})
        return places.setdefault(variable.place, len(places) + 1)

    @abstractmethod
    def process(self, process: Process) -> int:
        """Of a statement: the same for the same text."""

    @abstractmethod
    def table(self, kind: EntityKind, table: TableName, script: int | None, owner: str = "") -> int:
        """Of a table, view, path or stage; a temporary one is that of its *script*, or of the procedure that keeps it to itself."""

    @abstractmethod
    def result(self, process: int) -> int:
        """Of what a query gives that writes nothing."""

    @abstractmethod
    def orphans(self, process: int) -> int:
        """Of the pseudo table of columns that nobody can own."""

    @abstractmethod
    def inner(self, process: int, entity: int) -> int:
        """Of an entity inside of a statement."""

    @abstractmethod
    def procedure(self, process: int, nth: int) -> int:
        """Of a procedure, by its place among those that a process creates."""

    @abstractmethod
    def variable(self, script: int, variable: Variable) -> int:
        """Of a variable: the same in all statements of its *script* that name it."""

    @abstractmethod
    def column(self, entity: int, name: str, ordinal: int | None = None) -> int:
        """Of a column, by its folded name; inside of statements also by its ordinal."""


class NewNumbers(Numbers):
    """Numbers in the order in which things are met, from 1."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[tuple[object, ...], int] = {}

    def process(self, process: Process) -> int:
        """Of a statement."""
        return self._number("process", process.procedure, process.query_hash)

    def table(self, kind: EntityKind, table: TableName, script: int | None, owner: str = "") -> int:
        """Of a table, view, path, stage or whatever else has a name."""
        return self._number("named", name_class(kind), table, script, owner)

    def result(self, process: int) -> int:
        """Of what a query gives that writes nothing."""
        return self._number("result", process)

    def orphans(self, process: int) -> int:
        """Of the pseudo table of columns that nobody can own."""
        return self._number("orphans", process)

    def inner(self, process: int, entity: int) -> int:
        """Of an entity inside of a statement."""
        return self._number("inner", process, entity)

    def procedure(self, process: int, nth: int) -> int:
        """Of a procedure."""
        return self._number("procedure", process, nth)

    def variable(self, script: int, variable: Variable) -> int:
        """Of a variable."""
        return self._number("variable", script, *name_of(variable), self.nth(script, variable))

    def column(self, entity: int, name: str, ordinal: int | None = None) -> int:
        """Of a column."""
        return self._number("column", entity, name, ordinal)

    def _number(self, *key: object) -> int:
        return self._known.setdefault(key, len(self._known) + 1)
