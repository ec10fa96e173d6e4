"""Files outside of the database, as owners of columns: paths by their uri, stages and places below them by their name.

A location has one pseudo column, `*`: whatever its files hold. Where the files name their own columns (Parquet, JSON, …) or a
query asks for one by name, the location has that column; text files read by position have the pseudo column only.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlglot import exp

from headwater.model.entity import EntityKind, TableName
from headwater.model.kind import IDENTITY, WRITE_ROWS
from headwater.model.resolution import EntityRow, Wildcard
from headwater.resolve.builder import Builder, Table
from headwater.sql.form import Location
from headwater.sql.redact import without_secrets

SELF_DESCRIBING = frozenset(
    {"parquet", "orc", "avro", "json", "ndjson", "jsonl", "delta", "iceberg", "arrow", "feather", "xlsx"}
)
"""Formats whose files say what their columns are called."""
FILE_FORMATS = frozenset({"parquet", "orc", "avro", "json", "csv", "text", "delta", "iceberg", "binaryfile", "xml"})
"""What may stand where a schema would, before a path."""
_BY_FORMAT = frozenset({"spark", "databricks"})
_BY_NAME = frozenset({"duckdb", "databricks", "clickhouse"})


class Files(Table):
    """The content of a location. Unless it is *named*, every column is the one pseudo column."""

    __slots__ = ("named",)
    named: bool

    def claim(self, name: str) -> int:
        """The column of that name, or the pseudo column."""
        return super().claim(name if self.named else "*")


def files(builder: Builder, location: Location, named: bool | None = None, state: str = "") -> Files:
    """The owner of a location's columns, the same object each time; *state* says which state of a table is read there."""
    name = _path_name(location.name) if location.kind == "path" else stage_name(builder, location)
    found = builder.tables.get((name, state))
    if isinstance(found, Files):
        return found
    kind = EntityKind.PATH if location.kind == "path" else EntityKind.STAGE
    row = EntityRow(kind, kind.value, location.place, name, _spelled(location, name))
    row.file_format = location.format
    row.as_of = state
    made = Files(builder, builder.entity(row), name, None)
    made.named = names_columns(builder, location) if named is None else named
    row.by_position = not made.named
    builder.tables[name, state] = made
    return made


def read_location(builder: Builder, location: Location, named: bool | None = None, state: str = "") -> Files:
    """The owner of a location's columns where these are read; a place below a stage holds a part of what the stage holds.

    What statements write to places below it, or above it, is read too: these are found when all statements are resolved
    (`lineage.matched`).
    """
    found = files(builder, location, named, state)
    builder.reads(found)
    if location.kind == "stage":
        *outer, last = found.name
        own = last if location.below else f"{last}/"
        builder.wildcards[found.entity] = Wildcard(found.entity, (*(("is", part) for part in outer), ("meets", own)))
    if location.below:
        stage = builder.reads(files(builder, replace(location, below=""), named=False))
        builder.writes(found)
        builder.edge(found.claim("*"), stage.claim("*"), IDENTITY, None)
        builder.edge(found.rows, stage.rows, WRITE_ROWS, None)
    return found


def written_files(builder: Builder, location: Location) -> Files:
    """The owner of the columns that a statement writes into files: a path has the columns by the names that they have there."""
    found = files(builder, location, named=True if location.kind == "path" else None)
    builder.writes(found)
    return found


def _spelled(location: Location, name: TableName) -> str:
    """A location as the statement spells it."""
    if location.kind == "path" or location.name is None:
        return name[0]
    place = f"/{location.below}" if location.below else ""
    return "@" + ".".join(part.name for part in location.name.parts) + place


def names_columns(builder: Builder, location: Location) -> bool:
    """Whether the files of a location name their own columns."""
    if location.kind == "stage":
        return False
    chosen = location.format or _extension(location.name)
    return chosen in SELF_DESCRIBING or (chosen == "csv" and builder.dialect.family == "duckdb")


def _extension(uri: str) -> str:
    name = uri.rsplit("/", 1)[-1].lower()
    for packed in (".gz", ".zst", ".snappy", ".bz2"):
        name = name.removesuffix(packed)
    return name.rsplit(".", 1)[-1] if "." in name else ""


def looks_like_file(name: str) -> bool:
    """Whether a quoted name is that of a file rather than of a table."""
    return "/" in name or "*" in name or _extension(name) in SELF_DESCRIBING | {"csv", "tsv", "txt", "gz", "db"}


def path_of_table(builder: Builder, node: Any) -> Location | None:
    """The path that a table node names, ``delta.`/p` ``; None if it names a table."""
    name, schema = node.this, node.args.get("db")
    dialect = builder.dialect.family
    if not isinstance(name, exp.Identifier) or not name.args.get("quoted") or node.args.get("catalog") is not None:
        return None
    if schema is None and dialect in _BY_NAME and looks_like_file(name.name):
        return path_from_text(name.name, node)
    if isinstance(schema, exp.Identifier) and dialect in _BY_FORMAT and schema.name.lower() in FILE_FORMATS:
        return path_from_text(name.name, node, schema.name.lower())
    return None


def _path_name(uri: str) -> TableName:
    return (without_secrets(uri) or "?",)


def stage_name(builder: Builder, location: Location) -> TableName:
    """A stage's name, with the `@` that tells it from a table, and the place below it; the user's own stage is `@~`."""
    parts = ["~"] if location.name is None else [*builder.table_name(location.name)]
    parts[0] = f"@{parts[0]}"
    parts[-1] += f"/{location.below}" if location.below else ""
    return tuple(parts)


def path_from_text(text: str, node: Any, format: str = "") -> Location:
    """A path that a query names, with the node that does as its place."""
    return Location("path", text, node, format)


def stage_from_text(builder: Builder, text: str, node: Any) -> Location:
    """A stage that a query names, `@db.s/x/y`."""
    name, _, below = text.lstrip("@").partition("/")
    if name in ("", "~"):
        return Location("stage", None, node, below=below)
    parts = [exp.to_identifier(part.strip('"'), quoted=part.startswith('"')) for part in name.split(".")]
    table = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(parts), strict=False)))
    return Location("stage", table, node, below=below)
