"""What the readers of commands work with: the engine, the builder, and the names of a statement's tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.places import places_of
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import relation_table, table_outputs
from headwater.analyzers.catalyst.session import Catalyst
from headwater.analyzers.catalyst.user_tables import SeenTables, is_path, owner_named
from headwater.analyzers.registry import Registry
from headwater.analyzers.select import Attribute, Reader, Unread, query
from headwater.model.entity import TableName
from headwater.resolve.builder import Builder, Table
from headwater.resolve.scope import ResultSet
from headwater.resolve.statement import Outcome


class Writing:
    """A statement that changes tables, in the making."""

    def __init__(self, builder: Builder, reader: Reader) -> None:
        self.builder = builder
        self.reader = reader
        self.assigned: Mapping[str, Sequence[Any]] = {}
        """What the parsed statement assigns, where there is one (see `changes.written_in`)."""

    def changed(self, node: Node) -> tuple[Table, list[Attribute]]:
        """The table that an UPDATE, DELETE or MERGE changes, and its columns."""
        table = self.builder.writes(relation_table(self.reader, node))
        return table, table_outputs(table, node)

    def fold(self, name: str) -> str:
        """A column's folded name."""
        return self.builder.dialect.fold_column(self.reader.redacted(name), False)


class Work(Writing):
    """A parsed statement in the making."""

    def __init__(self, engine: Catalyst, builder: Builder, redacted: Callable[[str], str], type: str) -> None:
        super().__init__(builder, Reader(reads, builder, self._owners, redacted))
        self.type = type
        """The process type that the static resolver gives the statement."""
        self.engine = engine
        self.tables: dict[tuple[str, str], TableName] = {}
        """Our names for Spark's schemas and tables."""
        self.schemas: dict[str, tuple[str, ...]] = {}
        """What our names for schemas of other catalogs stand for (see `catalogs`)."""
        self.seen: SeenTables | None = None
        """The tables of the user's session, if the statement is analysed there."""

    def _owners(self, node: Node) -> list[Table]:
        """The table that a relation reads: a declared one, or one of the user's session."""
        if self.seen is not None:
            return [self.seen.owner(self.builder, node)]
        described = node.fields.get("catalogTable")
        if node.name != "LogicalRelation" or not described:
            raise Unread("a relation that is no table")
        identifier = described["identifier"]
        name = self.tables.get((identifier["database"], identifier["table"]))
        if name is None:
            raise Unread("a table that the statement does not name")
        return [self.builder.table_named(name)]

    def analysed(self, plan: Any) -> tuple[Any, Node]:
        """A parsed plan with every name resolved: Spark's plan, and the same as a tree."""
        analysed = self.engine.analyse(plan)
        text = self.engine.text(analysed)
        if self.seen is not None:
            self.seen.places |= places_of(self.engine, analysed, text)
        return analysed, self.engine.tree(analysed, text)

    def query(self, plan: Any, type: str = "select_list") -> tuple[ResultSet, Any]:
        """The result set of a parsed query, and Spark's analysed plan of it."""
        analysed, node = self.analysed(plan)
        result, _ = query(self.reader, node, None, type)
        return result, analysed

    def table(self, parts: tuple[str, ...], temporary: bool = False) -> Table:
        """The table of a name as a statement spells it, to be written."""
        name = self.name(parts, temporary)
        return self.builder.writes(owner_named(self.builder, self.seen.meant(name) if self.seen is not None else name))

    def name(self, parts: tuple[str, ...], temporary: bool = False) -> TableName:
        """The qualified, folded name of a table; that of a path as it is."""
        if is_path(parts):
            return parts[0].lower(), parts[1]
        folded = tuple(self.builder.dialect.spelled_table(f"`{part}`") for part in self.written(parts))
        return self.builder.qualified(folded, temporary)

    def written(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """A name as the script has it."""
        return (*self.schemas.get(parts[0], parts[:1]), *parts[1:])


def parts_of(value: Any) -> tuple[str, ...]:
    """The parts of a name in a plan's JSON, which writes lists of strings as `[a, b]`."""
    if isinstance(value, str) and value.startswith("[") and value.endswith("]") and len(value) > 2:
        return tuple(value[1:-1].split(", "))
    raise Unread("a name that Spark does not show")


Command = Callable[[Work, Any, Node], Outcome]
"""Reads a parsed command: what has been prepared, Spark's plan, and the same as a tree."""

commands = Registry[Command]()
"""Registers the reader of a command by its class' name."""
