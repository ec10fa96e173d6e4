"""Columns that Delta Lake computes while it writes: `day date GENERATED ALWAYS AS (CAST(sold AS DATE))`.

Plans of INSERTs and of appended DataFrames do not show them: the table's metadata does. What they are made of is what is written into
the columns that they are computed from. MERGE and UPDATE have them in their plans.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from headwater.analyzers.catalyst.executed.commands import Executed
from headwater.lineage.column_level import Eliminator
from headwater.model.entity import PSEUDO_ROWS
from headwater.resolve.builder import Table
from headwater.resolve.scope import ResultSet
from headwater.runtime.versions import java_session_class

_EXPRESSION = "delta.generationExpression"
_TABLE = "DeltaTableV2"
_SOURCE = "DeltaDataSource"


def generated_in_table(table: Any) -> dict[str, str]:
    """The expressions of a table's computed columns; none if it is not one of Delta's."""
    if str(table.getClass().getSimpleName()) != _TABLE:
        return {}
    return _expressions(table.initialSnapshot())


def generated_at_path(work: Executed, source: Any, path: str) -> dict[str, str]:
    """The same of a table by its path. Delta has just written there, so it has the table's metadata at hand."""
    from py4j.protocol import Py4JError

    if str(source.getClass().getSimpleName()) != _SOURCE:
        return {}
    java = work.jvm.gateway.jvm
    with suppress(Py4JError):
        session = java_session_class(java).getDefaultSession().get()
        return _expressions(java.org.apache.spark.sql.delta.DeltaLog.forTable(session, path).unsafeVolatileSnapshot())
    return {}


def _expressions(snapshot: Any) -> dict[str, str]:
    fields = json.loads(str(snapshot.metadata().schema().json()))["fields"]
    return {str(each["name"]): each["metadata"][_EXPRESSION] for each in fields if _EXPRESSION in each["metadata"]}


def write_generated(work: Executed, table: Table, names: list[str], result: ResultSet, made: dict[str, str]) -> None:
    """Let what is written into columns flow into those that are computed from them."""
    written = {work.fold(name): column for name, (_, column) in zip(names, result.outputs, strict=False)}
    for name, expression in made.items():
        column = work.fold(name)
        if column in written:
            continue
        for source, kind in _sources(work, expression):
            if source in written:
                work.builder.edge(table.claim(column), written[source], kind, None)


def _sources(work: Executed, expression: str) -> Iterator[tuple[str, int]]:
    """The columns that an expression is made of, and how."""
    resolution = work.resolve(f"SELECT {expression} FROM written", "spark")
    for target, found in Eliminator(resolution, literals=False).numbered():
        for source, kind, _ in found if target in resolution.outputs else ():
            name = resolution.columns[source][1]
            if name != PSEUDO_ROWS:
                yield name, kind
