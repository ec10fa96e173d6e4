"""The tables of a snapshot: their columns, their Arrow types, and what they mean. `docs/store.md` is written from here."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

FORMAT = 2
"""Number of the store's format; a store of another format is refused, not guessed at."""

_TIME = pa.timestamp("us", tz="UTC")


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a table."""

    name: str
    type: pa.DataType
    meaning: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a snapshot."""

    name: str
    meaning: str
    fields: tuple[Field, ...]

    @property
    def schema(self) -> pa.Schema:
        """Its Arrow schema."""
        return pa.schema([pa.field(f.name, f.type) for f in self.fields])


def _id(name: str, meaning: str) -> Field:
    return Field(name, pa.int64(), meaning)


def _text(name: str, meaning: str) -> Field:
    return Field(name, pa.string(), meaning)


def _number(name: str, meaning: str) -> Field:
    return Field(name, pa.int32(), meaning)


def _flag(name: str, meaning: str) -> Field:
    return Field(name, pa.bool_(), meaning)


_COST = (
    Field("bytes", pa.int64(), "what all runs read, if a log says"),
    Field("seconds", pa.float64(), "how long all runs took, if a log says"),
    Field("credits", pa.float64(), "what all runs were charged, if a log says"),
)
"""Snapshots of earlier versions do not have these columns: there they are null."""
_SEEN = (
    Field("seen", pa.int64(), "how often it was met"),
    Field("first_seen", _TIME, "when it was met first, if the source says"),
    Field("last_seen", _TIME, "when it was met last, if the source says"),
    Field("users", pa.list_(pa.string()), "who ran it, sorted, if the source says"),
    *_COST,
)

SCRIPTS = Table(
    "scripts",
    "What was read: one row per script file, and per distinct statement of a query log.",
    (
        _id("script_id", "of its path; in a log, of the log's path and the statement's text"),
        _text("path", "as it is shown, with `/`"),
        _text(
            "kind", "`sql`, `notebook`, `databricks`, `python`, `stdin`, `log`, `captured`, `openlineage`, `catalog`"
        ),
        _text("dialect", "the dialect, or several with commas between"),
        _text("default_schema", "the schema of names that have none"),
        _text("encoding", "how the file was written"),
        _text("digest", "of its content without its secrets"),
        _text("text", "the script without its secrets; null in a log, where it is the process's"),
        _number("statements", "how many statements it has"),
        *_SEEN,
    ),
)
STATEMENTS = Table(
    "statements",
    "Every place where a process stands in a script.",
    (
        _id("statement_id", "of its script and ordinal"),
        _id("script_id", "the script"),
        _number("ordinal", "its number in the script, from 0"),
        _number("start", "offset of its first character in the script"),
        _number("end", "offset behind its last character"),
        _number("line", "line of its first character, from 1"),
        _number("column", "column of its first character, from 1"),
        _id("process_id", "what it runs"),
        _text("query_hash", "MD5 of its own redacted text; differs from its process's where only literals differ"),
        Field("seen", pa.int64(), "how often it was met"),
        *_COST,
    ),
)
PROCESSES = Table(
    "processes",
    "What runs: one row per distinct statement, wherever it stands. Statements that differ only in literals are one.",
    (
        _id("process_id", "of procedure and query hash"),
        _text("type", "`Create View`, `Insert`, `Merge`, …"),
        _text("name", "`Query Create View`, …"),
        _text("procedure", "the procedure it belongs to, or `batchQueries`"),
        _text("query_hash", "MD5 of its redacted text"),
        _text("dialect", "the dialect that understood it"),
        _text("text", "its redacted text"),
        *_SEEN,
    ),
)
ENTITIES = Table(
    "entities",
    "Tables, views, paths and stages; and the results of queries that write nothing.",
    (
        _id("entity_id", "of its folded name; of a temporary one also of its script, of a result of its process"),
        _text("kind", "`table`, `view`, `path`, `stage`, `pseudoTable`, `resultset`"),
        Field("parts", pa.list_(pa.string()), "its folded name, outermost part first"),
        _text("name", "the folded name as it is shown and asked for: `db.t`"),
        _text("spelling", "the name as its first place spells it"),
        _flag("temporary", "whether it lives no longer than its script"),
        _id(
            "scope_id",
            "of a temporary entity the script, or the procedure that keeps it to itself; of a result or orphan the process; else 0",
        ),
        _flag("complete", "whether its columns are all known"),
        _text("file_format", "of a path or stage, if a statement tells"),
        _id("defined_by", "the process that defines it, if one does; else 0"),
    ),
)
COLUMNS = Table(
    "columns",
    "The columns of entities; one named `PseudoRows` is an entity's row set, one named `*` what nobody could list.",
    (
        _id("column_id", "of its entity and folded name; in a result, also of its ordinal"),
        _id("entity_id", "whose column it is"),
        _text("name", "its folded name"),
        _number("ordinal", "its place among the entity's columns, from 0; null if unknown"),
        _text("data_type", "as it was declared"),
        _flag("inferred", "whether no schema vouches for it"),
        _flag("row_set", "whether it stands for the entity's rows"),
        _text(
            "value",
            "where a statement writes it and no column flows into it: `constant` (literals, counted rows, functions without columns) or "
            "`unknown`; else null",
        ),
    ),
)
RELATIONS = Table(
    "relations",
    "Column level: one source, one target, one process.",
    (
        _id("relation_id", "of everything that follows but the place"),
        _id("source_id", "the source column"),
        _id("target_id", "the target column"),
        _id("process_id", "the process that makes the relation"),
        _text("type", "`fdd` or `fdr`"),
        _text(
            "subtype", "OpenLineage's: `IDENTITY`, `TRANSFORMATION`, `AGGREGATION`, `FILTER`, …; null if it has none"
        ),
        _text("clause", "where the source stands: `select`, `where`, `joinCondition`, …"),
        _flag("masking", "whether the value is hidden on the way"),
        _flag("candidate", "whether it is only one of several possible sources"),
        _text(
            "as_of",
            "`version`, `timestamp`, `branch` or `changes`, where not the current state of the source's table is read; else null",
        ),
        _text("expression", "the text that makes the target"),
        _number("start", "offset of that text in its process's text; null if it has no place"),
        _number("end", "offset behind it"),
    ),
)
DIAGNOSTICS = Table(
    "diagnostics",
    "What could not be understood, or only guessed.",
    (
        _id("script_id", "the script"),
        _id("statement_id", "the statement; 0 where it is said of the script as a whole"),
        _id("process_id", "its process; 0 where there is none"),
        _text("code", "`syntax-error`, `unresolved-column`, …"),
        _text("severity", "`error`, `warning`, `info`"),
        _text("message", "in plain words"),
        _text("subject", "the name it is about, if it is about one"),
        _text("hint", "what to do"),
        _number("start", "offset in the script"),
        _number("end", "offset behind it"),
        _number("line", "line in the script, from 1"),
        _number("column", "column in the script, from 1"),
    ),
)
TAGS = Table(
    "tags",
    "What projects, schema files and comments in SQL say of columns and tables. Snapshots of earlier versions do not have this table.",
    (
        _id("entity_id", "the table, or other entity"),
        _id("column_id", "the column; null where it is said of the entity as a whole, and so of all its columns"),
        _text("tag", "`pii`, …"),
        _text("origin", "who says so: `visivo`, `dbt`, `schema`, `comment`"),
        _text("place", "where it is said, as `file:line`, if that is known"),
    ),
)

STITCHED = {t.name: t for t in (SCRIPTS, STATEMENTS, PROCESSES, ENTITIES, COLUMNS, RELATIONS, DIAGNOSTICS)}
"""The tables that are made of records, on Spark."""
TABLES = {**STITCHED, TAGS.name: TAGS}
ADDED = frozenset({TAGS.name})
"""Tables that snapshots of this format may lack: there they are empty."""
