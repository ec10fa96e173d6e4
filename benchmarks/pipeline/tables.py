"""Tables of the generated warehouse, and what a query reads: both are named columns with what flows into them."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.flow import Flows, column, row_set

KEY, NUMBER, TEXT, TIME, FLAG = "bigint", "decimal(18,2)", "string", "timestamp", "boolean"
TYPES = (KEY, NUMBER, TEXT, TIME, FLAG)
TEMPORARY = "::"
"""Begins the name of a temporary view; the path of its script comes before it once that is known."""


@dataclass(frozen=True, slots=True)
class Column:
    """A name, a type and what flows into it."""

    name: str
    type: str
    flows: Flows


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view: schema (empty for a temporary view), name, and its columns' names with their types."""

    schema: str
    name: str
    columns: tuple[tuple[str, str], ...]
    view: bool = False

    @property
    def full_name(self) -> str:
        """The name by which the truth knows it."""
        return f"{self.schema}.{self.name}" if self.schema else TEMPORARY + self.name

    def of_type(self, type: str) -> list[str]:
        """Names of the columns of one type."""
        return [name for name, own in self.columns if own == type]

    @property
    def fields(self) -> tuple[Column, ...]:
        """Its columns as sources."""
        return tuple(Column(name, type, column(self.full_name, name)) for name, type in self.columns)


@dataclass(frozen=True, slots=True)
class Item:
    """What stands in FROM: the name that qualifies its columns, the columns, and what decides over its rows."""

    alias: str
    columns: tuple[Column, ...]
    rows: Flows

    @classmethod
    def of(cls, table: Table, alias: str) -> Item:
        """A table under an alias."""
        return cls(alias, table.fields, row_set(table.full_name))

    def of_type(self, type: str) -> list[Column]:
        """The columns of one type."""
        return [each for each in self.columns if each.type == type]


@dataclass(frozen=True, slots=True)
class Query:
    """A written query: its text, its outputs, and what decides over its rows."""

    text: str
    outputs: tuple[Column, ...]
    rows: Flows

    def item(self, alias: str) -> Item:
        """The query as something to read from."""
        return Item(alias, self.outputs, self.rows)

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Names and types of the outputs."""
        return tuple((each.name, each.type) for each in self.outputs)
