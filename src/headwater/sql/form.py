"""Statements that the grammar has no node for, as the readers hand them to the resolver.

Names are table nodes and queries are syntax trees of the grammar, so that the resolver treats them like any other; the rest is plain data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from headwater.model.span import Span

PIVOT_XML = "PIVOT_XML"
"""The aggregate behind all others that stands for the word XML of Oracle's `PIVOT XML (…)`."""


@dataclass(frozen=True, slots=True)
class Location:
    """Files outside of the database: a path by its uri, or a stage by its name."""

    kind: str
    """`path` or `stage`."""
    name: Any
    """The uri, or the stage's name as a table node (None for the user's own stage)."""
    place: Any = None
    """Where it is named: a span or a syntax node."""
    format: str = ""
    """`parquet`, `csv`, …; nothing if the statement does not tell."""
    below: str = ""
    """The place below a stage, `logs/` of `@stg/logs/`; nothing for all of it."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Rows go from a table, a query or files into a table or files: COPY, UNLOAD, LOAD DATA, EXPORT DATA, INSERT … DIRECTORY."""

    type: str
    """The process type, `Copy`."""
    target: Any
    """A table node or a `Location`; None where the rows are shown to the client."""
    sources: tuple[Any, ...]
    """Table nodes, queries and `Location`s."""
    columns: tuple[Any, ...] = ()
    """The target's (or, of a table that is written out, the source's) column list."""
    partition: tuple[Any, ...] = ()
    """The partition columns that a LOAD names."""
    assignments: tuple[Any, ...] = ()
    """MySQL's `SET a = …` behind a LOAD."""
    by_name: bool = False
    replaces: bool = False
    has_fields: bool = False
    """The list of columns names fields of the files: one that the table is known to lack only serves assignments and conditions."""
    mapped: bool = False
    """The assignments tell all columns that are filled."""
    conditions: tuple[Any, ...] = ()
    """What decides which rows of the files are taken."""


@dataclass(frozen=True, slots=True)
class ApplyChanges:
    """Databricks' `APPLY CHANGES INTO t FROM s …`, `AUTO CDC INTO t FROM s …`: a MERGE of the rows that a source delivers, by keys."""

    target: Any
    source: Any
    """A table node."""
    keys: tuple[Any, ...]
    """The columns that both sides match by, as identifiers."""
    conditions: tuple[Any, ...] = ()
    """When a row is a deletion, or empties the table."""
    sequence: Any = None
    """What says which of two changes comes later; None if nothing does."""
    columns: tuple[Any, ...] = ()
    """The columns that are taken over, as identifiers; empty for all."""
    left_out: tuple[Any, ...] = ()
    """Those that `* EXCEPT (…)` leaves out, as identifiers."""
    history: bool = False
    """Each version is kept, with the sequence where it begins and ends: SCD TYPE 2."""


@dataclass(frozen=True, slots=True)
class CreateModel:
    """A model that is trained on the rows of some queries and tables: `CREATE MODEL m OPTIONS (…) AS SELECT …`."""

    name: Any
    sources: tuple[Any, ...]
    """Queries and table nodes."""
    outputs: tuple[Any, ...] = ()
    """Definitions of the columns that it adds to what it is given: Flink's `OUTPUT (label STRING)`."""


@dataclass(frozen=True, slots=True)
class Member:
    """A dimension, fact, metric or measure of a semantic view."""

    table: Any
    """The logical table that it belongs to and whose columns it names without saying so, as an identifier; None if there is none."""
    name: Any
    """An identifier."""
    expression: Any


@dataclass(frozen=True, slots=True)
class SemanticView:
    """A view of dimensions and measures over joined tables: Snowflake's CREATE SEMANTIC VIEW, Databricks' metric views."""

    name: Any
    tables: tuple[tuple[Any, Any], ...]
    """Logical tables: an identifier, and a table node or a query."""
    members: tuple[Member, ...]
    joins: tuple[Any, ...] = ()
    """Conditions over the logical tables."""
    filters: tuple[Any, ...] = ()
    qualified: bool = False
    """Columns of the view are asked for by their table's name and their own."""
    columns: tuple[Any, ...] = ()
    """Identifiers that name the view's columns by position; none where each is called as its member."""


@dataclass(frozen=True, slots=True)
class CreateStage:
    """`CREATE STAGE s URL = '…'`."""

    name: Any
    url: Location | None = None


@dataclass(frozen=True, slots=True)
class ExternalTable:
    """A table whose rows are files elsewhere. *query* is set where the statement also writes them."""

    name: Any
    elements: tuple[Any, ...]
    """Column definitions; a computed one is an expression over the files' content."""
    locations: tuple[Location, ...]
    query: Any = None
    open: bool = False
    """Whether the files tell of more columns: BigQuery's table lists only what partitions are called."""
    writable: bool = False
    """Whether the table is written, and its rows go to the files: Greenplum's WRITABLE EXTERNAL TABLE."""


@dataclass(frozen=True, slots=True)
class TableElements:
    """A CREATE TABLE of which only the elements were understood."""

    name: Any
    elements: tuple[Any, ...]
    temporary: bool = False
    exists: bool = False
    """IF NOT EXISTS."""
    of: str = ""
    """The name of the type that the rows are of, as spelled: `CREATE TABLE t OF addr`."""
    open: bool = False
    """Whether the table has more columns than these: a registry knows those of a streaming source."""
    source: Any = None
    """The streaming source that delivers the table's rows, as a table node."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """Tables that get other names: `RENAME TABLE a TO b, c TO d`. With *swap* each takes the other's."""

    type: str
    pairs: tuple[tuple[Any, Any], ...]
    swap: bool = False


@dataclass(frozen=True, slots=True)
class PartitionMove:
    """Rows of one table become rows of another, or change places: EXCHANGE, SWITCH, REPLACE and MOVE PARTITION, APPEND FROM."""

    target: Any
    source: Any
    swap: bool = False


@dataclass(frozen=True, slots=True)
class Explained:
    """EXPLAIN: *statement* is None where nothing is executed."""

    statement: Any = None


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A statement that runs later, again and again, under a name: CREATE TASK, CREATE PIPE, CREATE EVENT."""

    type: str
    name: Any
    statement: Any
    columns: tuple[Any, ...] = ()
    """The columns that a dynamic table lists, which the statement fills."""


@dataclass(frozen=True, slots=True)
class StatementChain:
    """Statements in one: Snowflake's `statement ->> statement`, the parts of a LOAD LABEL.

    Each may read the results of those before it as `$1`, `$2`, …, the nearest first.
    """

    steps: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class LogErrors:
    """Oracle's `INSERT … LOG ERRORS INTO e`: a statement, and the table that gets the rows that it cannot write."""

    statement: Any
    table: Any


@dataclass(frozen=True, slots=True)
class Stream:
    """Another view of a table's rows under a name of its own: CREATE STREAM … ON TABLE, CREATE SYNONYM … FOR."""

    type: str
    name: Any
    source: Any
    """A table node, or a `Location`."""
    extra: tuple[str, ...] = ()
    """Columns that it has besides the table's."""


@dataclass(frozen=True, slots=True)
class NoLineage:
    """A statement that moves no data and defines no columns."""

    type: str


@dataclass(frozen=True, slots=True)
class FunctionBody:
    """One way of calling a function that SQL defines: its parameters and what it gives back."""

    parameters: tuple[tuple[str, Any], ...]
    """Names as written, `@` included, nothing for one without a name; and defaults, None for one without."""
    body: Any
    """A query or an expression; None where the body is in another language."""
    columns: tuple[Any, ...] = ()
    """The columns that RETURNS TABLE declares, as identifiers."""
    broken: Span | None = None
    """Where a body stands that should be SQL and cannot be read."""
    returns: str = ""
    """The name of the type that it returns, `addr` of `RETURNS SETOF addr`, as spelled; nothing where the columns are told."""
    types: tuple[str, ...] = ()
    """The types of the parameters, as spelled; nothing for one without."""


@dataclass(frozen=True, slots=True)
class CreateFunction:
    """`CREATE FUNCTION`, `CREATE MACRO`."""

    type: str
    name: Any
    bodies: tuple[FunctionBody, ...]
    temporary: bool = False
    aggregates: bool = False
    """CREATE AGGREGATE."""


@dataclass(frozen=True, slots=True)
class Routine:
    """A procedural block: the body of a procedure, function, trigger or package, or one without a name."""

    kind: str
    """`procedure`, …; `block` if it has no name."""
    name: str
    place: Any
    program: Any = None
    """The `Program` that its tokens spell."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a procedure: its parameter's name, if it is told; its value; and what takes the parameter's value back."""

    name: str
    value: Any
    out: Any = None
    """A `Target`, or None."""


@dataclass(frozen=True, slots=True)
class ExecutePrepared:
    """`EXECUTE p (1)`, `EXECUTE p USING 1`: a statement that PREPARE has named."""

    name: Any


@dataclass(frozen=True, slots=True)
class RowsOfProcedure:
    """A table takes the rows that a procedure gives: `INSERT INTO t (a) EXEC p @x`."""

    target: Any
    procedure: Any
    columns: tuple[Any, ...] = ()
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateType:
    """A type that has a name from now on: `CREATE TYPE addr AS (street text, city text)`."""

    name: Any
    kind: Any
    """The type in full, as the grammar's node."""
    under: str = ""
    """The name of the type whose fields come first, as spelled: Oracle's `CREATE TYPE b UNDER a (…)`."""


def struct(fields: Sequence[Any]) -> Any:
    """The type with the fields that some column definitions describe; None without any."""
    known = [
        exp.ColumnDef(this=each.this.copy(), kind=_kind(each.args.get("kind")))
        for each in fields
        if isinstance(each, exp.ColumnDef)
    ]
    return exp.DataType(this=exp.DType.STRUCT, expressions=known, nested=True) if known else None


def _kind(kind: Any) -> exp.Expr:
    return kind.copy() if isinstance(kind, exp.Expr) else exp.DataType(this=exp.DType.TEXT)
