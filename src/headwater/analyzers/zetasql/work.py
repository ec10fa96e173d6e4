"""What the readers of statements work with: the builder, and the names of a statement's tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.analyzers.registry import Registry
from headwater.analyzers.select import Attribute, Reader, Select, Unread
from headwater.analyzers.zetasql.nested import field_name
from headwater.analyzers.zetasql.relation import scanned_table, table_outputs
from headwater.analyzers.zetasql.scan import chosen, query_of, reads
from headwater.analyzers.zetasql.tree import Node
from headwater.model.entity import TableName
from headwater.resolve.builder import Builder, Table
from headwater.resolve.field import field_of
from headwater.resolve.scope import ResultSet
from headwater.resolve.statement import Outcome


class Work:
    """One statement in the making."""

    def __init__(self, builder: Builder, redacted: Callable[[str], str], type: str) -> None:
        self.type = type
        """The process type that the static resolver gives the statement."""
        self.builder = builder
        self.tables: dict[str, TableName] = {}
        self.confused = False
        """Whether the statement names tables that GoogleSQL's catalogs do not tell apart."""
        self.reader = Reader(reads, builder, self._owners, redacted)

    def _owners(self, node: Node) -> list[Table]:
        """The table that a scan reads."""
        name = self.tables.get(str(node.fields.get("table")))
        if name is None:
            raise Unread("a table that the statement does not name")
        return [self.builder.table_named(name)]

    def tell(self, question: str, path: tuple[str, ...]) -> Any:
        """The columns of a table, for the analyzer, by the name that the statement has for it."""
        name = self.name(path)
        if any(other != name and _insensitive(other) == _insensitive(name) for other in self.tables.values()):
            self.confused = True
        self.tables[".".join(path)] = name
        columns = self.builder.session.columns(name, self.builder.dialect)
        return None if columns is None else dict(columns)

    def name(self, path: tuple[str, ...], temporary: bool = False) -> TableName:
        """The qualified, folded name of a table; a name that is quoted as a whole has dots inside."""
        spelled = self.builder.dialect.spelled_table
        parts = tuple(spelled(f"`{part}`") for part in ".".join(path).split("."))
        return self.builder.qualified(parts, temporary)

    def target(self, path: tuple[str, ...], temporary: bool = False) -> Table:
        """The table of a name, to be written."""
        return self.builder.writes(self.builder.table_named(self.name(path, temporary)))

    def changed(self, node: Node) -> tuple[Table, list[Attribute]]:
        """The table that an UPDATE, DELETE, MERGE or INSERT changes, and its columns."""
        table = self.builder.writes(scanned_table(self.reader, node))
        return table, table_outputs(self.reader, table, node)

    def query(self, node: Node, type: str = "select_list") -> ResultSet:
        """The result set of a statement's query, under the names that it gives its columns."""
        listed = node.nodes("output_column_list")
        select = Select(self.reader, None, type)
        outputs = chosen(select, select.read(node.node("query")), [each.column() for each in listed])
        names = [str(each.fields.get("name", "")) for each in listed]
        if node.fields.get("is_value_table") and len(outputs) == 1:
            return self._value_table(select.result, outputs[0], listed[0])
        select.result.rename([self.fold(name) for name in names])
        return select.result

    def _value_table(self, result: ResultSet, value: Attribute, listed: Node) -> ResultSet:
        """`SELECT AS STRUCT …`: the fields of the one value are the columns."""
        fields = listed.column().type.fields
        if fields:
            stored = [self.fold(field_name(name, position)) for position, (name, _) in enumerate(fields)]
            result.outputs = [(name, field_of(self.builder, value.column, name)) for name in stored]
            result.rename([self.fold(name or f"f{position}_") for position, (name, _) in enumerate(fields)])
        return result

    def part(self, node: Node, columns: list[Any], type: str) -> ResultSet:
        """The result set of a scan that is part of a statement."""
        return query_of(self.reader, node, None, columns, type)[0]

    def fold(self, name: str) -> str:
        """A column's folded name."""
        return self.builder.dialect.fold_column(self.reader.redacted(name), False)


def _insensitive(name: TableName) -> tuple[str, ...]:
    """A name as GoogleSQL's catalogs have it."""
    return tuple(part.lower() for part in name)


Command = Callable[[Work, Node], Outcome]
"""Reads a resolved statement."""

commands = Registry[Command]()
"""Registers the reader of a statement by its class' name."""
