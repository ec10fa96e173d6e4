"""Statements that write a query's result: INSERT, CREATE TABLE AS, CREATE VIEW, CACHE TABLE.

Spark analyses the query; where it goes is in the parsed command, and follows the model's rules. An INSERT into a table that is known is
analysed as a whole as well, so that Spark can refuse it.
"""

from __future__ import annotations

from typing import Any

from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.work import Work, commands, parts_of
from headwater.model.entity import EntityKind
from headwater.model.kind import IDENTITY
from headwater.model.resolution import Definition
from headwater.resolve.builder import Table
from headwater.resolve.scope import ResultSet
from headwater.resolve.statement import Outcome
from headwater.resolve.write import write_by_name, write_by_position, write_to_schema
from headwater.sql.place import Elsewhere


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
        work.engine.analyse(whole or plan)
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
    if node.fields.get("overwrite") and not (static or dynamic):
        builder.replaced.add(table.name)


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
    result, types = work.query(plan.query())
    create(work, parts_of(node.children[0].fields["nameParts"]), result, types, [])
    return Outcome("Create Table")


@commands("CreateView")
def create_view(work: Work, plan: Any, node: Node) -> Outcome:
    """`CREATE VIEW v (a, b) AS SELECT …`."""
    result, types = work.query(plan.query())
    names = [work.fold(each._1()) for each in work.engine.list_of(plan.userSpecifiedColumns())]
    create(work, parts_of(node.children[0].fields["nameParts"]), result, types, names, view=True)
    return Outcome("Create View")


@commands("CreateViewCommand")
def create_temporary_view(work: Work, plan: Any, node: Node) -> Outcome:
    """`CREATE TEMPORARY VIEW v AS SELECT …`."""
    result, types = work.query(plan.plan())
    names = [work.fold(each._1()) for each in work.engine.list_of(plan.userSpecifiedColumns())]
    spread = ("global_temp",) if node.word("viewType") == "GlobalTempView" else ()
    create(work, (*spread, str(node.fields["name"]["table"])), result, types, names, view=True, temporary=True)
    return Outcome("Create View")


@commands("CacheTableAsSelect")
def cache_table(work: Work, plan: Any, node: Node) -> Outcome:
    """`CACHE TABLE v AS SELECT …` makes a temporary view."""
    result, types = work.query(plan.plan())
    create(work, (str(node.fields["tempViewName"]),), result, types, [], view=True, temporary=True)
    return Outcome("Cache Table")


def create(
    work: Work,
    parts: tuple[str, ...],
    result: ResultSet,
    types: dict[str, str],
    names: list[str],
    view: bool = False,
    temporary: bool = False,
) -> None:
    """A table or view made by a query, under the query's names or those of a column list."""
    table = work.table(parts, temporary)
    row = work.builder.entities[table.entity]
    if view:
        row.kind, row.type = EntityKind.VIEW, "view"
    row.temporary = row.temporary or temporary
    names = names or [name for name, _ in result.outputs]
    write_by_position(work.builder, table, names, result, None)
    columns = dict(zip(names, types.values(), strict=False))
    work.builder.defines.append(Definition(table.name, columns, row.temporary, view))
