"""Texts on their way through a program: what scalars hold as text, and the place of what is executed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from headwater.model.resolution import Resolution
from headwater.model.span import Span
from headwater.model.work import current_work
from headwater.procedural.origin import State
from headwater.resolve.variable import Variables
from headwater.sql.dialect import Dialect
from headwater.sql.procedural.executed import Executed, executed
from headwater.sql.procedural.form import Assign, Dynamic
from headwater.sql.procedural.text import (
    TOO_LONG,
    UNKNOWN,
    Lookup,
    Text,
    Texts,
    hole_values,
    joined,
    name_of,
    texts_given,
)
from headwater.sql.script import statements
from headwater.sql.statement import Statement


def reader(state: State, variables: Variables) -> Lookup:
    """Looks up the texts that a variable may hold in a state."""

    def lookup(node: Any) -> Texts | None:
        dialect = variables.dialect
        found = variables.find(dialect.fold_column(name_of(node, dialect.session_marks or "@"), False))
        return state.texts(found.number) if found is not None else None

    return lookup


class ExecutedTexts:
    """The steps of the texts that a program executes; each text is read once."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, Text], Executed | None] = {}
        self._too_long: dict[int, Statement] = {}

    def steps(self, statement: Statement, form: Dynamic, text: Text, lookup: Lookup) -> Executed | None:
        """What a text does that a statement executes; None if that is not known."""
        key = (id(statement), text)
        if key not in self._read:
            if text == TOO_LONG or not current_work().reads_text(sum(len(part or "") for part in text)):
                self._too_long[id(statement)] = replace(statement, tree=replace(form, too_long=True))
                return None
            holes = hole_values(form.text, lookup) if None in text else []
            self._read[key] = executed(text, statement, form, _script, holes)
        return self._read[key]

    def unread(self, statement: Statement, form: Dynamic) -> Statement:
        """What stands for a statement whose text is not known."""
        return form.otherwise or self._too_long.get(id(statement), statement)

    def followed(self, statement: Statement) -> list[Statement]:
        """All that a statement has executed so far."""
        read = (found for (by, _), found in self._read.items() if by == id(statement) and found is not None)
        return [each.statement for found in read for each in found.inside]


def _script(sql: str, dialect: Dialect) -> list[Statement]:
    return list(statements(sql, [dialect]))


def know_texts(statement: Statement, resolution: Resolution, before: State, after: State, variables: Variables) -> None:
    """Note the texts that the variables hold which a statement assigns."""
    form = statement.tree
    values = _texts_given(form, before, variables) if isinstance(form, Assign) else {}
    for column in resolution.assigned:
        variable = resolution.entities[resolution.columns[column][0]].variable
        if variable is None or variable.kind != "scalar":
            continue
        held = before.texts(variable.number)
        value = values.get(variable.name.lower(), UNKNOWN)
        adds = isinstance(form, Assign) and any(target.partly for target in form.targets)
        after.set_texts(variable.number, joined(held or UNKNOWN, value) if adds else value)


def _texts_given(form: Assign, before: State, variables: Variables) -> dict[str, Texts]:
    """The texts that an assignment gives, by the names of its targets in lower case."""
    names = [target.parts[-1].name.lower() for target in form.targets]
    return dict(zip(names, texts_given(form.value, len(names), reader(before, variables)), strict=False))


def executed_at(resolution: Resolution, place: Span) -> Resolution:
    """The resolution of a statement that stands in an executed text: its places are where that is executed, its expressions nowhere."""
    expression = resolution.expression

    def text_of(made_at: Any) -> tuple[str, Span | None]:
        return expression(made_at)[0], None

    return resolution._replace(
        process=replace(resolution.process, span=place),
        diagnostics=[replace(d, span=place) for d in resolution.diagnostics],
        locate=lambda made_at: None if made_at is None else place,
        expression=text_of,
    )
