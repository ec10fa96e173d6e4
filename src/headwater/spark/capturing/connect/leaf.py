"""Relations that stand at the bottom of a plan: tables, files, SQL, and data of the program's own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from headwater.analysis import analyze
from headwater.analyzers.catalyst.places import jdbc_place, local
from headwater.analyzers.catalyst.relation import made_by_program
from headwater.analyzers.select import Unread
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import EntityKind, TableName
from headwater.resolve.time_travel import state_in_name
from headwater.spark.capturing.connect.literal import string_sql
from headwater.spark.capturing.connect.naming import Column, Result, parts_of, quoted, typed
from headwater.spark.capturing.connect.relation import Relations, writes

_OWN = "spark_catalog"
_PAST = {
    **dict.fromkeys(("versionasof", "snapshot-id", "branch", "tag"), "VERSION"),
    **dict.fromkeys(("timestampasof", "as-of-timestamp"), "TIMESTAMP"),
}
"""Options of Delta's and Iceberg's readers that choose a state of a table."""
_FROM_BEFORE = "the temporary view {} is from before the capture: what it is made of is not known"
_QUERY = re.compile(r"\s*\(?\s*(?:SELECT|WITH|FROM|VALUES|TABLE)\b", re.IGNORECASE)


@writes("read")
def read(relations: Relations, relation: Any) -> Result:
    """A table, a view, or files; all columns are named, so that nobody has to know them."""
    source = relation.read
    if source.WhichOneof("read_type") == "named_table":
        named = source.named_table
        return _table(relations, relation, table_of(named.unparsed_identifier), _options(named))
    places = _places(source.data_source)
    options = _options(source.data_source)
    if _reads_changes(options):
        places = [f"table_changes_by_path({string_sql(path)}, 0)" for path in _paths(source.data_source)]
    return _all_of(relations, relations.columns(relation), [each + _state(options) for each in places])


def _options(source: Any) -> dict[str, str]:
    return {key.lower(): value for key, value in source.options.items()}


def _reads_changes(options: Mapping[str, str]) -> bool:
    """Whether Delta's change data feed is read, instead of the table."""
    return any(options.get(key, "").lower() == "true" for key in ("readchangefeed", "readchangedata"))


def _state(options: Mapping[str, str]) -> str:
    """What stands behind a table whose options ask for another state than the current one."""
    word = next((word for key, word in _PAST.items() if key in options), None)
    return f" {word} AS OF 0" if word is not None else ""


def _table(relations: Relations, relation: Any, parts: tuple[str, ...], options: Mapping[str, str]) -> Result:
    view = relations.view(".".join(parts))
    if view is not None:
        return view._replace(columns=tuple(c._replace(qualifier=parts) for c in view.columns))
    whole = parts if len(parts) > 1 else (relations.schema, *parts)
    columns = relations.server.table(quoted(*whole))
    if columns is None and len(parts) == 1:
        relations.gaps.append(Diagnostic(Code.NOT_CAPTURED, _FROM_BEFORE.format(parts[0])))
        return constants(relations, relation)
    if columns is None:
        raise Unread("a table that the server does not know any more")
    if _reads_changes(options):
        feed = f"table_changes({string_sql(quoted(*whole))}, 0)"
        return _all_of(relations, relations.columns(relation), [feed], whole)
    return _all_of(relations, typed(columns), [quoted(*whole) + _state(options)], whole)


def _all_of(relations: Relations, columns: Sequence[Column], places: list[str], qualifier: TableName = ()) -> Result:
    listed = ", ".join(quoted(c.name) for c in columns) or "1"
    selects = " UNION ALL ".join(f"SELECT {listed} FROM {place}" for place in places)
    return relations.add(selects, [c._replace(qualifier=qualifier) for c in columns])


def _places(source: Any) -> list[str]:
    format = (source.format or "parquet").lower()
    options = _options(source)
    if format == "jdbc":
        table = jdbc_place(options.get("url", ""), options.get("dbtable", "(?)")).table
        if not table:
            raise Unread("a query to another database")
        return [quoted(*table)]
    if format == "kafka" and "subscribe" in options:
        return [f"{quoted(format)}.{quoted('kafka://' + options['subscribe'])}"]
    return [f"{quoted(format)}.{quoted(path)}" for path in _paths(source)]


def _paths(source: Any) -> list[str]:
    options = _options(source)
    paths = list(source.paths) or [options[key] for key in ("path",) if key in options]
    if not paths:
        raise Unread(f"a source of format {source.format}")
    return [local(path) for path in paths]


def table_of(name: str) -> tuple[str, ...]:
    """The parts of a table's name; Spark's own catalog is not said."""
    parts = parts_of(name)
    return parts[1:] if len(parts) == 3 and parts[0].lower() == _OWN else parts


@writes("sql")
def sql(relations: Relations, relation: Any) -> Result:
    """A query in SQL. What it reads is looked up first, so that its stars can be resolved."""
    text = str(relation.sql.query).strip().rstrip(";")
    if not _QUERY.match(text):
        return constants(relations, relation)
    mention(relations, text)
    return relations.asked(relation, text)


def mention(relations: Relations, text: str) -> None:
    """Look up the tables and views that SQL names."""
    for name, is_read in tables_in(text).items():
        if len(name) == 1 and relations.named_view(name[0]):
            continue
        if not know(relations, name) and is_read and len(name) == 1:
            relations.gaps.append(Diagnostic(Code.NOT_CAPTURED, _FROM_BEFORE.format(name[0])))


def know(relations: Relations, name: TableName) -> bool:
    """Look up a table's columns, for SQL that does not name them; whether there is such a table."""
    whole = name if len(name) > 1 else (relations.schema, *name)
    columns = relations.server.table(quoted(*whole))
    if columns is not None and state_in_name(whole) and know(relations, whole[:-1]):
        return True
    if columns is not None:
        relations.schemas[".".join(whole)] = dict(columns)
    return columns is not None


def tables_in(text: str) -> dict[TableName, bool]:
    """The tables that SQL names, and whether it reads them."""
    kinds = (EntityKind.TABLE, EntityKind.VIEW)
    found: dict[TableName, bool] = {}
    for resolution in (each.resolution for each in analyze(text).statements):
        for number in (*resolution.written, *resolution.read):
            row = resolution.entities[number]
            if row.kind in kinds and row.table:
                found[row.table] = number in resolution.read
    return found


@writes("local_relation", "cached_local_relation", "chunked_cached_local_relation")
def program_rows(relations: Relations, relation: Any) -> Result:
    """Data that the program brings along: constants as far as anybody sees."""
    made = constants(relations, relation)
    relations.gaps.append(made_by_program([column.name.lower() for column in made.columns]))
    return made


@writes("range", "catalog")
def constants(relations: Relations, relation: Any) -> Result:
    """Numbers, and what a command gave: constants."""
    columns = relations.columns(relation)
    return relations.add(f"SELECT {', '.join(['?'] * len(columns)) or '1'}", columns)


@writes("cached_remote_relation")
def checkpoint(relations: Relations, relation: Any) -> Result:
    """A checkpoint: what it was made of, or rows without a source if that was before the capture."""
    origin = relations.kept.get(relation.cached_remote_relation.relation_id)
    return program_rows(relations, relation) if origin is None else relations.result(origin)


@writes("unresolved_table_valued_function")
def table_function(relations: Relations, relation: Any) -> Result:
    """A function in FROM whose arguments are constants."""
    call = relation.unresolved_table_valued_function
    arguments = relations.over(Result("", ())).listed(call.arguments)
    return relations.asked(relation, f"SELECT * FROM {call.function_name}({arguments})")


@writes("with_relations")
def with_relations(relations: Relations, relation: Any) -> Result:
    """A relation whose expressions or SQL refer to others."""
    with relations.referring(relation.with_relations.references):
        return relations.result(relation.with_relations.root)


@writes("subquery_alias")
def alias(relations: Relations, relation: Any) -> Result:
    """`df.alias("a")`: its columns may be called `a.x`."""
    made = relations.result(relation.subquery_alias.input)
    name = (*relation.subquery_alias.qualifier, relation.subquery_alias.alias)
    return made._replace(columns=tuple(c._replace(qualifier=name) for c in made.columns))
