"""From the graph's records to the tools' shapes, by way of its plain data."""

from __future__ import annotations

from typing import Any

from headwater.graph import Column, Hop, Table
from headwater.graph.document import column_document, hop_document, process_document, table_document
from headwater.graph.trace import Reached, TableHop
from headwater.mcp.shapes import ColumnShape, HopShape, ReachedShape, TableShape

_LONGEST = 1000
"""Characters of an expression that are given."""


def table_shape(table: Table) -> TableShape:
    """A table."""
    return TableShape.model_validate({**table_document(table), "name": str(table)})


def column_shape(column: Column) -> ColumnShape:
    """A column."""
    return ColumnShape.model_validate({**column_document(column), "name": str(column)})


def reached_shape(reached: Reached[Column] | Reached[Table]) -> ReachedShape:
    """A column or table, and how far it is."""
    what = reached.what
    document = column_document(what) if isinstance(what, Column) else table_document(what)
    return ReachedShape.model_validate({**document, "name": str(what), "distance": reached.distance})


def hop_shape(hop: Hop) -> HopShape:
    """A relation between columns."""
    return _hop(hop_document(hop), hop.how)


def table_hop_shape(hop: TableHop) -> HopShape:
    """A statement that makes one table of another."""
    process = process_document(hop.process)
    document = {"source": str(hop.source), "target": str(hop.target), "expression": "", "process": process}
    return _hop({**document, "place": process and process["place"]}, "table")


def _hop(document: dict[str, Any], how: str) -> HopShape:
    process = document["process"]
    return HopShape.model_validate(
        {
            **document,
            "how": how,
            "expression": cut(document["expression"]),
            "statement": process and process["type"],
        }
    )


def cut(expression: str) -> str:
    """An expression that is not too long to be read."""
    return expression if len(expression) <= _LONGEST else expression[: _LONGEST - 1] + "…"
