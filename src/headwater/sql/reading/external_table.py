"""CREATE EXTERNAL TABLE, CREATE FOREIGN TABLE, ORGANIZATION EXTERNAL: a table whose rows are files elsewhere.

Which files, in which format, and which columns: the rest of the many options is passed over. Snowflake's columns are expressions over the
file's content; they come out as computed columns, as the grammar has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot.tokenizer_core import Token

from headwater.sql.form import ExternalTable, Location
from headwater.sql.reading.location import file_format, is_location, located, location
from headwater.sql.reading.reading import Reading, reads, word
from headwater.sql.reading.table_elements import table_elements

_LOCATIONS = ("LOCATION", "URIS", "URI", "PATH", "FILENAME", "DATAOBJECT", "FILE_NAME")


@reads("CREATE", first=True)
def external_table(reading: Reading) -> Any:
    """`CREATE [OR REPLACE] EXTERNAL TABLE t (…) … LOCATION …`."""
    reading.take("CREATE")
    reading.take("OR", "REPLACE")
    reading.take_any("FLEX", "FLEXIBLE")
    writable = reading.take_any("TEMP", "TEMPORARY", "HADOOP", "READABLE", "WRITABLE") == "WRITABLE"
    if not any(reading.take(*words.split()) for words in ("EXTERNAL TABLE", "FOREIGN TABLE", "EXTERNAL WEB TABLE")):
        return None
    reading.take("IF", "NOT", "EXISTS")
    name = reading.name()
    if reading.sees("LIKE"):
        return None
    if reading.word() == ",":
        reading.until("(")
    elements = table_elements(reading.brackets(), reading) if reading.at_bracket() else []
    if writable:
        return ExternalTable(name, tuple(elements), _locations(reading.rest(), reading), writable=True)
    copied = _copied(reading)
    if copied:
        return ExternalTable(name, tuple(elements), copied)
    start = reading.at
    query = reading.statement(reading.rest()) if _skip_to_query(reading) else None
    options = reading.tokens[start : reading.at]
    partitions = _partition_columns(options, reading)
    listed = (*elements, *partitions)
    return ExternalTable(name, listed, _locations(options, reading), query, open=bool(partitions) and not elements)


@reads("CREATE")
def organization_external(reading: Reading) -> Any:
    """Oracle's `CREATE TABLE t (…) ORGANIZATION EXTERNAL (… LOCATION ('x.csv'))`."""
    if not reading.take("CREATE", "TABLE"):
        return None
    name = reading.name()
    if not reading.at_bracket():
        return None
    elements = table_elements(reading.brackets(), reading)
    if not reading.take("ORGANIZATION", "EXTERNAL") or not reading.at_bracket():
        return None
    return ExternalTable(name, tuple(elements), _locations(reading.brackets(), reading), None)


def _copied(reading: Reading) -> tuple[Location, ...]:
    """The files of Vertica's `AS COPY FROM 's3://…' PARQUET`; nothing for other tables."""
    if not reading.take("AS", "COPY"):
        return ()
    copy = Reading(reading.rest(), reading.sql, reading.dialect)
    if not copy.skip_to("FROM"):
        return ()
    copy.take("FROM")
    files = [location(copy)]
    while copy.take(","):
        files.append(location(copy))
    words = {word(token) for token in copy.rest()}
    chosen = next((kind.lower() for kind in ("PARQUET", "ORC") if kind in words), file_format(copy.rest()))
    return tuple(replace(each, format=chosen) for each in files)


def _skip_to_query(reading: Reading) -> bool:
    """Move to the query behind `AS`, if there is one, else to the end: `STORED AS ORC` has none."""
    while reading.skip_to("AS"):
        reading.take("AS")
        if reading.word() in ("SELECT", "WITH", "VALUES", "FROM", "TABLE") or reading.at_bracket():
            return True
    reading.at = len(reading.tokens)
    return False


def _partition_columns(options: Sequence[Token], reading: Reading) -> list[Any]:
    """Hive's PARTITIONED BY (d string), BigQuery's WITH PARTITION COLUMNS (d DATE): columns too."""
    inner = Reading(options, reading.sql, reading.dialect)
    if inner.skip_to("PARTITIONED", "BY"):
        inner.take("PARTITIONED", "BY")
    elif inner.skip_to("WITH", "PARTITION", "COLUMNS"):
        inner.take("WITH", "PARTITION", "COLUMNS")
    if not inner.at_bracket() or inner.at == 0:
        return []
    return [e for e in table_elements(inner.brackets(), reading) if e.args.get("kind")]


def _locations(options: Sequence[Token], reading: Reading) -> tuple[Location, ...]:
    """`LOCATION 's3://…'`, `LOCATION = @stage/x`, `uris = […]`, `LOCATION ('a', 'b')`."""
    chosen = file_format(options)
    inner = Reading(options, reading.sql, reading.dialect)
    if inner.skip_to("LOCATION"):
        inner.take("LOCATION")
        inner.take("=")
        if inner.at_bracket():
            inside = inner.brackets()
            found = [location(Reading([t], reading.sql, reading.dialect)) for t in inside if t.text != ","]
            return tuple(replace(f, format=chosen) for f in found)
        if is_location(inner):
            return (replace(location(inner), format=chosen),)
    return located(options, reading, *_LOCATIONS)
