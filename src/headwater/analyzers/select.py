"""One SELECT of an analysed statement: the operators between a query's outputs and its FROM items, read into one result set.

Analyzers keep no SELECTs, only operators. What tells one from the next depends on the analyzer: `query` starts a result set wherever a
reader of an operator says so. Columns are found by the analyzer's ids, never by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from headwater.analyzers.registry import Registry
from headwater.model.kind import AGGREGATE_ROWS, FDR, FROM_ROWS, IDENTITY, KINDS, WHERE
from headwater.resolve.builder import Builder, Table
from headwater.resolve.scope import ResultSet
from headwater.sql.place import Elsewhere


class Attribute(NamedTuple):
    """An output of an operator: the analyzer's id, its name, and our column."""

    id: int
    name: str
    column: int


class Unread(Exception):
    """Something in an analysed statement that is not read here; the message names it."""


Operator = Callable[["Select", Any], list[Attribute]]
"""Reads an operator and everything below it in its SELECT; gives its outputs."""

Ids = tuple[int, ...]
"""The analyzer's ids of outputs, in order."""


class Program(NamedTuple):
    """How a plan is read that was made step by step, by a program: it has no text, and no SELECTs."""

    is_step: Callable[[Any], bool]
    """Whether an operator has a result set of its own."""
    text_of: Callable[[Any], str]
    """An expression as SQL would write it."""
    origins: Mapping[Ids, Any]
    """The plans of data that stands in a plan as it is (a checkpoint, a stream's batch), by the ids of its columns."""
    is_made: Callable[[Any], bool]
    """Whether the program made the rows of a relation itself, and no statement's VALUES."""
    foreign: Callable[[Select, Any], list[Attribute] | None]
    """Reads a relation that is a query to another database; None if it is none."""


class Reader:
    """What all SELECTs of a statement share: the readers of operators, the builder, the names of tables, the CTEs."""

    __slots__ = (
        *(
            "builder",
            "constants",
            "ctes",
            "documents",
            "having",
            "operators",
            "owners",
            "pivoted",
            "pivots",
            "program",
            "qualify",
        ),
        *("parts", "piped", "redacted"),
    )

    def __init__(
        self,
        operators: Registry[Operator],
        builder: Builder,
        owners: Callable[[Any], list[Table]],
        redacted: Callable[[str], str],
        program: Program | None = None,
    ) -> None:
        self.operators = operators.handlers
        self.builder = builder
        self.owners = owners
        """The table, or the files, that a relation reads."""
        self.redacted = redacted
        """Takes the statement's secrets out of what the analyzer writes."""
        self.program = program
        self.ctes: dict[Any, tuple[ResultSet, list[Attribute]]] = {}
        """The result sets of CTEs, and of recursive ones while they are read, by the analyzer's number or name."""
        self.having = True
        """Whether a filter over groups may be a HAVING; in a statement that has none, it is a step of a pipe."""
        self.qualify = True
        """Whether a filter over windows may be a QUALIFY."""
        self.piped = False
        """Whether the statement has steps of a pipe, each of which is a query of its own."""
        self.constants: set[int] = set()
        """Ids of computed columns that are made of no column."""
        self.parts: dict[int, tuple[ResultSet, list[Attribute]]] = {}
        """Parts of a deep plan that were read before what is above them, by the Python id of their operator."""
        self.documents: frozenset[str] = frozenset()
        """Paths that the statement writes behind a colon, as the analyzer spells them."""
        self.pivots = False
        """Whether the statement has a PIVOT, which the analyzer may write as tests."""
        self.pivoted: set[int] = set()
        """Ids of columns that hold the values of a PIVOT, one after the other."""


class Scope:
    """What an expression sees: the columns below its operator by their ids, then those around its subquery."""

    __slots__ = ("builder", "columns", "edges", "outer", "select")

    def __init__(self, select: Select, inputs: Iterable[Attribute]) -> None:
        self.select = select
        self.builder = select.builder
        self.edges = select.builder.edges
        self.columns = {each.id: each.column for each in inputs}
        self.outer = select.outer

    def find(self, id: int) -> int:
        """The column of an id."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.columns.get(id)
            if found is not None:
                return found
            scope = scope.outer
        raise Unread("a column that no operator below gives")


class Select:
    """A result set while its operators are read, from the innermost outwards."""

    def __init__(self, reader: Reader, outer: Scope | None, type: str) -> None:
        self.reader = reader
        self.builder = reader.builder
        self.outer = outer
        self.result = ResultSet(reader.builder, type, None)
        self.items: list[int] = []
        """The row sets in FROM."""
        self.aggregated_items: list[int] | None = None
        """Those of them that aggregates look at, where an operator above adds others."""
        self.aggregates: list[int] = []
        self.counts: list[int] = []
        """Aggregates that look at rows, not at columns."""
        self.keys: list[tuple[int, int]] = []
        """What decides over groups: sources and kinds of GROUP BY and HAVING."""
        self.grouped = False
        self.aggregated = False
        self.windowed = False
        self.grouping_id: int | None = None
        """The column that numbers GROUPING SETS, and the keys that it is made of."""
        self.grouping_keys: list[Any] = []
        self.limited = False
        """Whether an operator above keeps the first rows only."""
        self.projected = False
        """Whether an operator above chooses columns."""
        self.begun = False
        """Whether its outermost operator is being read."""

    def read(self, node: Any, beside: bool = False) -> list[Attribute]:
        """The outputs of an operator; *beside* keeps it in this SELECT in any case."""
        reader = self.reader.operators.get(node.name)
        if reader is None:
            raise Unread(f"the operator {node.name}")
        part = self.reader.parts.get(id(node))
        if part is not None:
            self.items.append(part[0].rows)
            return part[1]
        if self.begun and not beside and self.reader.program is not None and self.reader.program.is_step(node):
            result, outputs = query(self.reader, node, self.outer)
            self.items.append(result.rows)
            return outputs
        self.begun = True
        return reader(self, node)

    def column(self, name: str, made_by: Any = None) -> int:
        """A new column of the result set, not yet an output; a plan without a text says itself what makes it."""
        place = None
        if made_by is not None and self.reader.program is not None:
            place = Elsewhere(self.reader.redacted(self.reader.program.text_of(made_by)), None)
        return self.builder.column(self.result.entity, self.fold(name), place)

    def fold(self, name: str) -> str:
        """A column's name as the dialect folds it."""
        return self.builder.dialect.fold_column(self.reader.redacted(name), False)

    def close(self, outputs: list[Attribute]) -> list[Attribute]:
        """Complete the result set: its outputs, its rows, its aggregates."""
        builder, result = self.builder, self.result
        closed = []
        used: set[int] = set()
        for id, name, column in outputs:
            own = (
                column
                if builder.columns[column][0] == result.entity and column not in used
                else self.passed(name, column)
            )
            used.add(own)
            result.outputs.append((self.fold(name), own))
            result.columns.setdefault(self.fold(name), own)
            closed.append(Attribute(id, name, own))
        for rows in self.items:
            builder.edge(result.rows, rows, FROM_ROWS, None)
        self._close_aggregates()
        result.complete()
        return closed

    def passed(self, name: str, column: int) -> int:
        """A column of the result set that is nothing but another one."""
        own = self.column(name)
        self.builder.edge(own, column, IDENTITY, None)
        self.builder.origins[own] = column
        return own

    def _close_aggregates(self) -> None:
        """Each key influences each aggregate; without GROUP BY the row sets in FROM do; `count(*)` depends on these anyway."""
        builder = self.builder
        for aggregate in self.aggregates:
            for source, kind in self.keys:
                if source != aggregate:
                    builder.edge(aggregate, source, kind, None)
        items = self.items if self.aggregated_items is None else self.aggregated_items
        for aggregate in self.counts if self.grouped else dict.fromkeys(self.aggregates + self.counts):
            for rows in items:
                builder.edge(aggregate, rows, AGGREGATE_ROWS, None)


def query(
    reader: Reader, node: Any, outer: Scope | None, type: str = "select_list"
) -> tuple[ResultSet, list[Attribute]]:
    """The result set of a plan, and its outputs by the analyzer's ids."""
    select = Select(reader, outer, type)
    outputs = select.close(select.read(node))
    return select.result, outputs


def rows_kind(kind: int) -> int:
    """How a subquery's row set acts where its value acts as *kind*: it filters."""
    return kind if KINDS[kind].type == FDR else WHERE
