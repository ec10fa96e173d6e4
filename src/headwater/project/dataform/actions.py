"""Actions of a Dataform project: tables, views, assertions, operations, declarations; of `.sqlx` files and of programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from headwater.project.dataform.js_run import Machine, Module
from headwater.project.dataform.js_values import Builtin, Closure, PlacedText, Scope, Unknown, Value
from headwater.project.dataform.sqlx import SqlText
from headwater.project.objects import Place

QUERIES = ("table", "view", "incremental", "inline")
"""Kinds of actions that are a query."""


class Written(NamedTuple):
    """SQL that an action gave, and where it stands."""

    sql: str
    place: Place


Given = SqlText | Value
"""SQL as an action has it: of a `.sqlx` file with placeholders; of a program a text, a list of these, or a function that gives one."""


@dataclass(slots=True)
class Action:
    """An action."""

    kind: str
    """`table`, `view`, `incremental`, `inline`, `operations`, `assertion`, `declaration`."""
    name: str
    config: dict[str, Value]
    place: Place
    module: Module = field(repr=False)
    queries: list[Given] = field(default_factory=list)
    before: list[Given] = field(default_factory=list)
    after: list[Given] = field(default_factory=list)
    incremental_where: Given = None

    def text(self, key: str) -> str:
        """A text of its configuration; empty where there is none."""
        found = self.config.get(key)
        return str(found) if isinstance(found, str) else ""


@dataclass(frozen=True, slots=True)
class Writing:
    """Writes the SQL of an action: its placeholders and functions see what Dataform hands them."""

    machine: Machine
    action: Action
    context: dict[str, Value]

    def all(self, given: list[Given]) -> Iterator[Written]:
        """Every text of a list; what is empty is left out."""
        for each in given:
            yield from (written for written in self._texts(each) if written.sql.strip())

    def _texts(self, given: Given) -> Iterator[Written]:
        if isinstance(given, SqlText):
            yield self._rendered(given)
            return
        place = self.action.place
        if isinstance(given, Closure):
            place = given.module.place(given.function.body.offset)
            given = self.machine.called(given, [self.context])
        elif isinstance(given, Builtin):
            given = self.machine.called(given, [])
        for item in given if isinstance(given, list) else [given]:
            if isinstance(item, (str, Unknown)):
                stands = item.place if isinstance(item, PlacedText) else place
                text = self.machine.text(item)
                yield Written(text, _behind_space(text, stands))

    def _rendered(self, given: SqlText) -> Written:
        module = self.action.module
        scope = Scope(self.context, module.scope)
        made = (
            part if isinstance(part, str) else self.machine.text(self.machine.value(part.expression, module, scope))
            for part in given.parts
        )
        return Written("".join(made).strip(), module.place(given.offset))


def _behind_space(text: str, place: Place) -> Place:
    """The place of the first character that is no space, of a text that begins at a place."""
    space = text[: len(text) - len(text.lstrip())]
    if "\n" not in space:
        return place._replace(column=place.column + len(space))
    return place._replace(line=place.line + space.count("\n"), column=len(space) - space.rfind("\n"))
