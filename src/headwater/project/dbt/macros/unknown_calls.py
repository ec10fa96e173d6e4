"""`UnknownCalls`: the calls of macros that nobody has. In templates their results are `UnknownValue`s; in SQL they are written as calls.

select {{ acme.mask('a') }} as x from {{ acme.latest(ref('base')) }}
select acme__mask(a) as x from acme__latest((select * from base))
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from headwater.model.unknown_part import UNKNOWN_MACRO_PART
from headwater.project.dbt.macros.mark_positions import Position, Role, positions
from headwater.project.dbt.macros.unknown_arguments import Argument, arguments_of, written
from headwater.source.jinja_unknown import FIRST, LAST, MARKS, UnknownValue, has_mark, unmarked
from headwater.source.template_map import TemplateMap
from headwater.sql.dialect import Dialect

_MARK = re.compile(f"[{MARKS}]")
_RUN = re.compile(rf"[\w${MARKS}]+")
_DEEPEST = 20
"""Calls inside of each other that are written."""

_LONGEST = 20_000
"""Characters of the arguments of a call."""


class Call(NamedTuple):
    """The call of a macro that nobody has."""

    name: str
    arguments: tuple[Argument, ...]


class Written(NamedTuple):
    """A text with its calls, where it stands, and what each macro's result stands for in it."""

    sql: str
    places: TemplateMap | None
    roles: tuple[tuple[str, Role], ...]


class UnknownCalls:
    """The calls of one project; each has a mark."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._marks: dict[Call, str] = {}
        self._calls: dict[str, Call] = {}
        self._spelled_calls: dict[tuple[str, bool], str] = {}

    def value(self, name: str, given: tuple[Any, ...], named: Mapping[str, Any]) -> UnknownValue:
        """What a call gives."""
        call = Call(name, arguments_of(given, named))
        if call not in self._marks and FIRST + len(self._marks) < LAST:
            self._marks[call] = chr(FIRST + len(self._marks))
            self._calls[self._marks[call]] = call
        return UnknownValue(self._marks.get(call, chr(LAST)))

    def plain(self, value: Any) -> Any:
        """A value with a name in the place of unknown values; for what is no SQL."""
        return unmarked(value, UNKNOWN_MACRO_PART)

    def only(self, text: str) -> Call | None:
        """The call that a text consists of."""
        text = text.strip()
        return self._calls.get(_MARK.findall(text)[0]) if has_mark(text) and _RUN.fullmatch(text) else None

    def written(self, text: str, places: TemplateMap | None = None) -> Written:
        """A text with calls where marks stand."""
        if not has_mark(text):
            return Written(text, places, ())
        roles: dict[tuple[str, Role], None] = {}
        made: list[str] = []
        changes: list[tuple[int, int, int]] = []
        at = 0
        for position in positions(text):
            run = text[position.start : position.end]
            roles |= {(call.name, position.role): None for call in self._in(run)}
            made += (text[at : position.start], self._spelled(run, position))
            changes.append((position.start, position.end, len(made[-1])))
            at = position.end
        return Written("".join((*made, text[at:])), places and places.respelled(changes), tuple(roles))

    def _in(self, run: str) -> Iterator[Call]:
        return (call for mark in _MARK.findall(run) if (call := self._calls.get(mark)) is not None)

    def _spelled(self, run: str, position: Position) -> str:
        role = position.role
        if role is Role.NOTHING:
            return ""
        if role is Role.PART:
            return str(self.plain(run))
        if role is Role.TYPE:
            return "varchar"
        called = self._called(run, role not in (Role.EXPRESSION, Role.COLUMNS), 0)
        if role is Role.COLUMNS:
            return f"{called} as {UNKNOWN_MACRO_PART}"
        if role is Role.QUERY:
            return f"select * from {called}"
        return f"{self._name(run)}_tables as (select * from {called})" if role is Role.TABLES else called

    def _name(self, run: str) -> str:
        return _MARK.sub(
            lambda mark: _function(self._calls[mark[0]].name) if mark[0] in self._calls else "unknown", run
        )

    def _called(self, run: str, in_from: bool, depth: int) -> str:
        """A call with the arguments of all macros in a word; without them, if it is too long."""
        if (run, in_from) not in self._spelled_calls:
            given = (each for call in self._in(run) for each in call.arguments)
            listed = ", ".join(found for each in given if (found := self._argument(each, in_from, depth)))
            self._spelled_calls[run, in_from] = f"{self._name(run)}({listed if len(listed) <= _LONGEST else ''})"
        return self._spelled_calls[run, in_from]

    def _argument(self, argument: Argument, in_from: bool, depth: int) -> str:
        text = argument.text
        if not has_mark(text):
            return _argument(argument, in_from, self._dialect)
        if depth > _DEEPEST:
            return ""
        if _RUN.fullmatch(text):
            inner = self._called(text, in_from, depth + 1)
            is_table = any(each.kind == "table" for call in self._in(text) for each in call.arguments)
            return f"(select * from {inner})" if in_from and is_table else inner
        if argument.kind == "table":
            return f"(select * from {self.plain(text)})"
        inner = _MARK.sub(lambda mark: self._called(mark[0], in_from, depth + 1), text)
        return _argument(argument._replace(text=inner), in_from, self._dialect)


@lru_cache(maxsize=4096)
def _argument(argument: Argument, in_from: bool, dialect: Dialect) -> str:
    return written(argument, in_from, dialect)


def _function(macro: str) -> str:
    """What a macro is called as a function; with a dot, some dialects take it for a method of a column."""
    return re.sub(r"\W", "_", macro.replace(".", "__"))
