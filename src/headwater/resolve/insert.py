"""INSERT: INTO and OVERWRITE, with and without a column list, by position and BY NAME, with PARTITION."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY
from headwater.resolve.builder import Builder, Table
from headwater.resolve.cte import with_ctes
from headwater.resolve.flow import flow
from headwater.resolve.function_target import function_target
from headwater.resolve.location import path_from_text, written_files
from headwater.resolve.on_conflict import on_conflict
from headwater.resolve.query import query
from headwater.resolve.replaced_rows import replaced_rows
from headwater.resolve.returning import returning
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.target import changed, owner_of
from headwater.resolve.write import name_in_list, write_by_name, write_by_position, write_to_names, write_to_schema


@resolves(exp.Insert)
def insert(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`INSERT INTO t [(a, b)] SELECT …`."""
    environment = with_ctes(builder, node, None, environment)
    source = node.args.get("expression") or node.args.get("source")
    if not isinstance(source, exp.Expr):
        table = target_table(builder, node)
        return Outcome("Insert", returning(builder, node, table, environment))
    result = query(builder, source, None, environment, "insert-select")
    table = insert_into(builder, node, result)
    on_conflict(builder, node, table, result, environment)
    return Outcome("Insert", returning(builder, node, table, environment, changed=[result.rows]))


def target_table(builder: Builder, node: Any) -> Table:
    """The table that an INSERT writes."""
    target = node.this
    if isinstance(target, exp.Func):
        return builder.writes(function_target(builder, target))
    if isinstance(target, exp.Directory):
        return written_files(builder, path_from_text(target.this.name, target, _format(node)))
    return builder.writes(owner_of(builder, changed(builder, target)))


def _format(node: Any) -> str:
    """The format of a directory's files: `STORED AS ORC`."""
    stored = node.args.get("stored")
    return str(stored.this.name).lower() if isinstance(stored, exp.Expr) and isinstance(stored.this, exp.Expr) else ""


def insert_into(builder: Builder, node: Any, result: ResultSet) -> Table:
    """Write a result set as an INSERT says."""
    table = target_table(builder, node)
    dynamic, static = _partition(builder, node, table)
    if node.args.get("by_name"):
        write_by_name(builder, table, result, node)
    elif isinstance(node.this, exp.Schema):
        _to_column_list(builder, node, table, dynamic, result)
    elif table.schema is not None:
        columns = [c for c in table.writable() if c not in static and c not in dynamic] + dynamic
        write = write_to_schema if builder.session.insert_by == "position" else write_to_names
        write(builder, table, columns, result, node)
    else:
        _to_unknown(builder, node, table, dynamic, result)
    replaced_rows(builder, node, table, result)
    if node.args.get("overwrite") and not (dynamic or static):
        builder.replaced.add(table.name)
    return table


def _to_column_list(builder: Builder, node: Any, table: Table, dynamic: list[str], result: ResultSet) -> None:
    names = [_listed_name(builder, table, c) for c in node.this.expressions]
    name_in_list(builder, table, names, node.this.expressions)
    names += [d for d in dynamic if d not in names]
    write_to_schema(builder, table, names, result, node)


def _listed_name(builder: Builder, table: Table, node: Any) -> str:
    """The name of a listed column: ClickHouse's `n.k` is a path below n, MySQL's `t.a` the column a of the target t."""
    if not isinstance(node, exp.Dot):
        return builder.dialect.column(_identifier(node))
    parts: list[str] = []
    while isinstance(node, exp.Dot):
        parts.insert(0, builder.dialect.column(node.expression))
        node = node.this
    parts.insert(0, builder.dialect.column(_identifier(node)))
    own = [part.lower() for part in table.name]
    while len(parts) > 1 and parts[0].lower() in own:
        parts = parts[1:]
    return ".".join(parts)


def _to_unknown(builder: Builder, node: Any, table: Table, dynamic: list[str], result: ResultSet) -> None:
    """Nobody knows the target's columns: the query's own names, and the dynamic partition columns last."""
    names = [name for name, _ in result.outputs]
    if dynamic:
        names = names[: len(names) - len(dynamic)] + dynamic
    write_by_position(builder, table, names, result, node)


def _identifier(node: Any) -> Any:
    while isinstance(node, (exp.Column, exp.ColumnDef)):
        node = node.this
    return node


def _partition(builder: Builder, node: Any, table: Table) -> tuple[list[str], list[str]]:
    """Dynamic partition columns in order, and static ones, which take their constant."""
    target = node.this.this if isinstance(node.this, exp.Schema) else node.this
    partition = node.args.get("partition") or (target.args.get("partition") if target is not None else None)
    dynamic: list[str] = []
    static: list[str] = []
    if not isinstance(partition, exp.Partition) or builder.dialect.partitions_have_names:
        return dynamic, static
    for each in partition.expressions:
        if isinstance(each, exp.EQ):
            static.append(builder.dialect.column(_identifier(each.this)))
            scope = Scope(builder, None, Environment())
            flow(scope, each.expression, table.claim(static[-1]), IDENTITY)
        elif isinstance(_identifier(each), exp.Identifier):
            dynamic.append(builder.dialect.column(_identifier(each)))
    return dynamic, static
