"""What the readers of executed commands work with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from headwater.analyzers.catalyst.executed.depth import deep_parts_read
from headwater.analyzers.catalyst.executed.foreign import Resolve, read_foreign_query
from headwater.analyzers.catalyst.executed.owners import Owners
from headwater.analyzers.catalyst.expression_text import expression_text
from headwater.analyzers.catalyst.jvm import Jvm
from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.places import Place
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.work import Writing
from headwater.analyzers.registry import Registry
from headwater.analyzers.select import Attribute, Ids, Program, Reader, Select, Unread, query
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder, Table
from headwater.resolve.scope import ResultSet
from headwater.resolve.statement import Outcome
from headwater.resolve.write import write_by_position
from headwater.sql.redact import Redacted

_STEPS = frozenset({"Aggregate", "Distinct", "Deduplicate", "GlobalLimit", "Offset", "Tail", "Window"})
"""Operators that decide over rows or groups: each has a result set of its own."""
NOTHING_BUT_PATTERNS = Redacted("", ())
"""Hides what looks like a secret, where no text tells which strings are."""


def _is_step(node: Node) -> bool:
    """Whether an operator has a result set of its own; a condition right above groups is their HAVING, and goes with them."""
    return node.name in _STEPS or (node.name == "Filter" and node.children[0].name == "Aggregate")


class Known(NamedTuple):
    """What is known besides a plan itself."""

    origins: Mapping[Ids, Node]
    """The plans of data that stands in a plan as it is, by the ids of its columns."""
    resolve: Resolve
    """Resolves queries that other databases run."""


class Executed(Writing):
    """An executed plan in the making."""

    def __init__(self, jvm: Jvm, builder: Builder, places: Mapping[int, Place], known: Known) -> None:
        self.jvm = jvm
        self.owners = Owners(builder, places)
        self.resolve = known.resolve
        program = Program(_is_step, expression_text, known.origins, self.owners.is_made, self._foreign)
        super().__init__(builder, Reader(reads, builder, self.owners.of, NOTHING_BUT_PATTERNS.hide, program))

    def _foreign(self, select: Select, node: Node) -> list[Attribute] | None:
        asked = self.owners.query_at(node)
        return read_foreign_query(select, node, *asked, self.resolve, self.owners.table) if asked is not None else None

    def query(self, node: Node | None, type: str = "insert-select") -> ResultSet:
        """The result set of a query inside a command."""
        if node is None:
            raise Unread("a command without its query")
        with deep_parts_read(self.reader, node):
            return query(self.reader, node, None, type)[0]

    def write(self, table: Table, names: list[str], result: ResultSet) -> None:
        """Let a query's outputs become columns of a table, by position."""
        self.builder.writes(table)
        folded = [self.fold(name) for name in names]
        table.schema = {**(table.schema or {}), **dict.fromkeys(folded, "")}
        write_by_position(self.builder, table, folded, result, None)

    def define(self, table: Table, names: list[str], query: Any, view: bool = False) -> None:
        """A table or view that a query has made, with its columns and their types."""
        columns = dict(zip(map(self.fold, names), self.jvm.types(query), strict=False))
        self.builder.defines.append(Definition(table.name, columns, view=view))

    def names(self, sequence: Any) -> list[str]:
        """A Scala sequence of names."""
        return [str(name) for name in self.jvm.list_of(sequence)]


Command = Callable[[Executed, Any, Node], Outcome | None]
"""Reads an executed command: what has been prepared, Spark's plan, and the same as a tree; None if it is no job of its own."""

executes = Registry[Command]()
"""Registers the reader of an executed command by its class' name."""
