"""Another name for a table's rows: CREATE STREAM … ON TABLE, CREATE SYNONYM … FOR."""

from __future__ import annotations

from headwater.model.entity import EntityKind
from headwater.model.kind import FROM_ROWS, IDENTITY
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder, Table
from headwater.resolve.location import files
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import Location, Stream


@resolves(Stream)
def stream(builder: Builder, form: Stream, environment: Environment) -> Outcome:
    """The table's columns under another name, and what the stream itself adds."""
    source: Table = files(builder, form.source) if isinstance(form.source, Location) else builder.table(form.source)
    builder.reads(source)
    target = builder.writes(builder.table(form.name))
    row = builder.entities[target.entity]
    row.kind, row.type = EntityKind.VIEW, "view"
    for name, column in source.star():
        builder.edge(target.claim(name), column, IDENTITY, None)
    builder.edge(target.rows, source.rows, FROM_ROWS, None)
    columns = None if source.schema is None else {**source.schema, **dict.fromkeys(form.extra, "")}
    builder.defines.append(Definition(target.name, columns, view=True))
    return Outcome(form.type)
