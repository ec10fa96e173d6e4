"""Which tables of a database some SQL may mean: every name in it, by `sql.mentions`, compared with the names that there are.

A name with a schema means the table of that schema; one without means a table of the search path, or of a schema that the SQL itself
makes the default (`USE mart`). More may be found than is really read, since a column can be called like a table; none less.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect
from headwater.sql.mentions import mentions
from headwater.sql.source import source
from headwater.sql.split import pieces

_SESSION_WORDS = frozenset({"USE", "SET", "DATABASE", "OPEN"})
"""First words of statements that may change the default schema; and there is ALTER SESSION."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The names in some SQL, folded as their dialect folds them."""

    names: frozenset[TableName] = frozenset()
    used: frozenset[str] = frozenset()
    """Names in statements that may change the default schema."""
    defined: frozenset[TableName] = frozenset()
    """What the SQL itself may define."""

    def also(self, other: Wanted) -> Wanted:
        """The names of both."""
        return Wanted(self.names | other.names, self.used | other.used, self.defined | other.defined)

    def defines(self, name: TableName, spoken: Dialect) -> bool:
        """Whether the SQL may define a table itself, by the name that the database gives it."""
        parts = folded(name, spoken)
        return any(parts[start:] in self.defined for start in range(len(parts)))

    def schemas(self, there: Sequence[TableName], path: Sequence[TableName], spoken: Dialect) -> tuple[TableName, ...]:
        """The schemas, of those that are there, whose tables the SQL may mean."""
        words = self.used.union(part for name in self.names for part in name)
        return tuple(schema for schema in there if schema in path or folded(schema, spoken)[-1] in words)

    def has(self, schema: TableName, table: str, path: Sequence[TableName], spoken: Dialect) -> bool:
        """Whether the SQL may mean a table of a schema, by the names that the database gives them."""
        name = folded((*schema, table), spoken)
        if any(name[start:] in self.names for start in range(len(name) - 1)):
            return True
        return name[-1:] in self.names and (schema in path or name[-2] in self.used)


def folded(name: TableName, spoken: Dialect) -> TableName:
    """A name that a database gives a table, as SQL that means it is folded."""
    fold = spoken.fold_table or spoken.fold_column
    return tuple(fold(part, True) for part in name)


def wanted_by(texts: Iterable[tuple[str, Dialect]]) -> Wanted:
    """What some scripts may mean."""
    names: set[TableName] = set()
    used: set[str] = set()
    defined: set[TableName] = set()
    for text, spoken in texts:
        for piece in pieces(source(text, spoken), spoken):
            found = mentions(piece.tokens, spoken, None)
            names.update(found.named)
            defined.update(found.defined)
            if _may_set_default([token.text.upper() for token in piece.tokens[:2]]):
                used.update(part for name in found.named for part in name)
    return Wanted(frozenset(names), frozenset(used), frozenset(defined))


def _may_set_default(first: list[str]) -> bool:
    return first == ["ALTER", "SESSION"] or any(word in _SESSION_WORDS for word in first[:1])
