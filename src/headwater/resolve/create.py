"""CREATE TABLE, CREATE TABLE AS, CREATE VIEW in all their forms; what they define is known from then on."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.entity import EntityKind
from headwater.model.kind import FROM_ROWS, IDENTITY, MOVED, WHERE, WRITE_ROWS, candidate
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder, Table
from headwater.resolve.column_definition import column_definitions, compute, hidden_names, unwritten_names
from headwater.resolve.create_type import define_type
from headwater.resolve.cte import with_ctes
from headwater.resolve.dictionary import dictionary, show_table, shown_by_engine
from headwater.resolve.external_table import fill_from_files, locations_of
from headwater.resolve.flow import flow
from headwater.resolve.foreign_key import foreign_keys, primary_key
from headwater.resolve.jdbc_table import fill_from_database, hand_to_database, jdbc_source
from headwater.resolve.location import Files, files, path_of_table
from headwater.resolve.made_type import made_types
from headwater.resolve.named_type import fields_of_type
from headwater.resolve.query import is_query, query
from headwater.resolve.rename import move_columns
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.write import (
    name_in_list,
    say_mismatch,
    write_by_name,
    write_by_position,
    write_to_declared,
    write_to_schema,
)
from headwater.sql.form import TableElements, struct
from headwater.sql.target import FILLED

_TYPES = {"TABLE": "Create Table", "VIEW": "Create View"}
_WITHOUT_COLUMNS = frozenset(
    {"INDEX", "SCHEMA", "DATABASE", "SEQUENCE", "EXTENSION", "ROLE", "USER", "WAREHOUSE", "TYPE"}
    | {"FILE FORMAT", "STORAGE INTEGRATION", "TAG", "POLICY", "DOMAIN", "CATALOG", "STREAMLIT", "SERVER", "VOLUME"}
)
"""Kinds of objects that hold no columns."""


@resolves(exp.Create)
def create(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """CREATE TABLE and CREATE VIEW; other kinds of objects are not understood here."""
    kind = str(node.args.get("kind") or "").upper()
    if kind == "TYPE" and isinstance(node.args.get("expression"), exp.Schema):
        fields = struct(node.args["expression"].expressions)
        if fields is not None:
            define_type(builder, node.this, fields)
    if kind in _WITHOUT_COLUMNS or kind.endswith(" INDEX"):
        return Outcome(f"Create {kind.title()}")
    if kind == "DICTIONARY":
        return dictionary(builder, node)
    if kind not in _TYPES:
        builder.say(Code.UNSUPPORTED_STATEMENT, f"CREATE {kind} is not understood", node, f"CREATE {kind}")
        return Outcome("Unknown")
    environment = with_ctes(builder, node, None, environment)
    source = node.args.get("expression") or _copied(node)
    if source is not None and isinstance(node.this, exp.Schema) and isinstance(source, exp.Table):
        _create_table(builder, node, [exp.LikeProperty(this=source)])
    elif isinstance(source, exp.Expr) and is_query(source):
        create_as(builder, node, source, environment, kind)
    else:
        if _without_query(node, kind):
            builder.say(Code.UNSUPPORTED_CONSTRUCT, f"what CREATE {kind} … AS has is no query", node, "AS")
        _create_table(builder, node)
    return Outcome(_TYPES[kind], effect="like_table" if _has_model(node) else "")


_NO_PROPERTIES = (exp.SetConfigProperty, exp.ExecuteAsProperty)
"""What the grammar takes for a property of a table, though it is a statement in a query's place."""


def _without_query(node: Any, kind: str) -> bool:
    """Whether another statement stands where a query should: `CREATE TABLE t AS SET a = 1`, `… AS DESCRIBE u`."""
    if node.args.get("expression") is not None or kind == "VIEW":
        return True
    return any(isinstance(each, _NO_PROPERTIES) for each in _properties(node))


def _copied(node: Any) -> Any:
    """The table that CREATE TABLE … LIKE or CLONE takes as its model."""
    if isinstance(node.args.get("clone"), exp.Clone):
        return node.args["clone"].this
    return next((p.this for p in _properties(node) if isinstance(p, exp.LikeProperty)), None)


def _has_model(node: Any) -> bool:
    """Whether a table takes its columns from another one, without its rows: `LIKE t`, also among its elements."""
    elements = node.this.expressions if isinstance(node.this, exp.Schema) else []
    return any(isinstance(each, exp.LikeProperty) for each in (*_properties(node), *elements))


def _properties(node: Any) -> list[Any]:
    properties = node.args.get("properties")
    return list(properties.expressions) if isinstance(properties, exp.Properties) else []


def is_temporary(node: Any) -> bool:
    """Whether a CREATE makes something that dies with its session."""
    return any(isinstance(p, (exp.TemporaryProperty, exp.VolatileProperty)) for p in _properties(node))


def _is_global(builder: Builder, node: Any) -> bool:
    """Spark's GLOBAL TEMPORARY views live in a schema of their own; tables of that kind, in other dialects, do not."""
    is_spark = builder.dialect.family in ("spark", "databricks")
    return is_spark and any(isinstance(p, exp.GlobalProperty) for p in _properties(node))


def _target(builder: Builder, node: Any, view: bool) -> tuple[Table, list[Any]]:
    target = node.this
    items = target.expressions if isinstance(target, exp.Schema) else []
    named = target.this if isinstance(target, exp.Schema) else target
    if _is_global(builder, node) and named.args.get("db") is None:
        named = exp.Table(this=named.this.copy(), db=exp.to_identifier("global_temp"))
    path = path_of_table(builder, named)
    if path is not None:
        return files(builder, path, named=True), items
    table = builder.table(named, is_temporary(node), new=True)
    row = builder.entities[table.entity]
    if view:
        row.kind, row.type = EntityKind.VIEW, "view"
    row.temporary = row.temporary or is_temporary(node)
    return table, items


def create_as(builder: Builder, node: Any, source: Any, environment: Environment, kind: str) -> None:
    """A table or view made by a query, or after the model of another table."""
    view = kind == "VIEW"
    result = query(builder, source, None, environment)
    table, items = _target(builder, node, view)
    builder.writes(table)
    by_name = builder.dialect.ctas_by_name and not view
    if items and by_name and (builder.dialect.names_reorder or not _only_names(items)):
        _create_by_name(builder, table, items, result, node)
        return
    listed = [_identifier(i) for i in items if _identifier(i) is not None]
    names = [builder.dialect.column(i) for i in listed]
    name_in_list(builder, table, names, listed)
    if names and len(names) < len(result.outputs) and builder.dialect.short_column_list:
        names += [name for name, _ in result.outputs[len(names) :]]
    if names and len(names) != len(result.outputs) and not result.open:
        say_mismatch(builder, table, names, [name for name, _ in result.outputs], node)
    outputs = names or [name for name, _ in result.outputs]
    declared = _declared(builder, node, table) if result.open and not names else ()
    write = write_to_declared if declared else write_to_schema if names and result.open else write_by_position
    write(builder, _filled(builder, node, table, outputs), declared or outputs, result, source)
    foreign_keys(builder, table, items)
    _keep_expected(builder, table, items)
    elsewhere = jdbc_source(builder, node)
    if elsewhere is not None:
        hand_to_database(builder, table, outputs, elsewhere)
    if isinstance(source, exp.Table):
        _show_by_engine(builder, node, table, outputs)
        fill_from_files(builder, table, dict.fromkeys(outputs, ""), locations_of(node), {})
    if not isinstance(table, Files):
        builder.defines.append(_definition(builder, table, names, result, view))


def _declared(builder: Builder, node: Any, table: Table) -> list[str]:
    """The columns that a catalog says of a table which a bare query fills."""
    known = builder.session.columns(table.name, builder.dialect) if node.meta.get(FILLED) else None
    return list(known or ())


def _only_names(items: list[Any]) -> bool:
    """Whether a list names columns without types, as in StarRocks and Doris: they are the query's by position."""
    columns = [item for item in items if _identifier(item) is not None]
    return bool(columns) and not any(isinstance(c, exp.ColumnDef) and c.args.get("kind") for c in columns)


def _keep_expected(builder: Builder, table: Table, items: Iterable[Any]) -> None:
    """Databricks' `CONSTRAINT c EXPECT (a > 0) ON VIOLATION DROP ROW`: the table keeps the rows that meet the condition."""
    for item in items:
        if isinstance(item, exp.Where):
            scope = Scope(builder, None, Environment(), table.rows)
            scope.add(table.name[-1], builder.writes(table))
            flow(scope, item.this, table.rows, WHERE)


def _show_by_engine(builder: Builder, node: Any, table: Table, names: Iterable[str]) -> None:
    """ClickHouse's `CREATE TABLE m (…) ENGINE = Merge(db, '^t')`: the engine shows other tables' rows."""
    for each in _properties(node):
        shown = shown_by_engine(each.this) if isinstance(each, exp.EngineProperty) and each.this.expressions else None
        if shown is not None:
            show_table(builder, table, names, shown, each.this)


def _filled(builder: Builder, node: Any, view: Table, names: list[str]) -> Table:
    """The table that the query fills: ClickHouse's `CREATE MATERIALIZED VIEW v TO t` fills t, by name, and v shows t."""
    for each in _properties(node):
        if isinstance(each, exp.ToTableProperty):
            table = builder.writes(builder.table(each.this.this if isinstance(each.this, exp.Schema) else each.this))
            for name in names:
                builder.edge(view.claim(name), table.claim(name), MOVED, None)
            builder.edge(view.rows, table.rows, FROM_ROWS, None)
            return table
    return view


def _create_by_name(builder: Builder, table: Table, items: list[Any], result: ResultSet, node: Any) -> None:
    """MySQL's `CREATE TABLE t (a INT) SELECT …`: the query fills the columns of its own names, and adds those that are missing."""
    write_by_name(builder, table, result, node)
    compute(builder, table, items)
    columns = column_definitions(builder, items)
    for name, _ in result.outputs:
        columns.setdefault(name, "")
    temporary = builder.entities[table.entity].temporary
    builder.defines.append(_shape(builder, table, None if result.open else columns, items, temporary))


def _definition(builder: Builder, table: Table, names: list[str], result: ResultSet, view: bool) -> Definition:
    temporary = builder.entities[table.entity].temporary
    columns = None if result.open and not names else made_types(builder, names, result)
    return Definition(table.name, columns, temporary, view)


def _identifier(node: Any) -> Any:
    if isinstance(node, (exp.ColumnDef, exp.Column)):
        return node.this
    return node if isinstance(node, exp.Identifier) else None


def _create_table(builder: Builder, node: Any, models: Sequence[Any] = ()) -> None:
    """A table by its column definitions, those of its *models* first, partition columns last."""
    table, items = _target(builder, node, view=False)
    items = [*models, *items]
    if isinstance(table, Files) or (node.args.get("exists") and builder.session.definition(table.name) is not None):
        return
    compute(builder, table, items)
    foreign_keys(builder, table, items)
    columns, is_open = _inherited(builder, node, table, column_definitions(builder, items))
    is_open = _add_elements(builder, table, items, columns) or is_open
    for each in _properties(node):
        if isinstance(each, exp.PartitionedByProperty) and isinstance(each.this, exp.Schema):
            columns.update(column_definitions(builder, each.this.expressions))
    _show_by_engine(builder, node, table, columns)
    locations = locations_of(node)
    if locations:
        fill_from_files(builder, builder.writes(table), columns, locations, {})
    elsewhere = jdbc_source(builder, node)
    if elsewhere is not None:
        columns = {name: columns.get(name, "") for name in fill_from_database(builder, table, list(columns), elsewhere)}
    temporary = builder.entities[table.entity].temporary
    builder.defines.append(_shape(builder, table, None if is_open else columns, items, temporary))


@resolves(TableElements)
def table_elements(builder: Builder, form: TableElements, environment: Environment) -> Outcome:
    """A CREATE TABLE of which only the elements were understood."""
    table = builder.table(form.name, new=True)
    items = list(form.elements)
    if not (form.exists and builder.session.definition(table.name) is not None):
        row = builder.entities[table.entity]
        row.temporary = row.temporary or form.temporary
        compute(builder, table, items)
        foreign_keys(builder, table, items)
        _keep_expected(builder, table, items)
        columns = dict.fromkeys(fields_of_type(builder.session, builder.dialect, form.of), "")
        is_open = _add_elements(builder, table, items, columns) or form.open
        if form.source is not None:
            _deliver(builder, table, form, columns)
        builder.defines.append(_shape(builder, table, None if is_open else columns, items, row.temporary))
    models = any(isinstance(item, exp.LikeProperty) for item in items)
    return Outcome("Create Table", effect="like_table" if models else "")


def _deliver(builder: Builder, table: Table, form: TableElements, columns: dict[str, str]) -> None:
    """The columns that a streaming source delivers have the names that they have there; those behind its star are not known."""
    source = builder.reads(builder.table(form.source))
    builder.writes(table)
    made = unwritten_names(builder, form.elements)
    for name in columns:
        if name not in made:
            builder.edge(table.claim(name), source.claim(name), IDENTITY, None)
    if form.open:
        star = builder.column(table.entity, "*", None)
        builder.inferred.add(star)
        builder.left_out[star] = frozenset(columns)
        builder.edge(star, source.claim("*"), IDENTITY, None)
    builder.edge(table.rows, source.rows, WRITE_ROWS, None)


def _shape(
    builder: Builder, table: Table, columns: dict[str, str] | None, items: list[Any], temporary: bool
) -> Definition:
    """What a CREATE TABLE's elements say about the table."""
    return Definition(
        table.name,
        columns or None,
        temporary,
        key=primary_key(builder, items),
        computed=unwritten_names(builder, items),
        hidden=hidden_names(builder, items),
    )


def _add_elements(builder: Builder, table: Table, items: list[Any], columns: dict[str, str]) -> bool:
    """Add the columns that a table's elements give it, in order; says whether an unknown model may give it more.

    `(k int, LIKE u, x int)`: the columns of u stand between k and x.
    """
    unknown: list[Table] = []
    for item in items:
        if not isinstance(item, exp.LikeProperty):
            columns.update(column_definitions(builder, [item]))
            continue
        model = builder.table(item.this)
        move_columns(builder, model, table, model.schema or ())
        columns.update(model.schema or {})
        if model.schema is None:
            unknown.append(model)
    _lend(builder, unknown, table, frozenset(columns))
    return bool(unknown)


def _lend(builder: Builder, models: list[Table], table: Table, own: frozenset[str]) -> None:
    """What unknown models lend a table besides its own columns: those that it is known to have, and one star for each model."""
    kind = candidate(MOVED) if len(models) > 1 else MOVED
    lent = [name for name in table.schema or table.columns if name not in own]
    for model in models:
        for name in lent:
            builder.edge(table.claim(name), model.claim(name), kind, None)
        if table.schema is not None:
            continue
        star = builder.column(table.entity, "*", None)
        builder.inferred.add(star)
        builder.left_out[star] = own
        builder.edge(star, model.claim("*"), MOVED, None)


def _inherited(builder: Builder, node: Any, table: Table, own: Container[str]) -> tuple[dict[str, str], bool]:
    """The columns of parents, and whether some are unknown: PostgreSQL's `INHERITS (p)` and `PARTITION OF p`.

    A child's rows are rows of its parent: they flow up, but for the columns of its *own*.
    """
    columns: dict[str, str] = {}
    is_open = False
    for each in _properties(node):
        parents: list[Any] = []
        if isinstance(each, exp.InheritsProperty):
            parents = each.expressions
        elif isinstance(each, exp.PartitionedOfProperty):
            parents = [each.this]
        for parent in parents:
            above = builder.table(parent)
            known = above.schema or [name for name in table.schema or () if name not in own]
            move_columns(builder, table, above, known)
            columns.update(above.schema or {})
            if not known:
                builder.edge(above.claim("*"), table.claim("*"), MOVED, None)
            is_open = is_open or above.schema is None
    return columns, is_open
