"""What a script's earlier statements leave behind for the later ones: definitions, and the default schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from headwater.catalog import Catalog, TableSchema
from headwater.model.entity import TableName, is_private
from headwater.model.relation import OUTSIDE
from headwater.model.resolution import Definition, Resolution, SqlFunction, Wildcard
from headwater.sql.dialect import Dialect

if TYPE_CHECKING:
    from headwater.resolve.variable import Variables


@dataclass(frozen=True, slots=True)
class Session:
    """The state in which a statement is resolved; `after` gives the state for the next one.

    What the script itself defines comes before what the catalog says; a table that was dropped is unknown again. The sessions
    of one script share the dictionary of definitions, which only `after` adds to: a script of 100,000 statements would
    otherwise copy it 100,000 times.
    """

    catalog: Catalog = field(default_factory=Catalog)
    default_schema: TableName | None = None
    ambiguous: str = "candidates"
    """What becomes of a column that several tables could own: `candidates`, `first` (in FROM), or `prefix` (TPC-DS style names)."""
    defined: dict[TableName, Definition] = field(default_factory=dict)
    functions: dict[str, dict[tuple[TableName, int], SqlFunction]] = field(default_factory=dict)
    """Functions that the script defined, by the last part of their name, then by name and number of parameters."""

    programs: dict[TableName, Any] = field(default_factory=dict)
    """What others need whole: what packages declare to everybody, functions that triggers call, types (`NamedType`)."""

    variables: Variables | None = None
    """The variables in reach, inside of a program."""

    changed: Mapping[str, Any] = field(default_factory=dict)
    """Inside of a trigger: its table, under the names that the changed rows have there (`inserted`, `deleted`)."""

    def definition(self, table: TableName) -> Definition | None:
        """What the script itself said about a table, if it did."""
        return self.defined.get(table)

    def columns(self, table: TableName, dialect: Dialect) -> TableSchema | None:
        """The columns of a table, as far as they are known."""
        known = self.defined.get(table)
        if known is not None and not known.dropped:
            if known.columns is not None:
                return known.columns
            if known.view or known.temporary or known.unknown:
                return None
        return self.catalog.find(table, dialect.spelled_table, dialect.spelled_column)

    def means(self, table: TableName, dialect: Dialect) -> TableName:
        """The table that an unqualified name means, given in the default schema: where the catalog has a search path, another schema's."""
        return self.catalog.means(table, dialect.spelled_table)

    def catalog_tables(self, wildcard: Wildcard, dialect: Dialect) -> dict[TableName, tuple[str, ...]]:
        """The tables of the catalog that fit a wildcard, and their columns."""
        *outer, (how, text) = wildcard.parts
        schema = tuple(part for _, part in outer) if all(each == "is" for each, _ in outer) else None
        beginning = text if how == "begins" else ""
        found: dict[TableName, tuple[str, ...]] = {}
        for name, columns in self.catalog.tables_of(schema, beginning, dialect.spelled_table, dialect.spelled_column):
            if wildcard.fits(name):
                found.setdefault(name, tuple(columns))  # what is laid over others comes first
        return found

    def next_script(self) -> Session:
        """The state in which the next script of a corpus begins: temporary tables are gone, and so is USE."""
        lasting = {name: d for name, d in self.defined.items() if not d.temporary}
        kept = (f for each in self.functions.values() for f in each.values() if not f.temporary)
        session = replace(self, defined=lasting, functions={})
        session.define_functions(kept)
        return session

    def after(self, resolution: Resolution) -> Session:
        """The state after a statement; behind a routine, nobody knows the tables that it kept to itself."""
        inside = resolution.process.procedure != OUTSIDE
        self.defined.update((d.table, d) for d in resolution.defines if not (inside and is_private(d.table)))
        if resolution.functions:
            self.define_functions(resolution.functions)
        self.programs.update(resolution.programs)
        for name in resolution.dropped_functions:
            namesakes = self.functions.get(name[-1], {})
            for key in [k for k in namesakes if k[0][-len(name) :] == name]:
                del namesakes[key]
        if resolution.default_schema is None:
            return self
        return replace(self, default_schema=resolution.default_schema)

    def define_functions(self, functions: Iterable[SqlFunction]) -> None:
        """Make functions known."""
        for each in functions:
            self.functions.setdefault(each.name[-1], {})[each.name, len(each.parameters)] = each
