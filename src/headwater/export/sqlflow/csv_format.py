"""SQLFlow's exchange CSVs: who flows into whom, by column or by table, with unqualified names and `;` between.

Only data flow is told, because a row does not say how: influence is left out, and said to be. Without result sets by default; with them, as
the reference's sample has it, a result set is a table under its hash.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from headwater.export.cells import CellWriter
from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.records import Entity, Process
from headwater.export.sqlflow.elements import result_hash
from headwater.export.sqlflow.vocabulary import column_name, spelled_parts
from headwater.model.entity import EntityKind
from headwater.model.kind import FDD

_TABLE = ("db", "schema", "table")
_COLUMN = (*_TABLE, "column")
_PROCESS = ("procedure_names", "query_hash_id")
_DEFAULT = "default"
_SCHEMAS = {"tsql": "dbo", "fabric": "dbo"}
"""What a missing schema is called; `default` elsewhere."""

Row = tuple[str, ...]


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """Write a feed as rows."""
    by_table = feed.scope.level == "table"
    fields = _TABLE if by_table else _COLUMN
    cells = CellWriter(output, ";", choices.safe_cells)
    cells.write([*(f"source_{name}" for name in fields), *(f"target_{name}" for name in fields), *_PROCESS])
    if by_table:
        rows = _table_rows(feed)
    elif choices.result_sets:
        rows = _column_rows(feed.scoped(replace(feed.scope, level="complete", functions=False)), output)
    else:
        rows = _column_rows(feed.scoped(replace(feed.scope, level="column")), output)
    cells.write_all(rows)


def _table_rows(feed: Feed) -> Iterator[Row]:
    for relation in feed.table_relations():
        process = feed.process(relation.process)
        source, target = feed.entity(relation.source), feed.entity(relation.target)
        yield (*_table(source, process), *_table(target, process), process.procedure, process.query_hash)


def _column_rows(feed: Feed, output: Output) -> Iterator[Row]:
    for part in feed.parts():
        inside = {entity.id: entity for entity in part.entities}
        for relation in part.relations:
            if relation.type != FDD:
                output.leave_out(
                    "pairs of influence or joins: a row cannot tell them from data flow", len(relation.sources)
                )
                continue
            process = feed.process(relation.process)
            target = inside.get(relation.target.entity) or feed.entity(relation.target.entity)
            for source in relation.sources:
                owner = inside.get(source.end.entity) or feed.entity(source.end.entity)
                if source.end.row_set or relation.target.row_set:
                    output.leave_out("pairs of row sets")
                elif owner.kind is not EntityKind.LITERAL:
                    yield (
                        *(*_table(owner, process), column_name(source.end.column_name, owner, owner.name)),
                        *(*_table(target, process), column_name(relation.target.column_name, target, target.name)),
                        *(process.procedure, process.query_hash),
                    )


def _table(entity: Entity, process: Process) -> tuple[str, str, str]:
    """Database, schema and unqualified name."""
    if entity.kind is EntityKind.RESULT_SET:
        return _DEFAULT, _DEFAULT, result_hash(entity)
    parts = spelled_parts(entity)
    missing = _SCHEMAS.get(process.dialect, _DEFAULT)
    return (parts[-3] if len(parts) > 2 else _DEFAULT), (parts[-2] if len(parts) > 1 else missing), parts[-1]


FORMAT = Format("sqlflow-csv", "SQLFlow's exchange CSV, by column or by table", write, levels=("column", "table"))
