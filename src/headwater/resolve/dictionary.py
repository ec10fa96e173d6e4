"""ClickHouse's tables that are made of others: CREATE DICTIONARY, with the columns of its source by name, and engines that show a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import MOVED, WRITE_ROWS
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder, Table
from headwater.resolve.call_argument import is_database_pattern, merged_tables, named_table, table_of
from headwater.resolve.column_definition import column_definitions, computed
from headwater.resolve.dictionary_lookup import table_named
from headwater.resolve.external_table import fill_from_files
from headwater.resolve.location import path_from_text
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome
from headwater.resolve.wildcard_table import merged
from headwater.resolve.write import write_to_schema
from headwater.sql.embedded import embedded_query

_SERVERS = frozenset({"MYSQL", "POSTGRESQL", "MONGODB", "CASSANDRA"})
_FILES = {"FILE": "PATH", "HTTP": "URL"}
"""Sources that are files, and the setting that names these."""


def dictionary(builder: Builder, node: Any) -> Outcome:
    """`CREATE DICTIONARY d (a UInt64) … SOURCE (CLICKHOUSE (TABLE 't' DB 'x'))`."""
    schema = node.this
    table = builder.table(schema.this if isinstance(schema, exp.Schema) else schema)
    items = schema.expressions if isinstance(schema, exp.Schema) else []
    columns = column_definitions(builder, items)
    for source in _sources(node):
        _fill(builder, builder.writes(table), columns, items, source)
    builder.defines.append(Definition(table.name, columns or None))
    return Outcome("Create Dictionary")


def _sources(node: Any) -> list[Any]:
    properties = node.args.get("properties")
    found = properties.expressions if properties else ()
    return [each for each in found if isinstance(each, exp.DictProperty) and str(each.this).upper() == "SOURCE"]


def _fill(builder: Builder, table: Table, columns: dict[str, str], items: list[Any], source: Any) -> None:
    """Fill a dictionary from the source that its SOURCE names."""
    kind = str(source.args.get("kind")).upper()
    settings = {s.name.upper(): s.args.get("value") for s in source.args.get("settings") or ()}
    file = settings.get(_FILES.get(kind, ""))
    if isinstance(file, exp.Literal):
        format_ = settings["FORMAT"].name.lower() if isinstance(settings.get("FORMAT"), exp.Expr) else ""
        fill_from_files(builder, table, columns, [path_from_text(file.name, file, format_)], {})
        return
    asked = _query(builder, kind, settings, items) if kind == "CLICKHOUSE" or kind in _SERVERS else None
    if asked is not None:
        result = query(builder, asked, None, Environment(), "insert-select")
        write_to_schema(builder, table, list(columns), result, source)
    elif kind != "NULL":
        message = f"what a dictionary takes from {kind} is not known"
        builder.say(Code.UNSUPPORTED_CONSTRUCT, message, source, kind)


def _query(builder: Builder, kind: str, settings: dict[str, Any], items: list[Any]) -> Any:
    """The query that fills a dictionary: the one that is given, or one for the columns of a table; None if neither is understood."""
    text = settings.get("QUERY")
    if isinstance(text, exp.Literal) and kind == "CLICKHOUSE":
        found = embedded_query(builder.places, text, (builder.dialect.name,))
        return found if found is not None and is_query(found) else None
    table = settings.get("TABLE") or settings.get("COLLECTION")
    if not isinstance(table, exp.Expr):
        return None
    condition = settings.get("WHERE")
    asked = exp.Select(expressions=[_item(item) for item in items if isinstance(item, exp.ColumnDef)])
    asked.set("from_", exp.From(this=_source_table(kind, table.name, settings)))
    if isinstance(condition, exp.Literal):
        whole = exp.Literal.string(f"SELECT 1 WHERE {condition.name}")
        parsed = embedded_query(builder.places, whole, (builder.dialect.name,))
        asked.set("where", parsed.args.get("where") if parsed is not None else None)
    return asked


def _item(item: Any) -> Any:
    """A column of the source, or what EXPRESSION makes of several."""
    made = computed(item)
    return exp.column(item.this.copy()) if made is None else exp.alias_(made.copy(), item.this.copy())


def _source_table(kind: str, name: str, settings: dict[str, Any]) -> Any:
    """The table of a source; one of another server has the host before its name."""
    outer = ["DB", "SCHEMA"] if kind == "CLICKHOUSE" else ["HOST", "DB", "SCHEMA"]
    given = [settings[key].name for key in outer if isinstance(settings.get(key), exp.Expr)]
    if not given:
        return table_named(name)
    return named_table([exp.to_identifier(part, quoted=True) for part in (*given, name)])


def show_table(builder: Builder, table: Table, names: Iterable[str], source: Any, engine: Any) -> None:
    """A table that shows the rows of another one, by an engine, `ENGINE = Dictionary('d')`; a buffer hands its own rows on to it."""
    flushes = is_buffer(engine)
    given = builder.reads(builder.table(source))
    if str(engine.name).lower() == "merge":
        merged(builder, given, is_database_pattern(list(engine.expressions)), engine)
    builder.writes(table)
    for name in list(names) or ("*",):
        builder.edge(table.claim(name), given.claim(name), MOVED, None)
        if flushes:
            builder.edge(given.claim(name), table.claim(name), MOVED, None)
    builder.edge(table.rows, given.rows, WRITE_ROWS, None)
    if flushes:
        builder.edge(builder.writes(given).rows, table.rows, WRITE_ROWS, None)


def shown_by_engine(engine: Any) -> Any:
    """The table that an engine shows: `Dictionary('d.x')`, `Distributed(c, db, t)`, `Merge(db, '^t')`, `MySQL('host', 'db', 't', …)`."""
    name, arguments = str(engine.name).lower(), list(engine.expressions)
    if name == "dictionary" and len(arguments) == 1:
        first = arguments[0]
        return table_of(first) if isinstance(first, exp.Column) else table_named(first.name)
    if name == "merge":
        return merged_tables(arguments)
    first, least = _NAMES_AT.get(name, (0, len(arguments) + 1))
    if len(arguments) < least or not all(isinstance(each, (exp.Column, exp.Literal)) for each in arguments[:least]):
        return None
    return named_table([exp.to_identifier(part.name, quoted=True) for part in arguments[first:least]])


_NAMES_AT = {"distributed": (1, 3), "mysql": (0, 3), "postgresql": (0, 3), "buffer": (0, 2)}
"""Which arguments of an engine name the table: from one on, up to another."""


def is_buffer(engine: Any) -> bool:
    """Whether an engine keeps rows for another table until it hands them on."""
    return str(engine.name).lower() == "buffer"
