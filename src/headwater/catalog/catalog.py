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
        self._tables: Mapping[str, Any] = tables or {}
        self._below = below
        self._folded: dict[FoldName, _Index] = {}
        self._columns: dict[tuple[str, FoldName], TableSchema] = {}

    def check(self) -> Catalog:
        """Look at every table once; raises `CatalogError` for what cannot be one."""
        for name, columns in _flat(self._tables):
            if isinstance(columns, str) or not isinstance(columns, Iterable):
                raise CatalogError(f"table {name}: columns must be a mapping or a list, not {columns!r}")
        return self

    def as_given(self) -> Iterator[tuple[str, Any]]:
        """Every table by its dotted name, with all that was said of it; what is laid over others first."""
        yield from _flat(self._tables)
        if self._below is not None:
            yield from self._below.as_given()

    def __reduce__(self) -> tuple[Any, ...]:
        return Catalog, (self._tables, self._below)

    def tables(self, fold_table: FoldName, fold_column: FoldName) -> Iterator[tuple[Parts, TableSchema]]:
        """Every table by its folded name, what is laid over others first; a name may come again from below."""
        for name, columns in _flat(self._tables):
            yield tuple(fold_table(part) for part in name.split(".")), _columns(name, columns, fold_column)
        if self._below is not None:
            yield from self._below.tables(fold_table, fold_column)

    def over(self, base: Catalog) -> Catalog:
        """This catalog's tables laid over *base*."""
        return Catalog(self._tables, base if self._below is None else self._below.over(base))

    def find(self, name: Parts, fold_table: FoldName, fold_column: FoldName) -> TableSchema | None:
        """The columns of a table by its folded name; the folds take names as a schema spells them, dotted ones too.

        An entry with fewer parts than the name stands for that table in any schema; an entry with more parts is taken if
        it is the only one that ends in the name.
        """
        index = self._folded.get(fold_table)
        if index is None:
            index = self._folded[fold_table] = _Index(self._tables, fold_table)
        found = index.find(name)
        if found is not None:
            key = (found, fold_column)
            if key not in self._columns:
                self._columns[key] = _columns(found, index.columns(found), fold_column)
            return self._columns[key]
        return None if self._below is None else self._below.find(name, fold_table, fold_column)


class _Index:
    """Tables by folded dotted name; those that only end in a name are looked through when nothing else fits."""

    __slots__ = ("_names", "_suffixes")

    def __init__(self, tables: Mapping[str, Any], fold: FoldName) -> None:
        self._names: dict[str, Any] = {fold(name): columns for name, columns in _flat(tables)}
        self._suffixes: dict[str, str | None] | None = None

    def columns(self, name: str) -> Any:
        """The columns of a table, as they were given."""
        return self._names[name]

    def find(self, name: Parts) -> str | None:
        """The indexed name of a table."""
        for start in range(len(name)):
            dotted = ".".join(name[start:])
            if dotted in self._names:
                return dotted
        if self._suffixes is None:
            self._suffixes = self._by_suffix()
        return self._suffixes.get(".".join(name))

    def _by_suffix(self) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for name in self._names:
            _, dot, suffix = name.partition(".")
            while dot:
                found[suffix] = None if suffix in found else name
                _, dot, suffix = suffix.partition(".")
        return found


def _columns(table: str, columns: Any, fold: FoldName) -> dict[str, str]:
    if isinstance(columns, Mapping):
        return {fold(str(name)): _type(kind) for name, kind in columns.items()}
    if isinstance(columns, Iterable) and not isinstance(columns, str):
        return dict(_listed(table, column, fold) for column in columns)
    raise CatalogError(f"table {table}: columns must be a mapping or a list, not {columns!r}")


def _listed(table: str, column: Any, fold: FoldName) -> tuple[str, str]:
    """A column of a list: its name, or a description with a name."""
    if isinstance(column, Mapping):
        name = column.get("name") or column.get("column") or column.get("column_name")
        if not name:
            raise CatalogError(f"table {table}: a column has no name in {column!r}")
        return fold(str(name)), _type(column)
    return fold(str(column)), ""


def _type(kind: Any) -> str:
    if isinstance(kind, Mapping):
        return str(kind.get("type") or kind.get("data_type") or "")
    return "" if kind is None else str(kind)


def _flat(tables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The tables of a flat or nested mapping, by dotted name: a mapping of mappings or lists is a schema of tables."""
    for name, value in tables.items():
        if isinstance(value, Mapping) and value and all(map(_is_table, value.values())):
            yield from ((f"{name}.{inner}", columns) for inner, columns in _flat(value))
        else:
            yield str(name), value


def _is_table(value: Any) -> bool:
    """Whether a value inside a mapping describes a table, and not a column of one."""
    if isinstance(value, str):
        return False
    if isinstance(value, Mapping):
        return not value or not (value.keys() <= _COLUMN_WORDS and {"type", "data_type"} & value.keys())
    return isinstance(value, (list, tuple))
