"""Scripts of a store that hold programs, resolved again as a whole: what a variable holds, no statement says by itself.

A script's statements come in the groups in which they were read: those of a program together, with the numbers that they have in the store.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from headwater.budget import Budget, resolved
from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.model.span import BEGINNING, Position
from headwater.resolve import Session
from headwater.sql.dialect import Dialect
from headwater.sql.script import Script

_STEERS = re.compile(r"\b(?:BEGIN|CALL|DECLARE|EXEC|EXECUTE|FOR|FUNCTION|IF|LOOP|REPEAT|SET|WHILE)\b", re.IGNORECASE)
"""Words without which no script is a program."""


class Placed(NamedTuple):
    """A statement of a script, as the store has it."""

    process: int
    at: Position


class Group(NamedTuple):
    """The statements of a program, or a statement by itself; each with its process."""

    lineage: Lineage
    """Of the script: it knows the places."""
    statements: list[tuple[int, StatementLineage | None]]
    """None where only the whole program would say what a statement means, and is not known."""
    session: Session
    """Behind the group."""
    at: Position = BEGINNING
    """Where the lineage's text begins in the script."""


def may_hold_programs(text: str) -> bool:
    """Whether a script may be more than statements that have nothing to do with each other."""
    return _STEERS.search(text) is not None


def groups(
    text: str, path: str, dialects: Sequence[Dialect], session: Session, placed: Sequence[Placed]
) -> Iterator[Group]:
    """The groups of a script, as long as its statements stand where the store says: a text without its secrets may be read otherwise."""
    lineage = Lineage([], text, path, lambda start, end: text[start:end])
    met = 0
    for statement in Script(text, list(dialects), postpone=True).statements():
        found: list[tuple[int, StatementLineage | None]] = []
        for each in resolved(statement, dialects, session, Budget()):
            session = session.after(each.resolution)
            if met >= len(placed) or lineage.position(each.resolution.process.span) != placed[met].at:
                return
            found.append((placed[met].process, StatementLineage(*each)))
            met += 1
        yield Group(lineage, found, session)
