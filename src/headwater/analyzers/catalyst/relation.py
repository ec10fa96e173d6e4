"""What stands in FROM: tables, subqueries under their alias, constant rows."""

from __future__ import annotations

from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Attribute, Reader, Select, query
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.kind import FROM_ROWS, IDENTITY
from headwater.resolve.builder import Table
from headwater.resolve.scope import ResultSet
from headwater.sql.place import Elsewhere

_ITEMS = frozenset({"LogicalRelation", "CTERelationRef", "UnionLoopRef", "LocalRelation", "OneRowRelation", "Range"})
"""Operators that are FROM items themselves."""
_SHOWN = 8
"""Columns that are listed in a message."""


def relation_table(reader: Reader, node: Node) -> Table:
    """What owns the columns that a relation gives."""
    while node.name == "SubqueryAlias":
        node = node.children[0]
    return reader.owners(node)[0]


def table_outputs(table: Table, node: Node) -> list[Attribute]:
    """The columns of a table by Spark's ids."""
    while node.name == "SubqueryAlias":
        node = node.children[0]
    fold = table.builder.dialect.fold_column
    return [Attribute(a.id, a.label, table.claim(fold(a.label, False))) for a in attributes(node)]


def attributes(node: Node) -> list[Node]:
    """The columns of a relation, as Spark numbers them."""
    return node.trees("output") or [*node.trees("dataCols"), *node.trees("partitionCols")]


@reads(
    *("LogicalRelation", "DataSourceV2Relation", "DataSourceV2ScanRelation", "HiveTableRelation"),
    *("StreamingRelation", "StreamingRelationV2"),
)
def relation(select: Select, node: Node) -> list[Attribute]:
    """A table, or files, or what another database answers; files under several paths are one behind the other."""
    answered = select.reader.program.foreign(select, node) if select.reader.program is not None else None
    if answered is not None:
        return answered
    tables = [select.builder.reads(table) for table in select.reader.owners(node)]
    outputs = [table_outputs(table, node) for table in tables]
    if len(tables) == 1:
        select.items.append(tables[0].rows)
        return outputs[0]
    result = ResultSet(select.builder, "union", None)
    for table in tables:
        select.builder.edge(result.rows, table.rows, FROM_ROWS, None)
    both = []
    for same in zip(*outputs, strict=True):
        column = result.add(select.fold(same[0].name), None)
        for each in same:
            select.builder.edge(column, each.column, IDENTITY, None)
        both.append(Attribute(same[0].id, same[0].name, column))
    select.items.append(result.complete().rows)
    return both


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


@reads("LogicalRDD")
def rows_at_hand(select: Select, node: Node) -> list[Attribute]:
    """Data without a plan: what is known to have made it, a stream or what was checkpointed; else a program's own rows."""
    program = select.reader.program
    origin = program.origins.get(tuple(a.id for a in node.trees("output"))) if program is not None else None
    return derived(select, origin) if origin is not None else program_rows(select, node)


@reads("LocalRelation", "Range", "CommandResult")
def constant_rows(select: Select, node: Node) -> list[Attribute]:
    """VALUES and `range(n)`: constants, worked out by Spark; or rows that a program gave to it."""
    program = select.reader.program
    return program_rows(select, node) if program is not None and program.is_made(node) else _constants(select, node)


@reads("ExternalRDD")
def program_rows(select: Select, node: Node) -> list[Attribute]:
    """`createDataFrame`, RDDs, data that was checkpointed before: constants as far as anybody sees, and said to be the program's."""
    names = [select.fold(each.label) for each in node.trees("output")]
    select.builder.diagnostics.append(made_by_program(names))
    return _constants(select, node)


def made_by_program(columns: list[str]) -> Diagnostic:
    """The diagnostic about columns whose rows a program made."""
    listed = ", ".join([*columns[:_SHOWN], *(["…"] if len(columns) > _SHOWN else [])])
    return Diagnostic(
        Code.PROGRAM_ROWS,
        f"the program made the rows of ({listed}): where their values come from is not known",
        subject=columns[0] if columns else "",
        hint="let Spark read and write what lies between, instead of pandas, RDDs or lists",
    )


def _constants(select: Select, node: Node) -> list[Attribute]:
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
