"""What routines inside of a package, or of another routine, share: the variables around them, which all of them read and assign.

Nobody knows in which order a package's routines are called, so each of them begins with whatever any of them left behind.
"""

from __future__ import annotations

from headwater.model.resolution import Variable
from headwater.procedural.origin import State
from headwater.resolve.variable import Variables
from headwater.sql.procedural.tree import Declared


class Around:
    """The shared variables of one statement's programs."""

    __slots__ = ("_declared", "given", "held")

    def __init__(self) -> None:
        self._declared: dict[int, tuple[Declared, Variable]] = {}
        self.held = State()
        """Everything that variables held at some point of some program."""
        self.given = State()
        """What routines inside left in variables around them that they assign to."""

    def known(self, declared: Declared) -> Variable | None:
        """The variable of a declaration that was met before, in a loop or in another pass."""
        found = self._declared.get(id(declared))
        return found[1] if found is not None else None

    def know(self, declared: Declared, variable: Variable) -> None:
        """Remember the variable of a declaration; the declaration is kept, so that nothing else can have its identity."""
        self._declared[id(declared)] = declared, variable

    def at_beginning(self, variables: Variables) -> State:
        """What the variables around a program hold when it is begun."""
        return self.held.of(_numbers(variables.outer))

    def after_call(self, state: State, variables: Variables) -> State:
        """What is held behind a call: what the called routine may have assigned."""
        given = self.given.of(_numbers(variables))
        return state if state.covers(given) else state.with_(given)

    def ended(self, seen: State, end: State | None, assigned: set[int], variables: Variables) -> None:
        """Keep what a program held, and what it left."""
        self.held = self.held.with_(seen)
        if end is not None:
            self.given = self.given.with_(end.of(assigned & _numbers(variables.outer)))


def _numbers(variables: Variables | None) -> set[int]:
    """The variables that can be named from a scope."""
    found: set[int] = set()
    while variables is not None:
        found |= variables.numbers()
        variables = variables.outer
    return found
