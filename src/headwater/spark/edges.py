"""A text to rows of column edges: what the DataFrame function, the table function and the data source have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from headwater.analysis import analyze
from headwater.catalog import CatalogError
from headwater.sql.dialect import UnknownDialect

SCHEMA = pa.schema(
    [
        ("statement", pa.int32()),
        ("process", pa.string()),
        ("target_table", pa.string()),
        ("target_column", pa.string()),
        ("source_table", pa.string()),
        ("source_column", pa.string()),
        ("type", pa.string()),
        ("subtype", pa.string()),
        ("clause", pa.string()),
        ("masking", pa.bool_()),
        ("candidate", pa.bool_()),
        ("expression", pa.string()),
        ("query_hash", pa.string()),
        ("diagnostic", pa.string()),
    ]
)
"""An edge; or, where `diagnostic` is set, what could not be understood: `syntax-error: …`."""


def edge_rows(sql: str | None, dialect: str, default_schema: str | None, **options: Any) -> Iterator[tuple[Any, ...]]:
    """The rows of a text: the edges of each of its statements, then what is to be said about it."""
    if not sql or not sql.strip():
        return
    try:
        lineage = analyze(sql, dialect, default_schema=default_schema or None, **options)
    except (UnknownDialect, CatalogError) as error:
        yield _remark(-1, f"error: {error}")
        return
    for number, statement in enumerate(lineage.statements):
        process = statement.resolution.process
        one = type(lineage)([statement], sql)
        for edge in one.column_edges():
            yield (
                *(number, process.type, edge.target.table, edge.target.column, edge.source.table, edge.source.column),
                *(edge.type, edge.subtype, edge.clause, edge.masking, edge.candidate, edge.expression),
                *(process.query_hash, None),
            )
        for said in statement.diagnostics:
            yield _remark(number, f"{said.code.value}: {said.message}")


def _remark(statement: int, text: str) -> tuple[Any, ...]:
    return (statement, *(None,) * (len(SCHEMA) - 2), text)
