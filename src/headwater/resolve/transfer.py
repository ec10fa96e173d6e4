"""Rows to and from files: COPY, UNLOAD, LOAD DATA, EXPORT DATA, BULK INSERT, PUT, GET, INSERT OVERWRITE DIRECTORY."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import FROM_ROWS, IDENTITY, WHERE, WRITE_ROWS
from headwater.resolve.builder import Builder, Owner, Table
from headwater.resolve.flow import flow
from headwater.resolve.location import SELF_DESCRIBING, Files, read_location, written_files
from headwater.resolve.query import query
from headwater.resolve.scope import Environment, Item, ResultSet, Scope
from headwater.resolve.statement import Outcome, nested_statement, resolves
from headwater.resolve.write import write_by_name, write_by_position, write_to_schema
from headwater.sql.form import Location, Transfer

_READ = "@"
"""What the file's content is called while MySQL's SET assigns variables that were read from it."""


@resolves(Transfer)
def transfer(builder: Builder, form: Transfer, environment: Environment) -> Outcome:
    """What the sources hold goes into the target."""
    sources = [_source(builder, each, form, environment) for each in form.sources]
    if form.target is None:
        return Outcome(form.type, _shown(builder, sources[0], form))
    if isinstance(form.target, Location):
        target: Table = written_files(builder, form.target)
        for source in sources:
            _to_files(builder, target, source, form)
    else:
        target = builder.writes(builder.table(form.target))
        for source in sources:
            _to_table(builder, target, source, form, environment)
    if form.replaces:
        builder.replaced.add(target.name)
    return Outcome(form.type)


def _shown(builder: Builder, source: Owner, form: Transfer) -> ResultSet:
    """A table's columns, or a query's, as they are shown."""
    if isinstance(source, ResultSet):
        return source
    result = ResultSet(builder, "select_list", form.sources[0])
    builder.edge(result.rows, source.rows, FROM_ROWS, None)
    names = [builder.dialect.column(c) for c in form.columns]
    for name, column in [(name, source.claim(name)) for name in names] or source.star():
        result.pass_on(source, name, column, form.sources[0])
    return result.complete()


def _source(builder: Builder, node: Any, form: Transfer, environment: Environment) -> Owner:
    if isinstance(node, Location):
        named = True if form.by_name and node.format in SELF_DESCRIBING else None
        return read_location(builder, node, named)
    if isinstance(node, exp.Table):
        return builder.reads(builder.table(node))
    if isinstance(node, (exp.Insert, exp.Update, exp.Delete, exp.Merge)):
        return nested_statement(builder, node, environment)
    return query(builder, node, None, environment, "insert-select")


def _to_files(builder: Builder, target: Table, source: Owner, form: Transfer) -> None:
    """A table's or query's columns into files: by name where these have names, else all into the pseudo column."""
    names = [builder.dialect.column(c) for c in form.columns]
    if isinstance(source, ResultSet) and not source.open:
        given = {name for name, _ in source.outputs}
        missing = [name for name in names if name not in given]
        if missing:
            message = f"the query gives no column {', '.join(missing)}"
            builder.say(Code.UNRESOLVED_COLUMN, message, form.sources[0], missing[0])
        names = [name for name in names if name in given]
    columns = [(name, source.claim(name)) for name in names] or source.star()
    for name, column in columns:
        builder.edge(target.claim(name), column, IDENTITY, builder.columns[column][2])
        builder.written_at(target.claim(name), builder.columns[column][2])
    builder.edge(target.rows, source.rows, WRITE_ROWS, None)


def _to_table(builder: Builder, target: Table, source: Owner, form: Transfer, environment: Environment) -> None:
    """Files or a query into a table: by the column list, else the known columns, else whatever there is."""
    if isinstance(source, ResultSet):
        names = [builder.dialect.column(c) for c in form.columns] or list(target.schema or ())
        if names and not form.by_name:
            write_to_schema(builder, target, names, source, form.target)
        elif form.by_name:
            write_by_name(builder, target, source, form.target)
        else:
            write_by_position(builder, target, [name for name, _ in source.outputs], source, form.target)
        return
    for name in _loaded(builder, target, source, form):
        by_name = isinstance(source, Files) and source.named and form.by_name
        taken = source.claim(name if by_name or not isinstance(source, Files) else "*")
        builder.edge(target.claim(name), taken, IDENTITY, None)
    _assign(builder, target, source, form, environment)
    _filter(builder, target, source, form, environment)
    builder.edge(target.rows, source.rows, WRITE_ROWS, None)


def _loaded(builder: Builder, target: Table, source: Owner, form: Transfer) -> list[str]:
    """The columns that a load fills: those it lists, else those that are known, else a table's or `*`; partition columns too."""
    if form.mapped:
        return []
    listed = [c for c in form.columns if not isinstance(c, (exp.Parameter, exp.SessionParameter))]
    names = [builder.dialect.column(c.this if isinstance(c, exp.Column) else c) for c in listed]
    if form.has_fields and target.schema is not None:
        names = [name for name in names if name in target.schema]
    own = [] if isinstance(source, Files) else [name for name, _ in source.star()]
    assigned = {builder.dialect.column(each.this.this) for each in form.assignments if form.has_fields}
    names = names or [name for name in target.schema or () if name not in assigned] or own or ["*"]
    return list(dict.fromkeys([*names, *(builder.dialect.column(p) for p in form.partition)]))


def _assign(builder: Builder, target: Table, source: Owner, form: Transfer, environment: Environment) -> None:
    """MySQL's `LOAD … (a, @v) SET b = @v + 1`: a variable is what the file holds."""
    if not form.assignments:
        return
    scope = Scope(builder, None, environment)
    scope.add(target.name[-1], target)
    scope.by_name[_READ] = Item(_READ, source, True)
    for each in form.assignments:
        if isinstance(each, exp.EQ) and isinstance(each.this, exp.Column):
            value = each.expression.transform(_as_column)
            flow(scope, value, target.claim(builder.dialect.column(each.this.this)), IDENTITY)


def _filter(builder: Builder, target: Table, source: Owner, form: Transfer, environment: Environment) -> None:
    """`LOAD LABEL … WHERE a > 0`: fields of the file decide which of its rows are taken."""
    if form.conditions:
        scope = Scope(builder, None, environment)
        scope.by_name[_READ] = Item(_READ, source, True)
        for each in form.conditions:
            flow(scope, each.transform(_as_column), target.rows, WHERE)


def _as_column(node: Any) -> Any:
    """A variable as a column of the file that it was read from."""
    if not isinstance(node, (exp.Parameter, exp.SessionParameter)):
        return node
    return exp.column(node.name, table=_READ, quoted=True)
