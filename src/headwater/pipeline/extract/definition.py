"""Definitions on their way from the unit that makes them to the units that ask for them, as text.

A table's definition is its columns and what else the resolver knows of it; a function's is the statement that creates it, to be read again
where it is called; of a program, only what a call of it does travels.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from headwater.model.entity import EntityKind, TableName
from headwater.model.kind import Kind
from headwater.model.resolution import Definition, Effect, End, SqlFunction
from headwater.procedural import resolutions
from headwater.resolve import Session
from headwater.sql.dialect import dialect
from headwater.sql.script import statements
from headwater.store.identity import NOWHERE, identify

_LEFT_OUT = "default"
"""Stands for the default of a parameter, which its routine has taken into account."""

UNKNOWN = 0
"""The digest of a table of which nothing is known."""


class FunctionText(NamedTuple):
    """A function, or a program that others need whole, as the statement that creates it."""

    sql: str
    dialect: str
    default_schema: TableName | None


@lru_cache(maxsize=65_536)
def table_id(name: TableName) -> int:
    """The id by which units ask for a table."""
    return identify("name", *name)


def function_text(sql: str, spoken: str, default: TableName | None) -> str:
    """The statement that creates functions, ready to travel."""
    return json.dumps({"function": sql, "dialect": spoken, "default": default}, ensure_ascii=False)


def packed(definition: Definition) -> str:
    """A definition, ready to travel; the same definition is always the same text."""
    content: dict[str, Any] = {"table": definition.table}
    if definition.columns is not None:
        content["columns"] = list(definition.columns.items())
    for flag in ("temporary", "view", "unknown"):
        if getattr(definition, flag):
            content[flag] = True
    if definition.key:
        content["key"] = definition.key
    for names in ("computed", "hidden"):
        if getattr(definition, names):
            content[names] = sorted(getattr(definition, names))
    return json.dumps(content, ensure_ascii=False)


def routine_text(routine: SqlFunction) -> str:
    """A program that can be called, ready to travel: what a call of it does."""
    content = {
        "routine": routine.name,
        "parameters": [(name, default is not None) for name, default in routine.parameters],
        "columns": routine.columns,
        "effects": routine.effects,
        "modes": routine.modes,
        "procedure": routine.procedure,
    }
    return json.dumps(content, ensure_ascii=False)


def _routine(found: dict[str, Any]) -> SqlFunction:
    return SqlFunction(
        tuple(found["routine"]),
        tuple((name, _LEFT_OUT if default else None) for name, default in found["parameters"]),
        None,
        tuple(found["columns"]),
        effects=tuple(Effect(_end(source), _end(target), Kind(*kind)) for source, target, kind in found["effects"]),
        modes=tuple(found["modes"]),
        procedure=found["procedure"],
    )


def _end(found: list[Any]) -> End:
    column, parameter, kind, table, temporary = found
    return End(column, parameter, EntityKind(kind), tuple(table) if table is not None else None, temporary)


class Arrived(NamedTuple):
    """What has travelled, and how units ask for it."""

    what: Definition | FunctionText | SqlFunction
    table: int
    """The id of the table; of nothing, for a function."""
    digest: int


@lru_cache(maxsize=32_768)
def arrived(content: str) -> Arrived:
    """A definition at its place of use."""
    what = unpacked(content)
    return Arrived(what, table_id(what.table) if isinstance(what, Definition) else NOWHERE, digest(content))


def unpacked(content: str) -> Definition | FunctionText | SqlFunction:
    """A definition out of its text."""
    found = json.loads(content)
    if "routine" in found:
        return _routine(found)
    if "function" in found:
        return FunctionText(found["function"], found["dialect"], _name(found["default"]))
    return Definition(
        tuple(found["table"]),
        dict(found["columns"]) if "columns" in found else None,
        temporary=found.get("temporary", False),
        view=found.get("view", False),
        unknown=found.get("unknown", False),
        key=tuple(found.get("key", ())),
        computed=frozenset(found.get("computed", ())),
        hidden=frozenset(found.get("hidden", ())),
    )


def _name(parts: list[str] | None) -> TableName | None:
    return tuple(parts) if parts else None


class Created(NamedTuple):
    """What a statement creates: functions, and programs that others need whole."""

    functions: tuple[SqlFunction, ...]
    programs: tuple[tuple[TableName, Any], ...]


@lru_cache(maxsize=256)
def created(text: FunctionText) -> Created:
    """The functions and programs that a statement creates."""
    session = Session(default_schema=text.default_schema)
    spoken = [dialect(text.dialect)]
    made = [r for s in statements(text.sql, spoken) for _, r in resolutions(s, session)]
    functions = (f for resolution in made for f in resolution.functions if f.effects is None)
    return Created(tuple(functions), tuple(p for resolution in made for p in resolution.programs))


class Given:
    """The definitions that a unit is given: of tables, by name; of functions; and their digests."""

    def __init__(self, contents: Iterable[str]) -> None:
        self.tables: dict[TableName, Definition] = {}
        self.functions: list[SqlFunction] = []
        self.programs: dict[TableName, Any] = {}
        self._digests: dict[int, int] = {}
        calls = []
        for content in contents:
            what, table, known_by = arrived(content)
            if isinstance(what, Definition):
                self.tables[what.table] = what
                self._digests[table] = known_by
            else:
                self._made(what)
                calls.append(content)
        if calls:
            self._digests[NOWHERE] = identify("functions", *sorted(calls))

    def _made(self, what: FunctionText | SqlFunction) -> None:
        if isinstance(what, SqlFunction):
            self.functions.append(what)
        else:
            self.functions += created(what).functions
            self.programs.update(created(what).programs)

    def digest(self, table: int) -> int:
        """The digest of a table's definition; of all functions together, for the table that is none."""
        return self._digests.get(table, UNKNOWN)

    def still_holds(self, asked: Iterable[tuple[int, int]]) -> bool:
        """Whether an analysis that asked for these tables, and found these digests, would be the same with these definitions."""
        return all(self.digest(table) == found for table, found in asked)


def digest(content: str) -> int:
    """The digest of a definition."""
    return identify("definition", content)
