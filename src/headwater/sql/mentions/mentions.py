"""What a statement may name and define, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot.tokenizer_core import Token

from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect
from headwater.sql.mentions.default_schema import has_unqualified_table
from headwater.sql.mentions.definitions import definitions
from headwater.sql.mentions.names import MARKED, chains
from headwater.sql.mentions.strings import inner_statements, unswallowed

_DEPTH = 4
"""Parts that a table's name can have."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The tables that a statement may read or write, those that it may define, and of these the temporary ones."""

    named: tuple[TableName, ...]
    defined: tuple[TableName, ...]
    temporary: tuple[TableName, ...]
    unqualified: bool
    """Whether the default schema may matter: some table is named without one."""


def mentions(tokens: Sequence[Token], dialect: Dialect, default: TableName | None) -> Mentions:
    """What a statement may name and define; *default* is the schema of names that have none."""
    tokens = unswallowed(tokens, dialect)
    parts = [tokens, *inner_statements(tokens, dialect)]
    named = dict.fromkeys(name for part in parts for name in _named(part, dialect, default))
    defined: dict[TableName, None] = {}
    temporary = dict.fromkeys(name for name in named if name[-1].startswith(MARKED))
    for name, passing in (each for part in parts for each in definitions(part, dialect)):
        made = _known_as(name, default, passing)
        defined.update(made)
        if passing:
            temporary.update(made)
    unqualified = any(map(has_unqualified_table, parts))
    return Mentions(tuple(named | defined), tuple(defined), tuple(temporary), unqualified)


def _named(tokens: Sequence[Token], dialect: Dialect, default: TableName | None) -> dict[TableName, None]:
    """The names that some tokens hold, as long as tables' names may be."""
    named: dict[TableName, None] = {}
    for chain in chains(tokens, dialect):
        for length in range(1, min(len(chain), _DEPTH) + 1):
            named[_qualified(chain[:length], default)] = None
        named[chain[:1]] = None  # temporary ones have no schema everywhere
        if chain[-1].startswith("#"):
            named[chain[-1:]] = None  # `tempdb..#t`
    return named


def _known_as(name: TableName, default: TableName | None, temporary: bool) -> dict[TableName, None]:
    """The names by which others may mean what a statement defines; temporary tables are in no schema everywhere."""
    bare = [name] if temporary and len(name) == 1 else []
    return dict.fromkeys([_qualified(name, default), *bare])


def _qualified(parts: TableName, default: TableName | None) -> TableName:
    if default and len(parts) <= len(default) and not parts[-1].startswith(MARKED):
        return default[: len(default) + 1 - len(parts)] + parts
    return parts
