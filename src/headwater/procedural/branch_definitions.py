"""Tables that branches define: behind the branches, a table may be as any of them left it.

Each branch begins with the definitions that were there before the choice. Where the branches meet, a table has the columns of all its
definitions; if one of these is not known, neither are its columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from headwater.model.entity import TableName
from headwater.model.resolution import Definition, Resolution
from headwater.resolve import Session

Known = Mapping[TableName, Definition | None]


class BranchDefinitions:
    """The definitions of the choices under way."""

    def __init__(self) -> None:
        self._before: list[dict[TableName, Definition | None]] = []
        """For the branches under way, the innermost last: what tables were before the branch defined them."""

    def note(self, resolution: Resolution, session: Session) -> None:
        """Remember what the tables that a statement defines were before it."""
        for definition in resolution.defines if self._before else ():
            self._before[-1].setdefault(definition.table, session.defined.get(definition.table))

    @contextmanager
    def choice(self, session: Session, outside: bool) -> Iterator[Choices]:
        """The definitions of one choice; *outside* where none of its branches may be taken."""
        choices = Choices(self._before, session)
        yield choices
        choices.meet(outside)
        if self._before:
            for table, before in choices.before.items():
                self._before[-1].setdefault(table, before)


class Choices:
    """The definitions of the branches of one choice."""

    def __init__(self, stack: list[dict[TableName, Definition | None]], session: Session) -> None:
        self._stack = stack
        self._session = session
        self._ends: list[Known] = []
        self.before: dict[TableName, Definition | None] = {}

    @contextmanager
    def branch(self) -> Iterator[None]:
        """One branch: behind it, tables are what they were before."""
        self._stack.append({})
        yield
        before = self._stack.pop()
        defined = self._session.defined
        self._ends.append({table: defined.get(table) for table in before})
        for table, known in before.items():
            self.before.setdefault(table, known)
            _define(defined, table, known)

    def meet(self, outside: bool) -> None:
        """Behind the branches: a table is what any of them made of it."""
        for table, before in self.before.items():
            ends = [end.get(table, before) for end in self._ends] + ([before] if outside else [])
            _define(self._session.defined, table, _united(ends))


def _define(defined: dict[TableName, Definition], table: TableName, known: Definition | None) -> None:
    if known is None:
        defined.pop(table, None)
    else:
        defined[table] = known


def _united(definitions: list[Definition | None]) -> Definition | None:
    """What a table is that has one of several definitions."""
    made = [each for each in definitions if each is not None and not each.dropped]
    if not made:
        return next((each for each in definitions if each is not None), None)
    columns: dict[str, str] | None = {}
    for each in made:
        columns = None if columns is None or each.columns is None else {**columns, **each.columns}
    return made[-1]._replace(columns=columns)
