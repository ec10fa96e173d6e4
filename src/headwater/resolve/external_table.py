"""Tables whose rows are files elsewhere: CREATE EXTERNAL TABLE, and CREATE TABLE with a LOCATION."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY, TRANSFORMATION, WRITE_ROWS
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder, Table
from headwater.resolve.column_definition import column_definitions, computed
from headwater.resolve.flow import flow
from headwater.resolve.location import path_from_text, read_location, written_files
from headwater.resolve.query import query
from headwater.resolve.read_files import written_uri
from headwater.resolve.scope import Environment, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.write import write_by_position
from headwater.sql.form import ExternalTable, Location

_TYPE = "Create External Table"


@resolves(ExternalTable)
def external_table(builder: Builder, form: ExternalTable, environment: Environment) -> Outcome:
    """`CREATE EXTERNAL TABLE t (…) LOCATION …`: the files are the source; with AS, the query is, and the files are written too."""
    columns: dict[str, str] = {}
    for each in form.elements:
        is_like = isinstance(each, exp.LikeProperty)
        columns |= builder.table(each.this).schema or {} if is_like else column_definitions(builder, [each])
    if form.writable:
        _hand_to_files(builder, builder.table(form.name, new=True), columns, form.locations)
        return Outcome(_TYPE)
    table = builder.writes(builder.table(form.name, new=True))
    if form.query is not None:
        result = query(builder, form.query, None, environment)
        write_by_position(builder, table, [name for name, _ in result.outputs], result, form.name)
        known = None if result.open else dict.fromkeys((name for name, _ in result.outputs), "")
        builder.defines.append(Definition(table.name, known))
        return Outcome(_TYPE)
    expressions = {builder.dialect.column(e.this): computed(e) for e in form.elements if computed(e) is not None}
    fill_from_files(builder, table, columns, form.locations, expressions)
    if form.open:
        _fill_open(builder, table, columns, form.locations)
        columns = {}
    if columns and builder.dialect.family == "snowflake":
        columns["VALUE"] = "variant"
    builder.defines.append(Definition(table.name, columns or None))
    return Outcome(_TYPE)


def _hand_to_files(builder: Builder, table: Table, columns: dict[str, str], locations: Sequence[Location]) -> None:
    """What is put into the table goes to the files, under the same names."""
    builder.reads(table)
    for each in locations:
        target = written_files(builder, each)
        for name in columns or ("*",):
            builder.edge(target.claim(name), table.claim(name), IDENTITY, None)
        builder.edge(target.rows, table.rows, WRITE_ROWS, None)
    builder.defines.append(Definition(table.name, columns or None))


def _fill_open(builder: Builder, table: Table, own: Mapping[str, str], locations: Sequence[Location]) -> None:
    """Let the columns that only the files tell of through a star, beside the table's *own*."""
    star = builder.column(table.entity, "*", None)
    builder.inferred.add(star)
    builder.left_out[star] = frozenset(own)
    for each in locations:
        builder.edge(star, read_location(builder, each).claim("*"), IDENTITY, None)


def fill_from_files(
    builder: Builder,
    table: Table,
    columns: Mapping[str, str],
    locations: Sequence[Location],
    expressions: Mapping[str, Any],
) -> None:
    """Each column is what the files hold: under its own name, or by an expression over their content."""
    for each in locations:
        source = read_location(builder, each)
        for name in columns or ("*",):
            target = table.claim(name)
            if name in expressions:
                scope = Scope(builder, None, Environment())
                scope.add(None, source)
                flow(scope, expressions[name], target, TRANSFORMATION)
            else:
                builder.edge(target, source.claim(name), IDENTITY, None)
        builder.edge(table.rows, source.rows, WRITE_ROWS, None)


def locations_of(node: exp.Create) -> list[Location]:
    """The files that a CREATE TABLE's own properties name.

    These are LOCATION, the option `path`, Trino's `external_location`, ClickHouse's `ENGINE = S3('…')`.
    """
    properties = node.args.get("properties")
    found: list[Location] = []
    format_ = ""
    for each in properties.expressions if properties else ():
        if isinstance(each, exp.FileFormatProperty) and isinstance(each.this, exp.Expr):
            format_ = each.name.lower()
        elif isinstance(each, exp.EngineProperty) and isinstance(each.this, exp.Func):
            uri = written_uri(each.this)
            found += [path_from_text(uri.name, uri, "")] if uri is not None else []
        elif isinstance(each, exp.LocationProperty):
            found.append(Location("path", each.this.name, each))
        elif type(each) is exp.Property and isinstance(each.this, exp.Expr) and each.this.name == "external_location":
            found.append(Location("path", each.args["value"].name, each))
        elif isinstance(each, exp.OptionsProperty):
            options = (p for p in each.expressions if isinstance(p, exp.Property) and isinstance(p.this, exp.Expr))
            found += [Location("path", p.args["value"].name, p) for p in options if p.this.name.lower() == "path"]
    return [Location(f.kind, f.name, f.place, format_) for f in found if f.name]
