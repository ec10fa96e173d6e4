"""Sources: their dialect, the schema that their tables are in, the columns of tables that they are seeded with.

Nothing else of them is looked at: no password is ever read.
"""

from __future__ import annotations

import csv

from headwater.model.diagnostic import Code
from headwater.model.entity import TableName
from headwater.model.suggestion import did_you_mean
from headwater.project.objects import Place, Source
from headwater.project.text import reference
from headwater.project.visivo.reading import Reading
from headwater.project.yaml_value import Entries, Text, Value
from headwater.sql.dialect import dialect

DIALECTS = {
    "bigquery": "bigquery",
    "clickhouse": "clickhouse",
    "csv": "duckdb",
    "duckdb": "duckdb",
    "excel": "duckdb",
    "mysql": "mysql",
    "postgresql": "postgres",
    "redshift": "redshift",
    "snowflake": "snowflake",
    "sqlite": "sqlite",
    "xls": "duckdb",
    "xlsx": "duckdb",
}
_UNKNOWN = "ansi"
_SCHEMA_KEYS = {
    "bigquery": ("project", "database"),
    "clickhouse": ("database",),
    "mysql": ("database",),
    "postgresql": ("database", "db_schema"),
    "redshift": ("database", "db_schema"),
    "snowflake": ("database", "db_schema"),
}
"""What names the schema of unqualified tables, outermost first. The last one has to be there. Files are known by their source's name."""


def read_source(reading: Reading, entries: Entries, otherwise: str = "") -> Source | None:
    """A source, with its seeds."""
    name = reading.name(entries, "a source", otherwise)
    if not name or not reading.claim(name, entries.place):
        return None
    kind = reading.setting(entries.get("type"), f"the type of {name}").lower()
    if kind not in DIALECTS:
        message = f"the source {name} is of an unknown type" if kind else f"the source {name} has no type"
        hint = did_you_mean(kind, DIALECTS) or f"known are {', '.join(sorted(DIALECTS))}"
        reading.remark(Code.INVALID_PROJECT, message, entries.place, name, hint)
    source = Source(name, DIALECTS.get(kind, _UNKNOWN), entries.place, _schema(reading, entries, kind))
    reading.sources[name] = source
    for seed in reading.objects(entries.get("seeds"), f"the seeds of {name}"):
        _read_seed(reading, source, seed)
    return source


def _schema(reading: Reading, entries: Entries, kind: str) -> TableName | None:
    keys = _SCHEMA_KEYS.get(kind, ())
    if not keys or entries.get(keys[-1]) is None:
        return None
    parts = [reading.setting(entries.get(key), key) for key in keys]
    rules = dialect(DIALECTS[kind])
    fold = rules.fold_table or rules.fold_column
    return tuple(fold(part, False) for part in parts if part)


def _read_seed(reading: Reading, source: Source, seed: Entries) -> None:
    """A table that a command's output fills."""
    table = reading.setting(seed.get("table_name", "name"), f"the table's name of a seed of {source.name}")
    columns = echoed_columns(reading, seed.get("args"))
    if table and columns is not None:
        tables = reading.catalogs.setdefault(source.dialect, {})
        tables[".".join((*source.default_schema, table))] = columns


def echoed_columns(reading: Reading, args: Value | None) -> dict[str, str] | None:
    """The columns of a command's output, where the command only says it: the header of `echo`'s text. Types are not known."""
    texts = [arg for arg in reading.items(args, "args") if isinstance(arg, Text)]
    if len(texts) < 2 or texts[0].value.strip() != "echo":
        return None
    words = [text.value for text in texts[1:] if not text.value.startswith("-")]
    header = next(csv.reader(" ".join(words).lstrip().splitlines()[:1]), [])
    return {name.strip(): "" for name in header if name.strip()} or None


SOURCE_KEYS = ("source", "target", "source_name", "target_name")


def source_of(reading: Reading, entries: Entries, owner: str) -> Source:
    """The source that a model reads: the one it names, one of its own, the default one, the only one."""
    value = entries.get(*SOURCE_KEYS)
    if isinstance(value, Entries):
        return read_source(reading, value, f"{owner}.source") or Source(f"{owner}.source", _UNKNOWN, value.place)
    name = source_name(reading, value, owner) or reading.default_source
    if name in reading.sources:
        return reading.sources[name]
    if name:
        return unknown_source(reading, name, value.place if value else entries.place)
    if len(reading.sources) == 1:
        return next(iter(reading.sources.values()))
    hint = "name one, or set source_name under defaults"
    reading.remark(Code.INVALID_PROJECT, f"{owner} has no source", entries.place, owner, hint)
    return Source(f"{owner}.source", _UNKNOWN, entries.place)


def source_name(reading: Reading, value: Value | None, owner: str) -> str:
    """The name of the source that a text names, with or without `ref`."""
    name = reading.setting(value, f"the source of {owner}")
    meant = reference(name)
    return meant.name if meant else name


def unknown_source(reading: Reading, name: str, place: Place) -> Source:
    """One that no file defines: older projects have theirs in a profile at home. Its dialect is not known."""
    hint = did_you_mean(name, reading.sources) or "define it under sources"
    reading.remark(Code.UNKNOWN_REFERENCE, f"there is no source {name}", place, name, hint)
    return Source(name, _UNKNOWN, place)
