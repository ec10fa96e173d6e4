"""The catalog: table name to columns, looked at only when a script asks.

Tables are kept as they were given. Names are folded once per dialect rule, all of them in one cheap pass; columns only of the
tables that somebody asks for. Layers stack: what an overlay has hides what is below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

TableSchema = Mapping[str, str]
"""Columns of a table, in order: folded name to type (empty if unknown)."""

Parts = tuple[str, ...]
FoldName = Callable[[str], str]

_COLUMN_WORDS = frozenset({"type", "data_type", "nullable", "comment", "description", "name", "tags", "primary_key"})
"""What the description of a single column may say."""


class CatalogError(ValueError):
    """A schema that cannot be used, with what to do about it."""


class Catalog:
    """Tables and their columns: `{"db.t": {"a": "int"}}`, `{"t": ["a", "b"]}` or nested, `{"db": {"t": …}}`."""

    def __init__(self, tables: Mapping[str, Any] | None = None, below: Catalog | None = None) -> None:
        self._tables: dict[Parts, Any] = dict(_flat(tables or {}))
        self._below = below
        self._folded: dict[FoldName, _Index] = {}
        self._columns: dict[tuple[Parts, FoldName], TableSchema] = {}

    @classmethod
    def of_parts(cls, tables: Iterable[tuple[Parts, Any]]) -> Catalog:
        """A catalog of tables whose names are given as parts already."""
        catalog = cls()
        catalog._tables = dict(tables)
        return catalog

    def __len__(self) -> int:
        return len(self._tables) + (len(self._below) if self._below is not None else 0)

    def over(self, base: Catalog) -> Catalog:
        """This catalog's tables laid over *base*."""
        overlay = Catalog.of_parts(self._tables.items())
        overlay._below = base
        return overlay

    def find(self, name: Parts, fold_table: FoldName, fold_column: FoldName) -> TableSchema | None:
        """The columns of a table by its folded name.

        An entry with fewer parts than the name stands for that table in any schema; an entry with more parts is taken if
        it is the only one that ends in the name.
        """
        index = self._folded.get(fold_table)
        if index is None:
            index = self._folded[fold_table] = _Index(self._tables, fold_table)
        found = index.find(name)
        if found:
            return self._columns_of(found, fold_column)
        return None if self._below is None else self._below.find(name, fold_table, fold_column)

    def _columns_of(self, entries: tuple[Parts, ...], fold: FoldName) -> TableSchema:
        """The columns of a table, from all entries that spell it."""
        key = (entries[0], fold)
        if key not in self._columns:
            columns: dict[str, str] = {}
            for entry in entries:
                columns.update(_columns(entry, self._tables[entry], fold))
            self._columns[key] = columns
        return self._columns[key]


class _Index:
    """Table entries by folded name; those that only end in a name are looked through when nothing else fits."""

    __slots__ = ("_entries", "_fold", "_names", "_suffixes")

    def __init__(self, entries: Mapping[Parts, Any], fold: FoldName) -> None:
        self._entries = entries
        self._fold = fold
        self._suffixes: dict[Parts, tuple[Parts, ...]] | None = None
        self._names: dict[Parts, tuple[Parts, ...]] = {}
        for entry in entries:
            name = tuple([fold(part) for part in entry])
            self._names[name] = (*self._names.get(name, ()), entry)

    def find(self, name: Parts) -> tuple[Parts, ...]:
        """The entries of a table."""
        for start in range(len(name)):
            found = self._names.get(name[start:])
            if found is not None:
                return found
        if self._suffixes is None:
            self._suffixes = self._by_suffix()
        return self._suffixes.get(name, ())

    def _by_suffix(self) -> dict[Parts, tuple[Parts, ...]]:
        found: dict[Parts, tuple[Parts, ...]] = {}
        for name, entries in self._names.items():
            for start in range(1, len(name)):
                suffix = name[start:]
                found[suffix] = () if suffix in found else entries
        return found


def _columns(table: Parts, columns: Any, fold: FoldName) -> dict[str, str]:
    if isinstance(columns, Mapping):
        return {fold(str(name)): _type(kind) for name, kind in columns.items()}
    if isinstance(columns, Iterable) and not isinstance(columns, str):
        return dict(_listed(table, column, fold) for column in columns)
    raise CatalogError(f"table {'.'.join(table)}: columns must be a mapping or a list, not {columns!r}")


def _listed(table: Parts, column: Any, fold: FoldName) -> tuple[str, str]:
    """A column of a list: its name, or a description with a name."""
    if isinstance(column, Mapping):
        name = column.get("name") or column.get("column") or column.get("column_name")
        if not name:
            raise CatalogError(f"table {'.'.join(table)}: a column has no name in {column!r}")
        return fold(str(name)), _type(column)
    return fold(str(column)), ""


def _type(kind: Any) -> str:
    if isinstance(kind, Mapping):
        return str(kind.get("type") or kind.get("data_type") or "")
    return "" if kind is None else str(kind)


def _flat(tables: Mapping[str, Any]) -> Iterator[tuple[Parts, Any]]:
    """The tables of a flat or nested mapping: a mapping of mappings or lists is a schema of tables."""
    for name, value in tables.items():
        parts = tuple(str(name).split("."))
        if isinstance(value, Mapping) and value and all(_is_table(v) for v in value.values()):
            yield from ((parts + inner, columns) for inner, columns in _flat(value))
        else:
            _check(parts, value)
            yield parts, value


def _check(table: Parts, columns: Any) -> None:
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise CatalogError(f"table {'.'.join(table)}: columns must be a mapping or a list, not {columns!r}")


def _is_table(value: Any) -> bool:
    """Whether a value inside a mapping describes a table, and not a column of one."""
    if isinstance(value, Mapping):
        return not value or not (value.keys() <= _COLUMN_WORDS and {"type", "data_type"} & value.keys())
    return isinstance(value, (list, tuple))
