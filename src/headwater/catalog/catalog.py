"""The catalog: folded table name to columns, looked at only when a script asks.

Names are kept as they were given and indexed by their folded parts on first use, so that a catalog of 100,000 tables costs a
script nothing for the tables it does not use. Layers stack: the script's own definitions over a sibling overlay over
the given schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

TableSchema = Mapping[str, str]
"""Columns of a table, in order: folded name to type (empty if unknown)."""

Parts = tuple[str, ...]
FoldName = Callable[[str], str]


class Catalog:
    """Tables and their columns, by dotted name: `{"db.t": {"a": "int"}}`, `{"t": ["a", "b"]}` or nested `{"db": {"t": …}}`."""

    def __init__(self, tables: Mapping[str, Any] | None = None) -> None:
        self._tables: dict[Parts, Any] = {}
        self._folded: dict[tuple[FoldName, FoldName], dict[Parts, TableSchema | Parts]] = {}
        if tables:
            self._tables.update(_flat(tables))

    @classmethod
    def of_parts(cls, tables: Iterable[tuple[Parts, Any]]) -> Catalog:
        """A catalog of tables whose names are given as parts already."""
        catalog = cls()
        catalog._tables.update(tables)
        return catalog

    def __len__(self) -> int:
        return len(self._tables)

    def tables(self) -> Iterator[tuple[Parts, Any]]:
        """All tables as they were given."""
        return iter(self._tables.items())

    def over(self, base: Catalog) -> Catalog:
        """This catalog's tables laid over *base*."""
        return Catalog.of_parts({**base._tables, **self._tables}.items())

    def find(self, name: Parts, fold_table: FoldName, fold_column: FoldName) -> TableSchema | None:
        """The columns of a table by its folded name.

        An entry with fewer parts than the name stands for that table in any schema; an entry with more parts is taken if
        it is the only one that ends in the name.
        """
        index = self._index(fold_table, fold_column)
        for start in range(len(name)):
            found = index.get(name[start:])
            if found is not None:
                return self._columns(index, name[start:], found, fold_column)
        return None

    def _index(self, fold_table: FoldName, fold_column: FoldName) -> dict[Parts, TableSchema | Parts]:
        index = self._folded.get((fold_table, fold_column))
        if index is None:
            index = self._folded[fold_table, fold_column] = {}
            shorter: dict[Parts, Parts | None] = {}
            for parts in self._tables:
                folded = tuple(map(fold_table, parts))
                index[folded] = parts
                for start in range(1, len(folded)):
                    suffix = folded[start:]
                    shorter[suffix] = None if suffix in shorter else parts
            for suffix, only in shorter.items():
                if only is not None:
                    index.setdefault(suffix, only)
        return index

    def _columns(
        self, index: dict[Parts, TableSchema | Parts], key: Parts, found: TableSchema | Parts, fold_column: FoldName
    ) -> TableSchema:
        if isinstance(found, tuple):
            found = index[key] = _columns(self._tables[found], fold_column)
        return found


def _columns(columns: Any, fold: FoldName) -> TableSchema:
    if isinstance(columns, Mapping):
        return {fold(str(name)): _type(kind) for name, kind in columns.items()}
    return {fold(str(name)): "" for name in columns}


def _type(kind: Any) -> str:
    if isinstance(kind, Mapping):
        return str(kind.get("type") or kind.get("data_type") or "")
    return "" if kind is None else str(kind)


def _flat(tables: Mapping[str, Any]) -> Iterator[tuple[Parts, Any]]:
    """The tables of a flat or nested mapping: a mapping whose values are mappings or lists is a schema of tables."""
    for name, value in tables.items():
        parts = tuple(str(name).split("."))
        if isinstance(value, Mapping) and value and all(_is_table(v) for v in value.values()):
            yield from ((parts + inner, columns) for inner, columns in _flat(value))
        else:
            yield parts, value


def _is_table(value: Any) -> bool:
    if isinstance(value, Mapping):
        return not {"type", "data_type"} & value.keys()
    return isinstance(value, (list, tuple))
