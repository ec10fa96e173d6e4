"""Scans, which are GoogleSQL's operators: who reads them, and where one SELECT ends and the next begins.

The scan that a query's text ends up as is marked as written; scans below it without that mark belong to the same SELECT.
"""

from __future__ import annotations

from headwater.analyzers.registry import Registry
from headwater.analyzers.select import Attribute, Operator, Reader, Scope, Select, Unread
from headwater.analyzers.zetasql.tree import Column, Node
from headwater.resolve.scope import ResultSet

reads = Registry[Operator]()
"""Registers the reader of a scan by its class' name."""

_ITEMS = frozenset(
    {"TableScan", "ArrayScan", "JoinScan", "WithRefScan", "RecursiveRefScan", "SingleRowScan", "SampleScan"}
    | {"PivotScan", "UnpivotScan", "SetOperationScan", "RecursiveScan", "TVFScan"}
)
"""Scans that stand in FROM themselves, written or not."""


def below(select: Select, node: Node, ends: frozenset[str] = frozenset()) -> list[Attribute]:
    """The outputs of the scan below another: of the same SELECT, or a query of its own; *ends* are scans that must be one."""
    if node.name in _ITEMS or not (node.written or node.name in ends):
        return select.read(node)
    return derived(select, node)


def derived(
    select: Select, node: Node, type: str = "select_list", outer: Scope | None = None, alias: str | None = None
) -> list[Attribute]:
    """A query in FROM: a result set of its own."""
    result, outputs = query_of(select.reader, node, outer or select.outer, node.columns(), type)
    result.row.alias = alias
    select.items.append(result.rows)
    return outputs


def query_of(
    reader: Reader, node: Node, outer: Scope | None, columns: list[Column], type: str = "select_list"
) -> tuple[ResultSet, list[Attribute]]:
    """The result set of a scan, with these of its columns, in their order."""
    select = Select(reader, outer, type)
    return select.result, chosen(select, select.read(node), columns)


def chosen(select: Select, inputs: list[Attribute], columns: list[Column]) -> list[Attribute]:
    """Close a SELECT with these columns as its outputs."""
    known = {each.id: each.column for each in inputs}
    outputs = select.close([Attribute(c.id, c.name, _known(known, c)) for c in columns])
    select.result.rename([select.fold(each.name) for each in outputs])
    return outputs


def _known(known: dict[int, int], column: Column) -> int:
    found = known.get(column.id)
    if found is None:
        raise Unread("a column that no scan below gives")
    return found
