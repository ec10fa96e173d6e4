"""What stands in FROM: tables, samples of something, nothing."""

from __future__ import annotations

from headwater.analyzers.select import Attribute, Reader, Select
from headwater.analyzers.zetasql.scan import below, reads
from headwater.analyzers.zetasql.tree import Node
from headwater.resolve.builder import Table


def scanned_table(reader: Reader, node: Node) -> Table:
    """The table that a scan reads."""
    return reader.owners(node)[0]


def table_outputs(reader: Reader, table: Table, node: Node) -> list[Attribute]:
    """The columns of a table by their ids."""
    fold = reader.builder.dialect.fold_column
    return [Attribute(c.id, c.name, table.claim(fold(c.name, False))) for c in node.columns()]


@reads("TableScan")
def table_scan(select: Select, node: Node) -> list[Attribute]:
    """A table."""
    table = select.builder.reads(scanned_table(select.reader, node))
    select.items.append(table.rows)
    return table_outputs(select.reader, table, node)


@reads("SampleScan")
def sample(select: Select, node: Node) -> list[Attribute]:
    """TABLESAMPLE."""
    return below(select, node.node("input_scan"))


@reads("SingleRowScan")
def no_from(select: Select, node: Node) -> list[Attribute]:
    """A SELECT without FROM."""
    return []
