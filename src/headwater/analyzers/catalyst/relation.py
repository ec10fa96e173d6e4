"""What stands in FROM: tables, subqueries under their alias, constant rows."""

from __future__ import annotations

from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Attribute, Reader, Select, Unread, query
from headwater.model.kind import IDENTITY
from headwater.resolve.builder import Table
from headwater.resolve.scope import ResultSet
from headwater.sql.place import Elsewhere

_ITEMS = frozenset({"LogicalRelation", "CTERelationRef", "UnionLoopRef", "LocalRelation", "OneRowRelation", "Range"})
"""Operators that are FROM items themselves."""


def relation_table(reader: Reader, node: Node) -> Table:
    """The table that a relation reads."""
    while node.name == "SubqueryAlias":
        node = node.children[0]
    described = node.fields.get("catalogTable")
    if node.name != "LogicalRelation" or not described:
        raise Unread("a relation that is no table")
    identifier = described["identifier"]
    name = reader.tables.get((identifier["database"], identifier["table"]))
    if name is None:
        raise Unread("a table that the statement does not name")
    return reader.builder.table_named(name)


def table_outputs(table: Table, node: Node) -> list[Attribute]:
    """The columns of a table by Spark's ids."""
    while node.name == "SubqueryAlias":
        node = node.children[0]
    fold = table.builder.dialect.fold_column
    return [Attribute(a.id, a.label, table.claim(fold(a.label, False))) for a in node.trees("output")]


@reads("LogicalRelation")
def relation(select: Select, node: Node) -> list[Attribute]:
    """A table."""
    table = select.builder.reads(relation_table(select.reader, node))
    select.items.append(table.rows)
    return table_outputs(table, node)


@reads("SubqueryAlias")
def subquery_alias(select: Select, node: Node) -> list[Attribute]:
    """A FROM item under its name."""
    child = node.children[0]
    if child.name in _ITEMS or child.name == "SubqueryAlias":
        return select.read(child)
    return derived(select, child, str(node.fields["identifier"]["name"]))


def derived(select: Select, node: Node, alias: str | None = None, type: str = "select_list") -> list[Attribute]:
    """A query in FROM: a result set of its own."""
    result, outputs = query(select.reader, node, select.outer, type)
    if alias is not None and not alias.startswith("__"):
        result.row.alias = alias
    select.items.append(result.rows)
    return outputs


@reads("LocalRelation", "Range")
def constant_rows(select: Select, node: Node) -> list[Attribute]:
    """VALUES, `range(n)`: constants, worked out by Spark."""
    result = ResultSet(select.builder, "select_list", None)
    outputs = []
    for each in node.trees("output"):
        column = result.add(select.fold(each.label), None)
        select.builder.edge(column, select.builder.literal(Elsewhere("VALUES", None)), IDENTITY, None)
        outputs.append(Attribute(each.id, each.label, column))
    select.items.append(result.complete().rows)
    return outputs


@reads("OneRowRelation")
def no_from(select: Select, node: Node) -> list[Attribute]:
    """A SELECT without FROM."""
    return []
