"""UNLOAD, EXPORT, INSERT OVERWRITE DIRECTORY, INSERT INTO EXTERN, SELECT … INTO OUTFILE: rows into files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from headwater.model.span import Span
from headwater.sql.form import Location, Transfer
from headwater.sql.grammar import parse_statement
from headwater.sql.reading.location import (
    file_format,
    is_location,
    located,
    location,
    option,
    takes_place,
)
from headwater.sql.reading.moved_query import listed_columns, query_in_string, query_of
from headwater.sql.reading.reading import Reading, reads, word


@reads("UNLOAD", first=True)
def unload(reading: Reading) -> Any:
    """`UNLOAD ('SELECT …') TO 's3://…'`; Athena and Trino have the query without quotes."""
    reading.take("UNLOAD")
    inside = reading.brackets()
    if not reading.take("TO"):
        return None
    source = query_in_string(inside[0], reading) if len(inside) == 1 else query_of(reading, inside)
    target = replace(location(reading), format=file_format(reading.rest()))
    return Transfer("Unload", target, (source,))


@reads("EXPORT", first=True)
def export(reading: Reading) -> Any:
    """`EXPORT DATA OPTIONS (uri = '…') AS SELECT …` (BigQuery), `EXPORT TABLE t TO 'p'` (Hive), `EXPORT TO f OF DEL SELECT …` (Db2)."""
    reading.take("EXPORT")
    if reading.take("DATA"):
        options = reading.until("AS")
        files = located(options, reading, "URI")
        if not reading.take("AS") or not files:
            return None
        return Transfer("Export Data", files[0], (query_of(reading, reading.rest()),))
    if reading.take("TABLE"):
        return _export_table(reading)
    if reading.take("TO"):
        if reading.sees("VERTICA") or reading.word(1) == "(":
            return _export_to(reading)
        target = location(reading)
        reading.take("OF")
        target = replace(target, format=reading.token().text.lower())
        if reading.skip_to("SELECT") or reading.skip_to("WITH"):
            return Transfer("Export", target, (query_of(reading, reading.rest()),))
    return None


def _export_table(reading: Reading) -> Any:
    """`EXPORT TABLE t [PARTITION (p)] [(a, b)] [WHERE c] TO 'p'` (Hive, StarRocks, Doris); Doris has the columns among its properties."""
    source = reading.name()
    if reading.take_any("PARTITION", "PARTITIONS"):
        reading.brackets()
    columns = tuple(reading.names()) if reading.at_bracket() else ()
    where = reading.until("TO") if reading.take("WHERE") else ()
    if not (reading.skip_to("TO") and reading.take("TO")):
        return None
    target = location(reading)
    listed = option(reading.rest(), "COLUMNS")
    if listed and not columns:
        columns = tuple(exp.to_identifier(name.strip(), quoted=False) for name in listed[0].text.split(","))
    if not where:
        return Transfer("Export", target, (source,), columns)
    outputs: list[Any] = [exp.Column(this=each) for each in columns] or [exp.Star()]
    return Transfer("Export", target, (exp.select(*outputs).from_(source).where(reading.expression(where)),))


def _export_to(reading: Reading) -> Any:
    """Vertica's `EXPORT TO VERTICA db.t (a, b) AS SELECT …`, `… FROM t`, `EXPORT TO PARQUET (directory = '…') AS SELECT …`."""
    kind = reading.token().text.lower()
    if kind == "vertica":
        table = reading.name()
        columns = tuple(reading.names()) if reading.at_bracket() else ()
        if reading.take("FROM"):
            return Transfer("Export", table, (listed_columns(reading),), columns)
        return Transfer("Export", table, (query_of(reading, reading.rest()),), columns) if reading.take("AS") else None
    files = located(reading.brackets(), reading, "DIRECTORY")
    if not files or not (reading.skip_to("AS") and reading.take("AS")):
        return None
    return Transfer("Export", replace(files[0], format=kind), (query_of(reading, reading.rest()),))


@reads("INSERT", first=True)
def insert_directory(reading: Reading) -> Any:
    """`INSERT OVERWRITE [LOCAL] DIRECTORY 'p' [USING parquet] SELECT …`."""
    reading.take("INSERT")
    if not reading.take("OVERWRITE"):
        return None
    reading.take("LOCAL")
    if not reading.take("DIRECTORY"):
        return None
    given = location(reading) if is_location(reading) else None
    options = _before_query(reading)
    if given is None:
        given = next(iter(located(options, reading, "PATH")), None)
    if given is None:
        return None
    target = replace(given, format=given.format or file_format(options))
    return Transfer("Insert", target, (query_of(reading, reading.rest()),), replaces=True)


def _before_query(reading: Reading) -> Sequence[Token]:
    """The options before a query; moves to the query."""
    start = reading.at
    while reading and reading.word() not in ("SELECT", "WITH", "VALUES", "FROM", "TABLE", "MAP", "REDUCE"):
        if reading.at_bracket() and reading.word(1) in ("SELECT", "WITH"):
            break
        if reading.at_bracket():
            reading.brackets()
        else:
            reading.token()
    return reading.tokens[start : reading.at]


_SCHEMES = {"S3": "s3://", "GOOGLE": "gs://", "AZURESTORAGE": "az://"}


@reads("INSERT", first=True)
def insert_extern(reading: Reading) -> Any:
    """Druid's `INSERT INTO EXTERN(S3(bucket => 'b', prefix => 'p')) AS CSV SELECT …`, `EXTERN(local(exportPath => '/x'))`."""
    if reading.dialect.family != "druid" or not reading.take("INSERT", "INTO", "EXTERN"):
        return None
    start = reading.here
    options = reading.brackets()
    given = {
        word(name): value.text
        for name, arrow, value in zip(options, options[1:], options[2:], strict=False)
        if arrow.text == "=>"
    }
    parts = [given[name] for name in ("BUCKET", "CONTAINER", "PREFIX") if name in given]
    uri = given.get("EXPORTPATH") or _SCHEMES.get(word(options[0]) if options else "", "") + "/".join(parts)
    if not uri or not reading.take("AS"):
        return None
    target = Location("path", uri, Span(start.start, start.end + 1), reading.token().text.lower())
    return Transfer("Insert", target, (query_of(reading, reading.rest()),))


@reads("WITH")
def directory_of_ctes(reading: Reading) -> Any:
    """`WITH c AS (…) INSERT OVERWRITE DIRECTORY 'p' USING csv SELECT …`: the CTEs belong to the query."""
    if not reading.skip_to("INSERT", "OVERWRITE"):
        return None
    insert = Reading(reading.rest(), reading.sql, reading.dialect, reading.notes)
    insert.at = 1
    _before_query(insert)
    return insert_directory(
        Reading(
            [*insert.tokens[: insert.at], *reading.tokens[: reading.at], *insert.rest()], reading.sql, reading.dialect
        )
    )


@reads("SELECT", "WITH")
def select_into_outfile(reading: Reading) -> Any:
    """`SELECT … INTO OUTFILE 'p' … FROM …` (MySQL), `SELECT … INTO OUTFILE 'p' FORMAT CSV` (ClickHouse)."""
    start = reading.find("INTO", "OUTFILE")
    start = start if start >= 0 else reading.find("INTO", "DUMPFILE")
    place = "Outfile"
    if start >= 0:
        reading.at = start + 2
    elif reading.dialect.name == "singlestore" and (start := reading.find("INTO")) >= 0:
        reading.at = start + 1
        place = reading.word().title()
        if not takes_place(reading):
            return None
    else:
        return None
    target = location(reading)
    options = reading.until("FROM")
    query = parse_statement([*reading.tokens[:start], *reading.rest()], reading.sql, reading.dialect)
    return Transfer(f"Select Into {place}", replace(target, format=file_format(options)), (query,))
