"""The lakehouse tables: their columns, their Arrow types, and what they mean. `docs/formats/lakehouse.md` lists them."""

from __future__ import annotations

import pyarrow as pa

from headwater.store.schema import Field, Table

VERSION = 1
"""Number of the schema. It changes when a column is renamed, removed, or means something else."""

_TIME = pa.timestamp("us", tz="UTC")


def _id(name: str, meaning: str) -> Field:
    return Field(name, pa.int64(), meaning)


def _text(name: str, meaning: str) -> Field:
    return Field(name, pa.string(), meaning)


def _number(name: str, meaning: str) -> Field:
    return Field(name, pa.int32(), meaning)


def _flag(name: str, meaning: str) -> Field:
    return Field(name, pa.bool_(), meaning)


def _time(name: str, meaning: str) -> Field:
    return Field(name, _TIME, meaning)


_LINE = _number("line", "line of its first character in that script, from 1")

RELATIONS = Table(
    "relations",
    "Which column is made of which: one row per source column, target column and process.",
    (
        _id("relation_id", "identifies the relation, in every snapshot"),
        _text("source_table", "name of the source's table: `db.t`"),
        _text("source_column", "name of the source column; `PseudoRows` stands for the rows of the table"),
        _text("target_table", "name of the target's table"),
        _text("target_column", "name of the target column; `PseudoRows` as above"),
        _id("source_id", "the source column: `columns.column_id`"),
        _id("target_id", "the target column: `columns.column_id`"),
        _text("type", "`fdd`: the value flows into the target; `fdr`: it decides which rows or values the target has"),
        _text("subtype", "`IDENTITY`, `TRANSFORMATION`, `AGGREGATION`, `FILTER`, `JOIN`, …; null if it has none"),
        _text(
            "clause",
            "where the source stands: `select`, `where`, `joinCondition`, …; `foreignKey`: a declared key; `field`: a struct and its field",
        ),
        _flag("masking", "whether the value is hidden on the way, for example by a hash"),
        _flag("candidate", "whether it is only one of several possible sources"),
        _text(
            "as_of",
            "`version`, `timestamp`, `branch` or `changes`, where not the current state of the source's table is read; else null",
        ),
        _text("expression", "the SQL that makes the target"),
        _id("process_id", "the process that makes it: `processes.process_id`; null for a struct and its field"),
        _text("process_type", "type of the process: `Insert`, `Create View`, …"),
        _text("script", "path of the script where the process stands first"),
        _number("line", "line of the process's first character in that script, from 1"),
    ),
)
COLUMNS = Table(
    "columns",
    "The columns of all tables, read or written.",
    (
        _id("column_id", "identifies the column, in every snapshot"),
        _id("table_id", "its table: `tables.table_id`"),
        _text("table_name", "name of its table: `db.t`"),
        _text("column_name", "its name; `PseudoRows` stands for the rows, `*` for columns that are not known"),
        _number("ordinal", "its place in the table, from 0; null if it is not known"),
        _text("data_type", "its type as it was declared; null if it is not known"),
        _flag("inferred", "whether only queries mention it, and no schema"),
        _flag("row_set", "whether it stands for the rows of its table"),
    ),
)
TABLES = Table(
    "tables",
    "Tables, views, files, stages, the objects of semantic layers, and the results of queries that write nothing.",
    (
        _id("table_id", "identifies the table, in every snapshot"),
        _text("table_name", "its name: `db.t`"),
        _text("schema_name", "the name without its last part: `db`; null if it has one part"),
        _text(
            "kind", "`table`, `view`, `path`, `stage`, `resultset`, `pseudoTable`, `model`, `metric`, `dashboard`, …"
        ),
        _flag("temporary", "whether it lives no longer than its script; scripts may have temporary tables of one name"),
        _flag("columns_known", "whether all of its columns are known"),
        _text("file_format", "format of a file or stage, if a statement tells it"),
        _id("process_id", "the process that defines it; null if there is none"),
        _text("script", "path of the script where that process stands first"),
        _number("line", "line of that process's first character in that script, from 1"),
    ),
)
PROCESSES = Table(
    "processes",
    "What runs: one row per distinct statement. Statements that differ only in literals are one process.",
    (
        _id("process_id", "identifies the process, in every snapshot"),
        _text("type", "`Create View`, `Insert`, `Merge`, …"),
        _text("procedure", "the procedure that it is part of; null outside of procedures"),
        _text("dialect", "the SQL dialect that was used to read it"),
        _text("query_hash", "MD5 of its text"),
        _text("text", "its SQL without secrets"),
        _text("script", "path of the script where it stands first"),
        _LINE,
        Field("seen", pa.int64(), "how often it was found, in scripts and logs"),
        _time("first_seen", "when it ran first, if a log tells it"),
        _time("last_seen", "when it ran last, if a log tells it"),
        Field("users", pa.list_(pa.string()), "who ran it, if a log tells it"),
    ),
)
STATEMENTS = Table(
    "statements",
    "Every place where a process stands in a script.",
    (
        _id("statement_id", "identifies the place"),
        _id("process_id", "the process that stands there: `processes.process_id`"),
        _text("script", "path of the script"),
        _text("script_kind", "`sql`, `notebook`, `databricks`, `python`, `stdin`, `log`, `captured`, `openlineage`, …"),
        _number("ordinal", "its number in the script, from 0"),
        _LINE,
        _number("position", "character of that line, from 1"),
        Field("seen", pa.int64(), "how often it was found there"),
    ),
)
DIAGNOSTICS = Table(
    "diagnostics",
    "What could not be understood, or only guessed: where lineage may be incomplete.",
    (
        _text("script", "path of the script"),
        _number("line", "line in the script, from 1"),
        _number("position", "character of that line, from 1"),
        _text("severity", "`error`, `warning`, `info`"),
        _text("code", "`syntax-error`, `unresolved-column`, …"),
        _text("message", "what is wrong"),
        _text("subject", "the name that it is about, if any"),
        _text("hint", "what to do, if that is known"),
        _id("statement_id", "the statement; null if it is about the whole script"),
        _id("process_id", "its process; null if there is none"),
    ),
)
TAGS = Table(
    "tags",
    "Tags of columns and tables, from projects, schema files and comments in SQL.",
    (
        _text("table_name", "name of the table"),
        _text(
            "column_name", "name of the column; null where the tag is on the table, whose columns then have rows too"
        ),
        _id("table_id", "the table: `tables.table_id`"),
        _id("column_id", "the column: `columns.column_id`; null where the tag is on the table"),
        _text("tag", "`pii`, …"),
        _text("origin", "where it comes from: `visivo`, `dbt`, `schema`, `comment`"),
        _text("place", "file and line of the tag, if they are known"),
    ),
)
SNAPSHOTS = Table(
    "snapshots",
    "The exported snapshots: one row per snapshot and table. It is written last, and only grows.",
    (
        _text("snapshot", "name of the store's snapshot"),
        _time("built_at", "when `headwater build` made the snapshot"),
        _time("exported_at", "when it was exported"),
        _text("table_name", "one of the tables above"),
        _id("version", "the table's version in Delta Lake, or its snapshot id in Iceberg, that holds this snapshot"),
        Field("row_count", pa.int64(), "rows of that version"),
        _number("schema_version", "number of this schema: 1"),
        _text("headwater_version", "the version of Headwater that exported it"),
    ),
)

CONTENT = (RELATIONS, COLUMNS, TABLES, PROCESSES, STATEMENTS, DIAGNOSTICS, TAGS)
"""The tables that an export replaces, in the order in which they are written."""
ALL = (*CONTENT, SNAPSHOTS)
