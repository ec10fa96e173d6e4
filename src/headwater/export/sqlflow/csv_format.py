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
from headwater.export.records import End
from headwater.export.sqlflow.elements import result_hash
from headwater.export.sqlflow.vocabulary import column_name, table_parts
from headwater.model.entity import EntityKind, TableName
from headwater.model.kind import FDD, FOREIGN_KEY, KINDS

_TABLE = ("db", "schema", "table")
_COLUMN = (*_TABLE, "column")
_PROCESS = ("procedure_names", "query_hash_id")
_DEFAULT = "default"
_KEY = KINDS[FOREIGN_KEY].clause
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
        rows = _column_rows(feed.scoped(replace(feed.scope, level="complete", functions=False, places=False)), output)
    else:
        rows = _column_rows(feed.scoped(replace(feed.scope, level="column", places=False)), output)
    cells.write_all(rows)


def _table_rows(feed: Feed) -> Iterator[Row]:
    for relation in feed.table_relations():
        process = feed.process(relation.process)
        source, target = (
            _table(entity.kind, entity.name, entity.parts, process.dialect)
            for entity in (feed.entity(relation.source), feed.entity(relation.target))
        )
        yield (*source, *target, process.procedure, process.query_hash)


def _column_rows(feed: Feed, output: Output) -> Iterator[Row]:
    for part in feed.parts():
        hashes = {entity.id: result_hash(entity) for entity in part.entities}
        for relation in part.relations:
            if relation.type != FDD:
                output.leave_out(
                    "pairs of influence or joins: a row cannot tell them from data flow", len(relation.sources)
                )
                continue
            process = feed.process(relation.process)
            target = _column(feed, relation.target, hashes, process.dialect)
            for source in relation.sources:
                if source.kind.clause == _KEY:
                    output.leave_out("foreign keys: a row cannot tell them from data flow")
                elif source.end.row_set or relation.target.row_set:
                    output.leave_out("pairs of row sets")
                elif source.end.kind is not EntityKind.LITERAL:
                    own = _column(feed, source.end, hashes, process.dialect)
                    yield (*own, *target, process.procedure, process.query_hash)


def _column(feed: Feed, end: End, hashes: dict[int, str], dialect: str) -> Row:
    """Database, schema, unqualified table and column; of a result set its hash."""
    if end.kind is EntityKind.RESULT_SET:
        hash = hashes.get(end.entity) or result_hash(feed.entity(end.entity))
        return _DEFAULT, _DEFAULT, hash, end.column_name
    return *_table(end.kind, end.entity_name, end.parts, dialect), column_name(
        end.column_name, end.kind, end.entity_name
    )


def _table(kind: EntityKind, name: str, parts: TableName, dialect: str) -> Row:
    """Database, schema and unqualified name."""
    spelled = table_parts(kind, name, parts)
    missing = _SCHEMAS.get(dialect, _DEFAULT)
    return (spelled[-3] if len(spelled) > 2 else _DEFAULT), (spelled[-2] if len(spelled) > 1 else missing), spelled[-1]


FORMAT = Format("sqlflow-csv", "SQLFlow's exchange CSV, by column or by table", write, levels=("column", "table"))
