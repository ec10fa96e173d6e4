"""What a statement may name and define, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain as concatenation

from sqlglot.tokenizer_core import Token

from headwater.model.entity import TableName, is_parameter
from headwater.sql.dialect import Dialect
from headwater.sql.mentions.default_schema import has_unqualified_table
from headwater.sql.mentions.definitions import SPECIFICATION, definitions, may_use_packages, specification_of
from headwater.sql.mentions.implied import implied_tables
from headwater.sql.mentions.names import MARKED, chains, names_by_parameter
from headwater.sql.mentions.strings import inner_statements, sources_of_tables, unswallowed, with_spelled
from headwater.sql.mentions.words import Words
from headwater.sql.placeholder_periods import hidden_periods, may_split_placeholders, with_periods

_DEPTH = 4
"""Parts that a table's name can have."""
_DEPTH_OF_PATH = 12
"""Parts that it can have where folders are parts of it."""


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
    if not may_split_placeholders(tokens, dialect):
        return _mentions(tokens, dialect, default)
    found = _mentions(hidden_periods(tokens), dialect, default)
    named, defined, temporary = (
        tuple(map(with_periods, names)) for names in (found.named, found.defined, found.temporary)
    )
    return Mentions(named, defined, temporary, found.unqualified)


def _mentions(tokens: Sequence[Token], dialect: Dialect, default: TableName | None) -> Mentions:
    words = with_spelled(unswallowed(Words(tokens), dialect), dialect)
    parts = [words, *inner_statements(words, dialect), *sources_of_tables(words, dialect)]
    parts += implied_tables(words, dialect)
    found = dict.fromkeys(chain for part in parts for chain in chains(part, dialect))
    if dialect.pipeline_schema:
        found |= dict.fromkeys([chain[1:] for chain in found if chain[0] == dialect.pipeline_schema and len(chain) > 1])
    named = dict.fromkeys(
        concatenation.from_iterable([_meant_by(chain, default, dialect.paths_are_whole) for chain in found])
    )
    specification = specification_of(words, dialect)
    if specification:
        named[_qualified(specification, default, dialect.paths_are_whole)] = None
    if may_use_packages(words, dialect):
        packages = dict.fromkeys((*chain[:-1], SPECIFICATION) for chain in found if len(chain) > 1)
        named |= dict.fromkeys(_qualified(package, default, dialect.paths_are_whole) for package in packages)
    defined: dict[TableName, None] = {}
    temporary = dict.fromkeys([name for name in named if name[-1].startswith(MARKED)])
    if any(is_parameter(name) for name in named) and any(names_by_parameter(part) for part in parts):
        temporary.update(dict.fromkeys([name for name in named if is_parameter(name)]))
    for name, passing in (each for part in parts for each in definitions(part, dialect)):
        made = _known_as(name, default, passing, dialect.paths_are_whole)
        defined.update(made)
        if passing:
            temporary.update(made)
    for name in defined:
        if name[-1] == SPECIFICATION:  # does not need the body, which needs the specification
            named.pop(name[:-1], None)
    unqualified = any(map(has_unqualified_table, parts))
    return Mentions(tuple(named | defined), tuple(defined), tuple(temporary), unqualified)


@lru_cache(maxsize=32_768)
def _meant_by(chain: TableName, default: TableName | None, whole: bool) -> tuple[TableName, ...]:
    """The tables that a run of names may mean: it may go on with a column and its fields."""
    longest = min(len(chain), _DEPTH_OF_PATH if whole else _DEPTH)
    names = [_qualified(chain[:length], default, whole) for length in range(1, longest + 1)]
    names.append(chain[:1])  # temporary ones have no schema everywhere
    if chain[-1].startswith("#"):
        names.append(chain[-1:])  # `tempdb..#t`
    return tuple(dict.fromkeys(names))


def _known_as(name: TableName, default: TableName | None, temporary: bool, whole: bool) -> dict[TableName, None]:
    """The names by which others may mean what a statement defines; temporary tables are in no schema everywhere."""
    bare = [name] if temporary and len(name) == 1 else []
    return dict.fromkeys([_qualified(name, default, whole), *bare])


def _qualified(parts: TableName, default: TableName | None, whole: bool) -> TableName:
    if whole and len(parts) > 1:
        return parts
    if default and len(parts) <= len(default) and not parts[-1].startswith(MARKED):
        return default[: len(default) + 1 - len(parts)] + parts
    return parts
