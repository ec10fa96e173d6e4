"""COPY: rows between tables, queries, stages and files, in every form that dialects have of it; PUT and GET of files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from headwater.sql.form import Location, Transfer
from headwater.sql.reading.listed import comma_separated
from headwater.sql.reading.location import (
    file_format,
    is_location,
    location,
    stage_of_table,
)
from headwater.sql.reading.moved_query import listed_columns, table_or_query
from headwater.sql.reading.reading import Reading, identifier, reads, word


@reads("COPY", first=True)
def copy(reading: Reading) -> Any:
    """`COPY INTO t FROM @s`, `COPY INTO @s FROM t`, `COPY t FROM 'x'`, `COPY (SELECT …) TO 'x'`.

    STDIN is no source that anybody could name; what goes to STDOUT is shown, like a query's result.
    """
    reading.take("COPY")
    if reading.take("INTO"):
        return _copy_into(reading)
    if reading.take("FILES", "INTO"):
        return _copy_files(reading)
    if reading.sees("FROM", "DATABASE"):
        return None
    reading.take("BINARY")
    first = table_or_query(reading)
    columns, assignments = _copied_columns(reading) if reading.at_bracket() else ((), ())
    direction = reading.take_any("FROM", "TO")
    if not direction:
        return None
    if reading.take_any("STDIN", "STDOUT"):
        return Transfer(
            "Copy", first if direction == "FROM" else None, () if direction == "FROM" else (first,), columns
        )
    if reading.take("VERTICA"):
        return Transfer("Copy", first, (listed_columns(reading),), columns)
    reading.take_any("PROGRAM", "LOCAL")
    files = [replace(location(reading), format=file_format(reading.rest()))]
    _skip_node(reading)
    while reading.take(","):
        files.append(replace(location(reading), format=files[0].format))
        _skip_node(reading)
    if direction == "FROM":
        return Transfer("Copy", first, tuple(files), columns, assignments=assignments)
    return Transfer("Copy", files[0], (first,), columns)


def _copied_columns(reading: Reading) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The columns of a COPY, and what the statement computes: Vertica's `(a, raw FILLER INT, b AS raw + 1, c FORMAT 'x')`."""
    start = reading.at
    parts = comma_separated(reading.brackets())
    if all(len(part) == 1 or word(part[1]) in (".", "[") for part in parts):
        reading.at = start
        return tuple(reading.names()), ()
    fillers = {part[0].text.lower() for part in parts if len(part) > 1 and word(part[1]) == "FILLER"}
    computed = [part for part in parts if len(part) > 2 and word(part[1]) == "AS"]
    columns = [part for part in parts if part not in computed and part[0].text.lower() not in fillers]
    assignments = [
        exp.EQ(
            this=exp.Column(this=identifier(part[0])),
            expression=reading.expression(part[2:]).transform(_filled(fillers)),
        )
        for part in computed
    ]
    return tuple(identifier(part[0]) for part in columns), tuple(assignments)


def _filled(fillers: set[str]) -> Callable[[Any], Any]:
    """A function that makes parameters of the columns that are only read from the file."""

    def replaced(node: Any) -> Any:
        filler = isinstance(node, exp.Column) and node.name.lower() in fillers
        return exp.Parameter(this=node.this.copy()) if filler else node

    return replaced


def _skip_node(reading: Reading) -> None:
    """Vertica's `ON node1`, `ON ANY NODE` behind a file: who reads it; and how it is packed."""
    if reading.take("ON"):
        while reading and reading.word() != ",":
            if reading.at_bracket():
                reading.brackets()
            else:
                reading.token()


def _copy_into(reading: Reading) -> Any:
    target = location(reading) if is_location(reading) else reading.name()
    reading.take("BY", "POSITION")
    columns = _target_columns(reading) if reading.at_bracket() else ()
    options = reading.until("FROM")
    if reading.take("FROM"):
        sources = _sources(reading)
    elif reading.dialect.family == "snowflake" and not isinstance(target, Location):
        sources = [stage_of_table(target)]
    else:
        return None
    chosen = file_format([*options, *reading.rest()])
    if isinstance(target, Location):
        return Transfer("Copy", replace(target, format=chosen), tuple(sources))
    sources = [replace(s, format=chosen) if isinstance(s, Location) else s for s in sources]
    by_name = "MATCH_BY_COLUMN_NAME" in map(word, reading.rest()) or reading.dialect.family == "databricks"
    return Transfer("Copy", target, tuple(sources), columns, by_name=by_name and not columns)


def _target_columns(reading: Reading) -> tuple[Any, ...]:
    """The columns of a target; Synapse says which field of the file each one takes: `(a DEFAULT 'x' 1, b 2)`."""
    if reading.dialect.family != "tsql":
        return tuple(reading.names())
    inner = Reading(reading.brackets(), reading.sql, reading.dialect)
    columns = []
    while inner:
        columns.append(identifier(inner.until(",")[0]))
        inner.take(",")
    return tuple(columns)


def _copy_files(reading: Reading) -> Any:
    """Snowflake's `COPY FILES INTO @s/x FROM @r/y`: files go from one stage to another."""
    target = location(reading)
    return Transfer("Copy Files", target, tuple(_sources(reading))) if reading.take("FROM") else None


def _sources(reading: Reading) -> list[Any]:
    """What stands behind FROM: a table, a query, or one or more locations."""
    if not is_location(reading):
        return [table_or_query(reading)]
    found: list[Any] = [location(reading)]
    while reading.take(","):
        found.append(location(reading))
    return found


@reads("PUT", "GET", first=True)
def put_or_get(reading: Reading) -> Any:
    """`PUT file://x @stage`, `GET @stage file://x`."""
    kind = reading.token().text.title()
    if not is_location(reading) and reading.word() not in ("FILE", "FILE://"):
        return None
    source = location(reading)
    return Transfer(kind, location(reading), (source,))
