"""CREATE TABLE, CREATE TABLE AS, CREATE VIEW in all their forms; what they define is known from then on."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.entity import EntityKind
from headwater.model.kind import FROM_ROWS
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder, Table
from headwater.resolve.cte import with_ctes
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment, ResultSet
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.write import say_mismatch, write_by_name, write_by_position

_TYPES = {"TABLE": "Create Table", "VIEW": "Create View"}
_WITHOUT_COLUMNS = frozenset(
    {"INDEX", "SCHEMA", "DATABASE", "SEQUENCE", "EXTENSION", "ROLE", "USER", "WAREHOUSE", "TYPE"}
)
"""Kinds of objects that hold no columns."""


@resolves(exp.Create)
def create(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """CREATE TABLE and CREATE VIEW; other kinds of objects are not understood here."""
    kind = str(node.args.get("kind") or "").upper()
    if kind in _WITHOUT_COLUMNS:
        return Outcome(f"Create {kind.title()}")
    if kind not in _TYPES:
        builder.say(Code.UNSUPPORTED_STATEMENT, f"CREATE {kind} is not understood", node, f"CREATE {kind}")
        return Outcome("Unknown")
    environment = with_ctes(builder, node, None, environment)
    source = node.args.get("expression")
    source = _copied(node) or source
    if isinstance(source, exp.Expr) and is_query(source):
        _create_as(builder, node, source, environment, kind)
    else:
        _create_table(builder, node)
    return Outcome(_TYPES[kind])


def _copied(node: Any) -> Any:
    """The table that CREATE TABLE … LIKE or CLONE takes as its model."""
    if isinstance(node.args.get("clone"), exp.Clone):
        return node.args["clone"].this
    properties = node.args.get("properties")
    for each in properties.expressions if properties else ():
        if isinstance(each, exp.LikeProperty):
            return each.this
    return None


def is_temporary(node: Any) -> bool:
    """Whether a CREATE makes something that dies with its session."""
    properties = node.args.get("properties")
    marks = (exp.TemporaryProperty, exp.VolatileProperty)
    return any(isinstance(p, marks) for p in (properties.expressions if properties else ()))


def _is_global(node: Any) -> bool:
    """Spark's GLOBAL TEMPORARY views live in a schema of their own."""
    properties = node.args.get("properties")
    return any(isinstance(p, exp.GlobalProperty) for p in (properties.expressions if properties else ()))


def _target(builder: Builder, node: Any, view: bool) -> tuple[Table, list[Any]]:
    target = node.this
    items = target.expressions if isinstance(target, exp.Schema) else []
    named = target.this if isinstance(target, exp.Schema) else target
    if _is_global(node) and named.args.get("db") is None:
        named = exp.Table(this=named.this.copy(), db=exp.to_identifier("global_temp"))
    table = builder.table(named)
    row = builder.entities[table.entity]
    if view:
        row.kind, row.type = EntityKind.VIEW, "view"
    row.temporary = row.temporary or is_temporary(node)
    return table, items


def _create_as(builder: Builder, node: Any, source: Any, environment: Environment, kind: str) -> None:
    view = kind == "VIEW"
    result = query(builder, source, None, environment)
    table, items = _target(builder, node, view)
    if view and _feeds(builder, node, table, result):
        return
    builder.writes(table)
    if items and builder.dialect.ctas_by_name and not view:
        _create_by_name(builder, table, items, result, node)
        return
    names = [builder.dialect.column(_identifier(i)) for i in items if _identifier(i) is not None]
    if names and len(names) < len(result.outputs) and builder.dialect.short_column_list:
        names += [name for name, _ in result.outputs[len(names) :]]
    if names and len(names) != len(result.outputs) and not result.open:
        say_mismatch(builder, table, len(names), len(result.outputs), node)
    write_by_position(builder, table, names or [name for name, _ in result.outputs], result, node)
    builder.defines.append(_definition(builder, table, names, result, view))


def _feeds(builder: Builder, node: Any, view: Table, result: ResultSet) -> bool:
    """ClickHouse's `CREATE MATERIALIZED VIEW v TO t AS SELECT …` writes t, by name; v only shows what t holds."""
    properties = node.args.get("properties")
    fed = [p for p in (properties.expressions if properties else ()) if isinstance(p, exp.ToTableProperty)]
    if not fed:
        return False
    table = builder.writes(builder.table(fed[0].this))
    write_by_name(builder, table, result, node)
    builder.writes(view)
    shown = ResultSet(builder, "select_list", node)
    builder.edges.append((shown.rows, table.rows, FROM_ROWS, None))
    for name, column in result.outputs:
        shown.pass_on(table, name, table.claim(name), builder.columns[column][2])
    write_by_name(builder, view, shown.complete(), node)
    builder.defines.append(_definition(builder, view, [], result, view=True))
    return True


def _create_by_name(builder: Builder, table: Table, items: list[Any], result: ResultSet, node: Any) -> None:
    """MySQL's `CREATE TABLE t (a INT) SELECT …`: the query fills the columns of its own names, and adds those that are missing."""
    write_by_name(builder, table, result, node)
    columns = column_definitions(builder, items)
    for name, _ in result.outputs:
        columns.setdefault(name, "")
    temporary = builder.entities[table.entity].temporary
    builder.defines.append(Definition(table.name, None if result.open else columns, temporary))


@resolves(exp.Alter)
def alter(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`ALTER VIEW v AS SELECT …`, `ALTER TABLE t ADD COLUMNS (…)`."""
    actions = node.args.get("actions") or []
    if len(actions) == 1 and is_query(actions[0]):
        _create_as(builder, node, actions[0], environment, "VIEW")
        return Outcome("Create View")
    added = [d for a in actions for d in (a.expressions if isinstance(a, exp.Schema) else [a])]
    if not added or not all(isinstance(d, exp.ColumnDef) for d in added):
        builder.say(Code.UNSUPPORTED_STATEMENT, "this form of ALTER is not understood", node, "ALTER")
        if isinstance(node.this, exp.Table):
            builder.defines.append(Definition(builder.table_name(node.this), None, unknown=True))
        return Outcome("Alter Table")
    table = builder.table(node.this)
    if table.schema is not None:
        columns = {**table.schema, **column_definitions(builder, added)}
        builder.defines.append(Definition(table.name, columns, builder.entities[table.entity].temporary))
    return Outcome("Alter Table")


def _definition(builder: Builder, table: Table, names: list[str], result: ResultSet, view: bool) -> Definition:
    temporary = builder.entities[table.entity].temporary
    columns: dict[str, str] | None = dict.fromkeys(names or [name for name, _ in result.outputs], "")
    if result.open and not names:
        columns = None
    return Definition(table.name, columns, temporary, view)


def _identifier(node: Any) -> Any:
    if isinstance(node, (exp.ColumnDef, exp.Column)):
        return node.this
    return node if isinstance(node, exp.Identifier) else None


def _create_table(builder: Builder, node: Any) -> None:
    """A table by its column definitions, partition columns last."""
    table, items = _target(builder, node, view=False)
    if node.args.get("exists") and builder.session.definition(table.name) is not None:
        return
    columns = column_definitions(builder, items)
    properties = node.args.get("properties")
    for each in properties.expressions if properties else ():
        if isinstance(each, exp.PartitionedByProperty) and isinstance(each.this, exp.Schema):
            columns.update(column_definitions(builder, each.this.expressions))
    temporary = builder.entities[table.entity].temporary
    builder.defines.append(Definition(table.name, columns or None, temporary))


def column_definitions(builder: Builder, items: list[Any]) -> dict[str, str]:
    """Names and types of the column definitions among a table's elements."""
    columns: dict[str, str] = {}
    for item in items:
        if isinstance(item, exp.ColumnDef):
            kind = item.args.get("kind")
            columns[builder.dialect.column(item.this)] = (
                kind.sql(dialect=builder.dialect.grammar_name) if isinstance(kind, exp.Expr) else ""
            )
    return columns
