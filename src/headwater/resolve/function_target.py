"""Functions that are written to: ClickHouse's `INSERT INTO FUNCTION s3(…)`, `INSERT INTO FUNCTION remote(…)`."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.builder import Builder, Table
from headwater.resolve.call_argument import named_table
from headwater.resolve.generator import arguments_of, name_of
from headwater.resolve.location import files, path_from_text
from headwater.resolve.read_files import written_columns, written_uri
from headwater.resolve.remote_query import remote_table


def function_target(builder: Builder, call: Any) -> Table:
    """What a call stands for as the target of an INSERT: files, a table elsewhere, or the function itself."""
    uri = written_uri(call)
    if uri is not None:
        found = files(builder, path_from_text(uri.name, uri), named=True)
        found.schema = found.schema or written_columns(builder, call)
        return found
    table = remote_table(name_of(call), arguments_of(call))
    if table is None:
        table = named_table([exp.to_identifier(builder.places.function_name(call))])
        builder.entities[builder.table(table).entity].type = "function"
    return builder.table(table)
