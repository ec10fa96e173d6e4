"""The catalog: table name to columns, looked at only when a script asks.

Tables are kept as they were given. Names are folded once per dialect rule, all of them in one cheap pass; columns only of the
tables that a query asks for. A name that folding cannot give is a quoted one (`stored_name`). Layers stack: what an overlay has hides
what is below it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from headwater.catalog.description import TableDescription, is_description
from headwater.catalog.stored_name import FoldName, StoredNames
from headwater.sql.dialect import Dialect, UnknownDialect, dialect
from headwater.sql.spelled_name import split_name

TableSchema = Mapping[str, str]
"""Columns of a table, in order: folded name to type (empty if unknown)."""

Parts = tuple[str, ...]

_COLUMN_WORDS = frozenset(
    {"type", "data_type", "nullable", "comment", "description", "name", "tags", "primary_key", "generated"}
)
"""What the description of a single column may say."""

ABOUT = "$catalog"
"""The entry that is no table: where the others were read from."""


class About(NamedTuple):
    """Where tables were read from, without credentials, and the dialect that is spoken there."""

    source: str = ""
    dialect: str = ""
    search_path: tuple[str, ...] = ()
    """The schemas in which unqualified names are looked up, where there are several."""

    @classmethod
    def of_json(cls, said: Mapping[str, Any]) -> About:
        """What a catalog in JSON says of itself."""
        path = said.get("search_path")
        searched = tuple(map(str, path)) if isinstance(path, (list, tuple)) else ()
        return cls(str(said.get("source") or ""), str(said.get("dialect") or ""), searched)

    def as_json(self) -> dict[str, Any]:
        """The same, as a catalog in JSON has it."""
        return {"source": self.source, "dialect": self.dialect, "search_path": list(self.search_path)}

    def spoken(self, otherwise: Dialect) -> Dialect:
        """The dialect whose rules the names follow; *otherwise* where none is named, or one that nobody knows."""
        try:
            return dialect(self.dialect) if self.dialect else otherwise
        except UnknownDialect:
            return otherwise


class CatalogError(ValueError):
    """A schema that cannot be used, with what to do about it."""


class Catalog:
    """Tables and their columns: `{"db.t": {"a": "int"}}`, `{"t": ["a", "b"]}` or nested, `{"db": {"t": …}}`.

    A table may be described instead (`description`): `{"t": {"kind": "table", "columns": {"a": "int"}, "comment": "…"}}`.
    """

    def __init__(self, tables: Mapping[str, Any] | None = None, below: Catalog | None = None) -> None:
        self._tables: Mapping[str, Any] = tables or {}
        self._below = below
        self._folded: dict[FoldName, _Index] = {}
        self._column_names: dict[FoldName, StoredNames] = {}
        self._columns: dict[tuple[str, FoldName], TableSchema] = {}
        said = self._tables.get(ABOUT)
        self._about = About.of_json(said if isinstance(said, Mapping) else {})

    def check(self) -> Catalog:
        """Look at every table once; raises `CatalogError` for what cannot be one."""
        for name, columns in _flat(self._tables):
            if isinstance(columns, str) or not isinstance(columns, Iterable):
                raise CatalogError(f"table {name}: columns must be a mapping or a list, not {columns!r}")
        return self

    @classmethod
    def spoken_in(cls, spoken: str, tables: Mapping[str, Any]) -> Catalog:
        """Tables whose names follow the rules of a dialect."""
        return cls({ABOUT: {"dialect": spoken}, **tables})

    def in_dialect(self, spoken: str) -> Catalog:
        """The same, with a dialect for layers that name none."""
        return _stacked([layer._tables_in_dialect(spoken) for layer in self._layers()])

    def _tables_in_dialect(self, spoken: str) -> Mapping[str, Any]:
        return (
            self._tables
            if self._about.dialect
            else {**self._tables, ABOUT: self._about.as_json() | {"dialect": spoken}}
        )

    @property
    def dialects(self) -> tuple[str, ...]:
        """The dialects that its layers name, the topmost first; empty for one that names none."""
        return tuple(layer._about.dialect for layer in self._layers())

    def as_given(self) -> Iterator[tuple[About, str, Any]]:
        """Every table by its dotted name, with all that was said of it and of its layer; what is laid over others first."""
        for layer in self._layers():
            yield from ((layer._about, name, said) for name, said in _flat(layer._tables))

    def _layers(self) -> Iterator[Catalog]:
        layer: Catalog | None = self
        while layer is not None:
            yield layer
            layer = layer._below

    def __reduce__(self) -> tuple[Any, ...]:
        return _stacked, ([layer._tables for layer in self._layers()],)

    def tables(self, fold_table: FoldName, fold_column: FoldName) -> Iterator[tuple[Parts, TableSchema]]:
        """Every table by its folded name, what is laid over others first; a name may come again from below."""
        for layer in self._layers():
            for name, columns in _flat(layer._tables):
                parts = tuple(map(layer._index(fold_table).stored, split_name(name)))
                yield parts, _columns(name, columns, layer._stored_columns(fold_column))

    def spelled_tables(self, otherwise: Dialect) -> Iterator[tuple[Parts, TableSchema]]:
        """The same, each layer by the rules of its own dialect; by those of *otherwise* where it names none."""
        for layer in self._layers():
            spoken = layer._about.spoken(otherwise)
            yield from Catalog(layer._tables).tables(spoken.spelled_table, spoken.spelled_column)

    def tables_of(
        self, schema: Parts | None, beginning: str, fold_table: FoldName, fold_column: FoldName
    ) -> Iterator[tuple[Parts, TableSchema]]:
        """The tables of a schema, or of any, whose own names begin like that; by folded names, what is laid over others first.

        The names are put in order once, so that a question costs no more than what it finds.
        """
        for layer in self._layers():
            index = layer._index(fold_table)
            for parts, name in index.beginning_with(schema, beginning):
                yield parts, layer._folded_columns(name, index, fold_column)

    def described(self) -> Iterator[tuple[About, TableDescription]]:
        """Every described table, and where its description was read from; of several, the one that is laid over the others."""
        seen: set[tuple[str, ...]] = set()
        for about, name, value in self.as_given():
            if isinstance(value, Mapping) and is_description(value):
                found = TableDescription.of_json(name, value)
                if found.name not in seen:
                    seen.add(found.name)
                    yield about, found

    def over(self, base: Catalog) -> Catalog:
        """This catalog's tables laid over *base*."""
        return _stacked([layer._tables for layer in self._layers()], base)

    def find(self, name: Parts, fold_table: FoldName, fold_column: FoldName) -> TableSchema | None:
        """The columns of a table by its folded name; the folds take names as a schema spells them, dotted ones too.

        An entry with fewer parts than the name stands for that table in any schema; an entry with more parts is taken if
        it is the only one that ends in the name. A table whose columns could not be read is described without any: these are unknown.
        """
        for layer in self._layers():
            index = layer._index(fold_table)
            found = index.find(name)
            if found is not None:
                return layer._folded_columns(found, index, fold_column) or None
        return None

    def _folded_columns(self, name: str, index: _Index, fold_column: FoldName) -> TableSchema:
        key = (name, fold_column)
        if key not in self._columns:
            self._columns[key] = _columns(name, index.columns(name), self._stored_columns(fold_column))
        return self._columns[key]

    def means(self, name: Parts, fold_table: FoldName) -> Parts:
        """The table that an unqualified name means, given with the first schema of the search path: that of the first which has one."""
        return next((found for layer in self._layers() for found in layer._in_search_path(name, fold_table)), name)

    def _in_search_path(self, name: Parts, fold_table: FoldName) -> Iterator[Parts]:
        """The tables of this layer that an unqualified name may mean, in the order of its search path."""
        path = self._about.search_path
        if len(path) > 1 and name[:-1] == _folded_parts(path[0], fold_table):
            index = self._index(fold_table)
            candidates = ((*_folded_parts(schema, fold_table), name[-1]) for schema in path)
            yield from filter(index.has, candidates)

    def _stored_columns(self, fold_column: FoldName) -> StoredNames:
        names = self._column_names.get(fold_column)
        if names is None:
            names = self._column_names[fold_column] = StoredNames(fold_column, self._columns_as_given)
        return names

    def _columns_as_given(self) -> Iterator[str]:
        for name, columns in _flat(self._tables):
            yield from _columns(name, columns, str)

    def _index(self, fold_table: FoldName) -> _Index:
        index = self._folded.get(fold_table)
        if index is None:
            index = self._folded[fold_table] = _Index(self._tables, fold_table)
        return index


def _stacked(layers: Sequence[Mapping[str, Any]], base: Catalog | None = None) -> Catalog:
    """The catalog of some layers, the topmost first, laid over *base*."""
    for tables in reversed(layers):
        base = Catalog(tables, base)
    return base or Catalog()


def _folded_parts(name: str, fold: FoldName) -> Parts:
    return tuple(fold(part) for part in split_name(name))


class _Index:
    """Tables by folded dotted name; those that only end in a name are looked through when nothing else fits."""

    __slots__ = ("_by_schema", "_names", "_suffixes", "_tables", "stored")

    def __init__(self, tables: Mapping[str, Any], fold: FoldName) -> None:
        self.stored = StoredNames(fold, lambda: (part for name, _ in _flat(tables) for part in split_name(name)))
        self._names: dict[str, Any] = {self.stored.dotted(name): columns for name, columns in _flat(tables)}
        self._tables = tables
        self._by_schema: dict[Parts, Sequence[tuple[str, str]]] | None = None
        self._suffixes: dict[str, str | None] | None = None

    def by_schema(self) -> Mapping[Parts, Sequence[tuple[str, str]]]:
        """The tables of each schema in order: their own names, and the names by which they are indexed."""
        if self._by_schema is None:
            found: dict[Parts, set[tuple[str, str]]] = {}
            for name, _ in _flat(self._tables):
                *schema, last = map(self.stored, split_name(name))
                found.setdefault(tuple(schema), set()).add((last, self.stored.dotted(name)))
            self._by_schema = {schema: sorted(tables) for schema, tables in found.items()}
        return self._by_schema

    def beginning_with(self, schema: Parts | None, beginning: str) -> Iterator[tuple[Parts, str]]:
        """The tables of a schema, or of any, whose own names begin like that: their parts, and the names by which they are indexed."""
        ordered = self.by_schema()
        for each in ordered if schema is None else [schema]:
            tables = ordered.get(each, ())
            for last, name in tables[bisect_left(tables, (beginning,)) :]:
                if not last.startswith(beginning):
                    break
                yield (*each, last), name

    def columns(self, name: str) -> Any:
        """The columns of a table, as they were given."""
        return self._names[name]

    def has(self, name: Parts) -> bool:
        """Whether there is a table of exactly this name."""
        return ".".join(name) in self._names

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
    if isinstance(columns, Mapping) and is_description(columns):
        return _columns(table, columns["columns"], fold)
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
        if name == ABOUT:
            continue
        if isinstance(value, Mapping) and value and not is_description(value) and all(map(_is_table, value.values())):
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
