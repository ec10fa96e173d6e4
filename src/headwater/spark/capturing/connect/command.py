"""A client's commands: what is written, and where to. Each becomes a statement; views and checkpoints are only remembered."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from headwater.analyzers.catalyst.executed import NoJob
from headwater.analyzers.catalyst.places import jdbc_place, local
from headwater.analyzers.select import Unread
from headwater.spark.capturing.connect.expression import Expressions
from headwater.spark.capturing.connect.fields import field_of
from headwater.spark.capturing.connect.leaf import know, mention, table_of
from headwater.spark.capturing.connect.literal import string_sql
from headwater.spark.capturing.connect.naming import Item, Result, named, quoted
from headwater.spark.capturing.connect.relation import Relations

_APPEND = 1
_INSERT_INTO = 2
_CREATING = (1, 5, 6)
"""Modes of `writeTo` that make the table."""
_MOVES = frozenset(
    {"write_operation", "write_operation_v2", "merge_into_table_command", "write_stream_operation_start", "sql_command"}
)
_UNKNOWN = frozenset({"ml_command", "execute_external_command", "pipeline_command", "extension"})
_BEFORE_QUERY = re.compile(r"\bAS\s+(?=\(*\s*(?:SELECT|WITH|FROM|VALUES|TABLE)\b)", re.IGNORECASE)
_WITH = re.compile(r"\s*WITH\s+(?:RECURSIVE\s+)?", re.IGNORECASE)


class Statement(NamedTuple):
    """A job as a statement."""

    text: str
    made: tuple[str, ...] = ()
    """The table that it makes; its types are the server's."""
    said: str = ""
    """What the program said, if that was SQL."""
    format: str = ""
    """Of the files that it writes."""


def query(relations: Relations, relation: Any) -> Statement:
    """A query whose rows the program gets."""
    said = relation.sql.query if relation.WhichOneof("rel_type") == "sql" else ""
    return Statement(_written(relations, "", relations.result(relation)), (), said)


def command(relations: Relations, command: Any) -> Statement:
    """A command that moves data."""
    kind = command.WhichOneof("command_type")
    if kind in _UNKNOWN:
        raise Unread(kind)
    if kind not in _MOVES:
        raise NoJob
    return _WRITERS[kind](relations, getattr(command, kind))


def _written(relations: Relations, head: str, result: Result) -> str:
    names = ", ".join(f"{quoted(c.sql)} AS {quoted(c.name)}" for c in result.columns) or "1"
    return relations.statement(head, f"SELECT {names} FROM {quoted(result.cte)}")


def _write(relations: Relations, write: Any) -> Statement:
    result = relations.result(write.input)
    source = (write.source or "parquet").lower()
    if write.WhichOneof("save_type") == "table":
        append = write.mode == _APPEND
        if write.table.save_method == _INSERT_INTO:
            return _into(relations, result, write.table.table_name)
        return (_by_name if append else _creating)(relations, result, write.table.table_name)
    options = {key.lower(): value for key, value in write.options.items()}
    if source == "jdbc":
        table = jdbc_place(options.get("url", ""), options.get("dbtable", "(?)")).table
        if not table:
            raise Unread("a write to another database")
        return Statement(_written(relations, f"INSERT INTO {quoted(*table)} BY NAME", result))
    if source == "noop":
        return Statement(_written(relations, "", result))
    path = write.path or options.get("path", "")
    return _files(relations, result, path, source)


def _files(relations: Relations, result: Result, path: str, source: str) -> Statement:
    if not path:
        raise Unread(f"a write of format {source}")
    head = f"INSERT OVERWRITE DIRECTORY {string_sql(local(path))} USING parquet"  # columns by name, whatever the format
    return Statement(_written(relations, head, result), format=source)


def _into(relations: Relations, result: Result, name: str) -> Statement:
    know(relations, table_of(name))
    return Statement(_written(relations, f"INSERT INTO {quoted(*table_of(name))}", result))


def _by_name(relations: Relations, result: Result, name: str) -> Statement:
    know(relations, table_of(name))
    return Statement(_written(relations, f"INSERT INTO {quoted(*table_of(name))} BY NAME", result))


def _creating(relations: Relations, result: Result, name: str) -> Statement:
    table = table_of(name)
    return Statement(_written(relations, f"CREATE TABLE {quoted(*table)} AS", result), table)


def _write_v2(relations: Relations, write: Any) -> Statement:
    result = relations.result(write.input)
    return (_creating if write.mode in _CREATING else _by_name)(relations, result, write.table_name)


def _stream(relations: Relations, stream: Any) -> Statement:
    if stream.HasField("foreach_batch") or stream.HasField("foreach_writer"):
        raise Unread("what a stream does with its batches, which the server runs,")
    result = relations.result(stream.input)
    if stream.WhichOneof("sink_destination") == "table_name":
        return _by_name(relations, result, stream.table_name)
    return _files(
        relations, result, stream.path or stream.options.get("path", ""), (stream.format or "parquet").lower()
    )


def _merge(relations: Relations, merge: Any) -> Statement:
    source = relations.result(merge.source_table_plan)
    table = table_of(merge.target_table_name)
    know(relations, table)
    known = named(relations.schemas.get(".".join(table if len(table) > 1 else (relations.schema, *table)), {}))
    target = Result("", tuple(column._replace(qualifier=table) for column in known))
    items = [Item(source, "_s"), Item(target, "_t")]
    scope = Expressions(items, _no_subquery)
    clauses = [f"ON {scope.sql(merge.merge_condition)}"]
    for phrase, actions in (
        ("MATCHED", merge.match_actions),
        ("NOT MATCHED", merge.not_matched_actions),
        ("NOT MATCHED BY SOURCE", merge.not_matched_by_source_actions),
    ):
        clauses += [_action(scope, phrase, each.merge_action, source, target) for each in actions]
    head = relations.statement("", f"MERGE INTO {quoted(*table)} AS `_t` USING {quoted(source.cte)} AS `_s`")
    return Statement(" ".join([head, *clauses]))


def _action(scope: Expressions, phrase: str, action: Any, source: Result, target: Result) -> str:
    test = f" AND {scope.sql(action.condition)}" if action.HasField("condition") else ""
    pairs = [(_last(scope.sql(each.key)), scope.sql(each.value)) for each in action.assignments]
    if action.action_type in (3, 5):
        theirs = {column.name.lower(): column for column in source.columns}
        both = [(t, theirs[t.name.lower()]) for t in target.columns if t.name.lower() in theirs]
        pairs = [(quoted(t.name), scope.items[0].written(s)) for t, s in both]
    if action.action_type in (4, 5):
        done = f"UPDATE SET {', '.join(f'{key} = {value}' for key, value in pairs)}"
    elif action.action_type in (2, 3):
        done = f"INSERT ({', '.join(key for key, _ in pairs)}) VALUES ({', '.join(value for _, value in pairs)})"
    else:
        done = "DELETE"
    return f"WHEN {phrase}{test} THEN {done}"


def _last(name: str) -> str:
    """A column of the target, without the target."""
    return name.removeprefix("`_t`.")


def _no_subquery(query: Any, outer: Expressions) -> str:
    raise Unread("a subquery in MERGE")


def _sql(relations: Relations, command: Any) -> Statement:
    """SQL that was executed at once; views that it reads become its CTEs."""
    relation = field_of(command, "input")
    together = field_of(relation, "with_relations") if relation is not None else None
    references = together.references if together is not None else ()
    root = together.root if together is not None and references else relation
    text = str((root is not None and root.sql.query) or command.sql)
    with relations.referring(references):
        mention(relations, text)
    ctes = relations.statement("", "")
    if not ctes:
        return Statement(text, (), text)
    return Statement(_with_ctes(text, ctes), (), text)


def _with_ctes(text: str, ctes: str) -> str:
    """A statement that begins with WITH, or whose query does."""
    at = _BEFORE_QUERY.search(text) if re.match(r"\s*CREATE\b", text, re.IGNORECASE) else None
    head, rest = (text[: at.end()], text[at.end() :]) if at else ("", text)
    own = _WITH.match(rest)
    return f"{head}{ctes}, {rest[own.end() :]}" if own else f"{head}{ctes} {rest}"


def query_in(text: str) -> str:
    """The query of CREATE VIEW."""
    at = _BEFORE_QUERY.search(text)
    return text[at.end() :] if at else ""


_WRITERS: dict[str, Callable[[Relations, Any], Statement]] = {
    "write_operation": _write,
    "write_operation_v2": _write_v2,
    "write_stream_operation_start": _stream,
    "merge_into_table_command": _merge,
    "sql_command": _sql,
}
