"""A table's page, and a column's."""

from __future__ import annotations

from headwater.graph import Column, Graph, Table, Tags
from headwater.server.answers.things import column_thing, hop_thing, statement_thing, table_thing, tag_thing
from headwater.server.shapes.answers import ColumnAnswer, ColumnRow, Match, TableAnswer, TablePage, TableRow
from headwater.server.shapes.things import TagThing


def match_of(found: Table | Column) -> Match:
    """Something that a search found."""
    if isinstance(found, Table):
        kind = found.kind
        return Match(
            what="table", id=str(found.id), name=str(found), kind=kind, table=str(found), column=None, data_type=None
        )
    return Match(
        what="column",
        id=str(found.id),
        name=str(found),
        kind=found.table.kind,
        table=str(found.table),
        column=found.name,
        data_type=found.data_type or None,
    )


def table_row(graph: Graph, table: Table) -> TableRow:
    """A table in a list."""
    degree = graph.degree(table)
    return TableRow(
        table=table_thing(table),
        columns=graph.columns_page(table, 0, 0)[0],
        upstream=degree.upstream,
        downstream=degree.downstream,
    )


def table_page(graph: Graph, total: int, tables: list[Table]) -> TablePage:
    """Tables in a list."""
    return TablePage(total=total, items=[table_row(graph, table) for table in tables])


def table_answer(graph: Graph, table: Table, limit: int, offset: int) -> TableAnswer:
    """A table's page."""
    details, tags = graph.details(table), graph.tags()
    total, columns = graph.columns_page(table, limit, offset)
    return TableAnswer(
        table=table_thing(table),
        spelling=details.spelling,
        complete=details.complete,
        columns=[_column_row(graph, column, tags) for column in columns],
        total_columns=total,
        statements=list(map(statement_thing, details.written_by)),
        read_by=list(map(statement_thing, details.read_by)),
        upstream=list(map(table_thing, details.upstream)),
        downstream=list(map(table_thing, details.downstream)),
        total_upstream=details.degree.upstream,
        total_downstream=details.degree.downstream,
        tags=_tags_of(tags, columns),
    )


def _column_row(graph: Graph, column: Column, tags: Tags) -> ColumnRow:
    degree = graph.degree(column)
    return ColumnRow(
        column=column_thing(column),
        upstream=degree.upstream,
        downstream=degree.downstream,
        tags=tags.names_of(column.node),
    )


def _tags_of(tags: Tags, columns: list[Column]) -> list[TagThing]:
    """The tags of a table: each that one of these columns carries, once, its own before one that flows there."""
    found = [tag for column in columns for tag in tags.of(column.node)]
    first = {tag.tag: tag for tag in sorted(found, key=lambda tag: (tag.tag, not tag.own), reverse=True)}
    return [tag_thing(first[name]) for name in sorted(first)]


def column_answer(graph: Graph, column: Column, limit: int) -> ColumnAnswer:
    """A column's page."""
    made_by, used_by = graph.made_by(column, limit), graph.used_by(column, limit)
    return ColumnAnswer(
        column=column_thing(column),
        made_by=list(map(hop_thing, made_by.hops)),
        used_by=list(map(hop_thing, used_by.hops)),
        total_made_by=made_by.total,
        total_used_by=used_by.total,
        tags=list(map(tag_thing, graph.tags().of(column.node))),
    )
