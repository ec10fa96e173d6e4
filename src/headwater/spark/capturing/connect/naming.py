"""Names in a client's plan: columns by name, by alias, and by the DataFrame that they were taken from.

    orders.join(customers, orders.id == customers.id).select(customers.id)

is told by the id of the plan `customers`: each column remembers the plans that it came through. Within a statement, columns of one result
have different names, whatever Spark calls them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_PART = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")


class Column(NamedTuple):
    """A column of a result."""

    name: str
    """What Spark calls it."""
    sql: str
    """What the statement calls it: a name of its own within its result."""
    origins: frozenset[int] = frozenset()
    """The plans that it came through unchanged."""
    qualifier: tuple[str, ...] = ()
    """The table or alias that it may be qualified by."""
    type: str = ""
    """Its type, if the server was asked."""


class Result(NamedTuple):
    """What a relation gives: a CTE of the statement, and its columns."""

    cte: str
    columns: tuple[Column, ...]


class Item(NamedTuple):
    """Something in FROM: a result, and the alias that its columns need; none where there is nothing else."""

    result: Result
    alias: str = ""

    def written(self, column: Column) -> str:
        """A column of it, in SQL."""
        return f"{quoted(self.alias)}.{quoted(column.sql)}" if self.alias else quoted(column.sql)


def quoted(*parts: str) -> str:
    """A name in SQL."""
    return ".".join("`" + part.replace("`", "``") + "`" for part in parts)


def parts_of(name: str) -> tuple[str, ...]:
    """The parts of a name as the client writes it: ``a.`b.c` `` has two."""
    return tuple((m[1] or "").replace("``", "`") if m[2] is None else m[2].strip() for m in _PART.finditer(name))


def typed(columns: Sequence[tuple[str, str]]) -> tuple[Column, ...]:
    """Columns as the server tells them, by name and type."""
    return tuple(c._replace(type=type) for c, (_, type) in zip(named(n for n, _ in columns), columns, strict=True))


def named(names: Iterable[str], columns: Iterable[Column] | None = None) -> tuple[Column, ...]:
    """Columns of these names, each with a name of its own; of *columns*, what they remember."""
    met: dict[str, int] = {}
    made = []
    kept = columns or ()
    for name, old in zip(names, kept, strict=True) if columns is not None else ((name, None) for name in names):
        count = met[name.lower()] = met.get(name.lower(), 0) + 1
        sql = name if count == 1 else f"{name}#{count}"
        made.append(Column(name, sql) if old is None else old._replace(name=name, sql=sql))
    return tuple(made)


def qualified(column: Column, parts: Sequence[str]) -> bool:
    """Whether a column may be qualified like that."""
    mine, asked = [p.lower() for p in column.qualifier], [p.lower() for p in parts]
    return bool(asked) and mine[-len(asked) :] == asked


def found(
    items: Sequence[Item], parts: tuple[str, ...], plan: int | None
) -> tuple[Item, Column, tuple[str, ...]] | None:
    """The column that a name means, and the fields below it that remain of the name; None if nobody has it."""
    for length in range(len(parts)):
        before, name, fields = parts[:length], parts[length].lower(), parts[length + 1 :]
        same = [
            (item, column, fields)
            for item in items
            for column in item.result.columns
            if column.name.lower() == name and (not before or qualified(column, before))
        ]
        of_plan = [each for each in same if plan in each[1].origins] if plan is not None else []
        if of_plan or same:
            return (of_plan or same)[0]
    return None
