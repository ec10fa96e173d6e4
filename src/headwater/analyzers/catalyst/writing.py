"""Statements that write a query's result: INSERT, CREATE TABLE AS, CREATE VIEW, CACHE TABLE.

Spark analyses the query; where it goes is in the parsed command, and follows the model's rules. An INSERT into a table that is known is
analysed as a whole as well, so that Spark can refuse it.
"""

from __future__ import annotations

from typing import Any

from headwater.analyzers.answer import Refused
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.replaced_rows import replaced_rows
from headwater.analyzers.catalyst.work import Work, commands, parts_of
from headwater.analyzers.made_by_query import made_by_query
from headwater.analyzers.select import Unread
from headwater.model.kind import IDENTITY
from headwater.resolve.builder import Table
from headwater.resolve.location import files, path_from_text
from headwater.resolve.scope import ResultSet
from headwater.resolve.statement import Outcome
from headwater.resolve.write import write_by_name, write_by_position, write_to_schema
from headwater.sql.place import Elsewhere

_OURS = ("[UNSUPPORTED_OVERWRITE", "[PARTITIONS_NOT_FOUND", "[UNSUPPORTED_FEATURE.TABLE_OPERATION")
"""What Spark says about plain files, without partitions and without REPLACE, which the user's tables need not be."""


@commands("InsertIntoStatement")
def insert(work: Work, plan: Any, node: Node) -> Outcome:
    """`INSERT INTO t [(a, b)] SELECT …`."""
    insert_query(work, plan, node, plan.query())
    return Outcome("Insert")


def insert_query(work: Work, plan: Any, node: Node, query: Any, whole: Any = None) -> None:
    """Write a query as an INSERT says; *whole* is the statement with what stands around it."""
    target = node.tree("table")
    assert target is not None
    table = work.table(parts_of(target.fields["multipartIdentifier"]))
    if table.schema is not None:
        _check(work, whole or plan)
    result, _ = work.query(query, "insert-select")
    static, dynamic = _partition(work, plan, table)
    named = [work.fold(name) for name in work.engine.list_of(plan.userSpecifiedCols())]
    builder = work.builder
    if node.fields.get("byName"):
        write_by_name(builder, table, result, None)
    elif named:
        write_to_schema(builder, table, named + [d for d in dynamic if d not in named], result, None)
    elif table.schema is not None:
        columns = [c for c in table.writable() if c not in static and c not in dynamic] + dynamic
        write_to_schema(builder, table, columns, result, None)
    else:
        names = [name for name, _ in result.outputs]
        write_by_position(builder, table, names[: len(names) - len(dynamic)] + dynamic, result, None)
    replaces = replaced_rows(work, plan, node, query, table, result)
    if node.fields.get("overwrite") and not (static or dynamic or replaces):
        builder.replaced.add(table.name)


@commands("InsertIntoDir")
def insert_into_directory(work: Work, plan: Any, node: Node) -> Outcome:
    """`INSERT OVERWRITE DIRECTORY '/x' USING parquet SELECT …`."""
    uri, provider = plan.storage().locationUri(), plan.provider()
    if uri.isEmpty():
        raise Unread("a directory without a path")
    result, _ = work.query(plan.child(), "insert-select")
    place = path_from_text(
        work.reader.redacted(str(uri.get().toString())), None, "" if provider.isEmpty() else str(provider.get()).lower()
    )
    write_by_name(work.builder, work.builder.writes(files(work.builder, place, named=True)), result, None)
    return Outcome("Insert")


def _check(work: Work, plan: Any) -> None:
    """Let Spark refuse an INSERT, unless for a reason that only the tables have which we declare."""
    try:
        work.engine.analyse(plan)
    except Refused as refusal:
        if not str(refusal).startswith(_OURS):
            raise


def _partition(work: Work, plan: Any, table: Table) -> tuple[list[str], list[str]]:
    """Static partition columns, which take their constant, and dynamic ones."""
    static: list[str] = []
    dynamic: list[str] = []
    for name, value in work.engine.dict_of(plan.partitionSpec()).items():
        if value.isEmpty():
            dynamic.append(work.fold(name))
            continue
        static.append(work.fold(name))
        constant = work.builder.literal(Elsewhere(work.reader.redacted(f"'{value.get()}'"), None))
        work.builder.edge(table.claim(static[-1]), constant, IDENTITY, None)
    return static, dynamic


@commands("CreateTableAsSelect", "ReplaceTableAsSelect")
def create_table(work: Work, plan: Any, node: Node) -> Outcome:
    """`CREATE TABLE t AS SELECT …`."""
    result, made = work.query(plan.query())
    create(work, parts_of(node.children[0].fields["nameParts"]), result, made, [])
    return Outcome("Create Table")


@commands("CreateView")
def create_view(work: Work, plan: Any, node: Node) -> Outcome:
    """`CREATE VIEW v (a, b) AS SELECT …`."""
    result, made = work.query(plan.query())
    names = [work.fold(each._1()) for each in work.engine.list_of(plan.userSpecifiedColumns())]
    create(work, parts_of(node.children[0].fields["nameParts"]), result, made, names, view=True)
    return Outcome("Create View")


@commands("AlterViewAs")
def alter_view(work: Work, plan: Any, node: Node) -> Outcome:
    """`ALTER VIEW v AS SELECT …` gives a view another query."""
    result, made = work.query(plan.query())
    create(work, parts_of(node.children[0].fields["multipartIdentifier"]), result, made, [], view=True)
    return Outcome(work.type)


@commands("CreateViewCommand")
def create_temporary_view(work: Work, plan: Any, node: Node) -> Outcome:
    """`CREATE TEMPORARY VIEW v AS SELECT …`."""
    result, made = work.query(plan.plan())
    names = [work.fold(each._1()) for each in work.engine.list_of(plan.userSpecifiedColumns())]
    spread = ("global_temp",) if node.word("viewType") == "GlobalTempView" else ()
    create(work, (*spread, str(node.fields["name"]["table"])), result, made, names, view=True, temporary=True)
    return Outcome("Create View")


@commands("CacheTableAsSelect")
def cache_table(work: Work, plan: Any, node: Node) -> Outcome:
    """`CACHE TABLE v AS SELECT …` makes a temporary view."""
    result, made = work.query(plan.plan())
    create(work, (_cached_name(node),), result, made, [], view=True, temporary=True)
    return Outcome("Cache Table")


def _cached_name(node: Node) -> str:
    name = node.tree("tempViewName")
    return str(name.fields["value"]) if name is not None else str(node.fields["tempViewName"])


def create(
    work: Work,
    parts: tuple[str, ...],
    result: ResultSet,
    made: Any,
    names: list[str],
    view: bool = False,
    temporary: bool = False,
) -> None:
    """A table or view made by a query, under the query's names or those of a column list."""
    made_by_query(work.table(parts, temporary), result, names, work.engine.types(made), view, temporary)
