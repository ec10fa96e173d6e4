"""Statements that write a query's result: CREATE TABLE AS, CREATE VIEW, INSERT, EXPORT DATA; and plain queries."""

from __future__ import annotations

from headwater.analyzers.made_by_query import made_by_query
from headwater.analyzers.select import Scope, Select, Unread
from headwater.analyzers.zetasql.flow import make
from headwater.analyzers.zetasql.service import Insert
from headwater.analyzers.zetasql.tree import Node
from headwater.analyzers.zetasql.work import Work, commands
from headwater.resolve.location import files, path_from_text
from headwater.resolve.scope import ResultSet
from headwater.resolve.statement import Outcome
from headwater.resolve.write import write_by_name, write_by_position, write_to_schema


@commands("QueryStmt")
def query(work: Work, node: Node) -> Outcome:
    """`SELECT …`."""
    return Outcome("Select", work.query(node))


@commands("CreateTableAsSelectStmt")
def create_table(work: Work, node: Node) -> Outcome:
    """`CREATE TABLE t AS SELECT …`."""
    return _created(work, node, view=False)


@commands("CreateViewStmt", "CreateMaterializedViewStmt")
def create_view(work: Work, node: Node) -> Outcome:
    """`CREATE VIEW v (a, b) AS SELECT …`."""
    return _created(work, node, view=True)


def _created(work: Work, node: Node, view: bool) -> Outcome:
    if node.optional("query") is None:
        raise Unread("a replica")
    result = work.query(node)
    types = [each.column().type for each in node.nodes("output_column_list")]
    if node.fields.get("is_value_table") and types[0].fields:
        types = [kind for _, kind in types[0].fields]
    temporary = node.fields.get("create_scope") == "CREATE_TEMP"
    made_by_query(
        work.target(tuple(node.fields["name_path"]), temporary), result, [], list(map(str, types)), view, temporary
    )
    return Outcome(work.type)


@commands("ExportDataStmt")
def export_data(work: Work, node: Node) -> Outcome:
    """`EXPORT DATA OPTIONS (uri = '…') AS SELECT …`."""
    options = {str(each.fields["name"]).lower(): each.node("value") for each in node.nodes("option_list")}
    uri, format = _text(options.get("uri")), _text(options.get("format"))
    if not uri:
        raise Unread("an export without a uri")
    result = work.query(node)
    place = path_from_text(work.reader.redacted(uri), None, format.lower())
    write_by_name(work.builder, work.builder.writes(files(work.builder, place, named=True)), result, None)
    return Outcome(work.type)


def _text(node: Node | None) -> str:
    """The text of a literal."""
    return str(node.fields.get("value", "")).strip("'") if node is not None and node.name == "Literal" else ""


@commands("InsertStmt")
def insert(work: Work, node: Node) -> Outcome:
    """`INSERT INTO t (a, b) SELECT …`, `… VALUES …`."""
    if node.optional("returning") is not None:
        raise Unread("THEN RETURN")
    if node.optional("on_conflict_clause") is not None:
        raise Unread("ON CONFLICT")
    table, _ = work.changed(node.node("table_scan"))
    names = [work.fold(each.name) for each in node.columns("insert_column_list")]
    source = node.optional("query")
    if source is not None:
        result = work.part(source, node.columns("query_output_column_list"), "insert-select")
    else:
        result = _values(work, node.nodes("row_list"), names)
    write_by_position(work.builder, table, names, result, None)
    return Outcome("Insert")


def _values(work: Work, rows: list[Node], names: list[str]) -> ResultSet:
    select = Select(work.reader, None, "insert-select")
    scope = Scope(select, ())
    for position, name in enumerate(names):
        column = select.result.add(name, None)
        for row in rows:
            make(scope, row.nodes("value_list")[position].node("value"), column)
    return select.result.complete()


def insert_into_unknown(work: Work, insert: Insert) -> Outcome:
    """An INSERT whose target nobody knows: its columns are those that it lists, else the query's."""
    result = work.query(insert.query, "insert-select")
    names = [work.fold(name) for name in insert.columns] or [name for name, _ in result.outputs]
    write_to_schema(work.builder, work.target(insert.target), names, result, None)
    return Outcome("Insert")
