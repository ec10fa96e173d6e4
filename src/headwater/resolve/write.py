"""Writing a result set into a table: which output goes to which column, and what the rows do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.model.diagnostic import Code
from headwater.model.kind import IDENTITY, WRITE_ROWS, candidate
from headwater.resolve.builder import Builder, Table
from headwater.resolve.scope import ResultSet

_FILLS_FIRST = frozenset({"postgres", "redshift"})
"""Dialects where an INSERT without a column list may give values for the first columns only."""


_MOST_NAMES = 10
"""Names that a diagnostic lists."""


def write_by_position(builder: Builder, table: Table, names: Sequence[str], result: ResultSet, place: Any) -> None:
    """Output i goes to the i-th name."""
    for name, (_, column) in zip(names, result.outputs, strict=False):
        _write(builder, table.claim(name), column, IDENTITY, place)
    write_rows(builder, table, result)


def write_by_name(builder: Builder, table: Table, result: ResultSet, place: Any) -> None:
    """Each output goes to the column of its own name."""
    for name, column in result.outputs:
        _write(builder, table.claim(name), column, IDENTITY, place)
    write_rows(builder, table, result)


def _write(builder: Builder, target: int, column: int, kind: int, place: Any) -> None:
    """An output goes into a column of a table, which stands where the output does unless a list names it."""
    made_at = builder.columns[column][2]
    builder.edges.append((target, column, kind, made_at or place))
    builder.written_at(target, made_at)


def name_in_list(builder: Builder, table: Table, names: Sequence[str], nodes: Sequence[Any]) -> None:
    """Columns that a list names, behind the table's name, stand there; the list comes before whatever else names them."""
    for name, node in zip(names, nodes, strict=False):
        builder.written_at(table.claim(name), node)


def write_rows(builder: Builder, table: Table, result: ResultSet) -> None:
    """The query's row set influences the table's."""
    builder.edges.append((table.rows, result.rows, WRITE_ROWS, None))


def write_to_schema(builder: Builder, table: Table, columns: Sequence[str], result: ResultSet, place: Any) -> None:
    """Write by the table's known columns: by position if the count fits, else by the names that agree."""
    result.by_position()
    if result.open or len(columns) == len(result.outputs):
        _open_or_fitting(builder, table, columns, result, place)
    elif len(result.outputs) < len(columns) and builder.dialect.family in _FILLS_FIRST:
        write_by_position(builder, table, columns, result, place)
    else:
        say_mismatch(builder, table, columns, [name for name, _ in result.outputs], place)
        known = set(columns)
        for name, column in result.outputs:
            if name in known:
                _write(builder, table.claim(name), column, IDENTITY, place)
        write_rows(builder, table, result)


def write_to_declared(builder: Builder, table: Table, columns: Sequence[str], result: ResultSet, place: Any) -> None:
    """Write outputs to the columns of their names; what an open star has gives the other columns of a table that is known."""
    given = [(name, column) for name, column in result.outputs if name != "*"]
    named = {name for name, _ in given}
    for name, column in (*given, *((name, result.claim(name)) for name in columns if name not in named)):
        _write(builder, table.claim(name), column, IDENTITY, place)
    write_rows(builder, table, result)


def write_to_names(builder: Builder, table: Table, columns: Sequence[str], result: ResultSet, place: Any) -> None:
    """Write by names, where a user asks for it: `INSERT INTO t SELECT b, a FROM s` fills t's own b and a.

    An output of another name goes where the plain column goes that it renames (`b AS x` into b), if nothing else does.
    """
    given = {name: column for name, column in reversed(result.outputs) if name in columns}
    left = []
    for name, column in result.outputs:
        renamed = builder.columns[builder.origins[column]][1] if column in builder.origins else ""
        if name not in columns and renamed in columns and renamed not in given:
            given[renamed] = column
        elif given.get(name) != column and name != "*":
            left.append(name)
    for name in columns:
        if name in given or result.open:
            _write(builder, table.claim(name), given[name] if name in given else result.claim(name), IDENTITY, place)
    write_rows(builder, table, result)
    if left:
        say_mismatch(builder, table, columns, [name for name, _ in result.outputs], place)


def _open_or_fitting(builder: Builder, table: Table, columns: Sequence[str], result: ResultSet, place: Any) -> None:
    """By position before the first open star and, from the end, after the last.

    Which of a star's own columns comes where nobody knows; of several stars, not even which star's.
    """
    names = [name for name, _ in result.outputs]
    counted = result.is_counted and len(names) == len(columns)
    if "*" not in names or not result.open or counted:
        write_by_position(builder, table, columns, result, place)
        return
    sources = [column for _, column in result.outputs]
    first, after = names.index("*"), names[::-1].index("*")
    starred = sources[first : len(sources) - after]
    for i, name in enumerate(columns):
        from_end = len(columns) - i
        given = [sources[-from_end]] if from_end <= after else sources[i : i + 1] if i < first else starred
        kind = IDENTITY if len(given) == 1 else candidate(IDENTITY)
        for source in given:
            _write(builder, table.claim(name), source, kind, place)
    write_rows(builder, table, result)


def say_mismatch(builder: Builder, table: Table, columns: Sequence[str], given: Sequence[str], place: Any) -> None:
    """The number of columns does not fit the target; names the given ones that it does not have."""
    name = ".".join(table.name)
    left = [each or "an expression without a name" for each in given if each not in columns]
    message = f"{name} takes {len(columns)} columns here, the query gives {len(given)}"
    if left:
        more = f" and {len(left) - _MOST_NAMES} more" if len(left) > _MOST_NAMES else ""
        message += f"; {name} has no column for {', '.join(left[:_MOST_NAMES])}{more}"
    hint = "columns of the same name are mapped, the rest is left out"
    builder.say(Code.SCHEMA_MISMATCH, message, place, name, hint)
