"""Calls of procedures that the script defines only behind the call: resolved again once the whole script is known.

A procedure is looked up when it is called, not when its caller is created, so the order of their definitions means nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.model.diagnostic import Code
from headwater.model.resolution import Resolution
from headwater.resolve import Session
from headwater.sql.form import Routine, RowsOfProcedure
from headwater.sql.statement import Statement

_MOST_PASSES = 3
"""Passes over callers that call each other."""


def may_call(statement: Statement) -> bool:
    """Whether a statement may call procedures; what a heavy one does is not known here."""
    return statement.postponed or isinstance(statement.tree, (Routine, RowsOfProcedure))


def calls_of_later(programs: Sequence[tuple[Statement, Sequence[Resolution]]], session: Session) -> list[int]:
    """The programs that have to be resolved again now that the session knows all procedures, in the order for that.

    Procedures come first, the last one before the others, as a callee is mostly defined behind its caller.
    """
    late: set[str] = set()
    for statement, made in programs:
        late.update(name for name in _unknown(statement, made) if _is_known(name, session))
    if not late:
        return []
    found: dict[int, None] = {}
    for _ in range(_MOST_PASSES):
        before = len(found)
        for i in reversed(range(len(programs))):
            statement, made = programs[i]
            if i not in found and _mentions(statement, late):
                found[i] = None
                late.update(each.name[-1] for resolution in made for each in resolution.functions)
        if len(found) == before:
            break
    return sorted(found, key=lambda i: (not any(resolution.functions for resolution in programs[i][1]), -i))


def _unknown(statement: Statement, made: Sequence[Resolution]) -> list[str]:
    """The last parts of the names of procedures that were not known, folded."""
    fold = statement.dialect.fold_table or statement.dialect.fold_column
    return [
        fold(diagnostic.subject.rpartition(".")[2], False)
        for resolution in made
        for diagnostic in resolution.diagnostics
        if diagnostic.code is Code.UNKNOWN_PROCEDURE
    ]


def _is_known(name: str, session: Session) -> bool:
    return any(each.procedure for each in session.functions.get(name, {}).values())


def _mentions(statement: Statement, names: set[str]) -> bool:
    """Whether a program's text has one of some names."""
    text = statement.text.raw[slice(*statement.span)].lower()
    return any(name.lower() in text for name in names)
