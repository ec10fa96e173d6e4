"""LOAD, IMPORT, BULK INSERT, INSERT … FROM INFILE: rows from files into tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from headwater.model.span import Span
from headwater.sql.form import Location, NoLineage, Transfer
from headwater.sql.reading.listed import comma_separated
from headwater.sql.reading.location import (
    file_format,
    located,
    location,
    takes_place,
)
from headwater.sql.reading.reading import Reading, reads, word


@reads("LOAD", first=True)
def load(reading: Reading) -> Any:
    """`LOAD DATA INPATH p INTO TABLE t` (Hive), `… INFILE` (MySQL), `LOAD DATA INTO t FROM FILES (…)` (BigQuery), `LOAD FROM f …` (Db2)."""
    reading.take("LOAD")
    if reading.sees("LABEL"):
        return None
    if reading.dialect.family == "db2":
        reading.take("CLIENT")
        return _from_file("Load", reading) if reading.take("FROM") else None
    if not reading.take_any("DATA", "XML"):
        return NoLineage("Load") if not reading.sees("FROM") else None
    reading.take_any("LOW_PRIORITY", "CONCURRENT")
    reading.take("LOCAL")
    if reading.take_any("INPATH", "INFILE") or takes_place(reading):
        return _load_path(reading)
    if reading.sees("INTO") or reading.sees("OVERWRITE"):
        return _load_files(reading)
    return None


def _load_path(reading: Reading) -> Any:
    source = location(reading)
    options = list(map(word, reading.until("INTO")))
    replaces = "OVERWRITE" in options or "REPLACE" in options
    reading.take("INTO")
    if reading.take("PROCEDURE"):  # which gets the rows as a parameter
        return None
    reading.take("TABLE")
    target = reading.name()
    partition: list[Any] = []
    if reading.take("PARTITION"):
        partition = _partition_columns(reading.brackets(), reading)
    columns: list[Any] = []
    assignments: list[Any] = []
    conditions: list[Any] = []
    mapped: list[Any] = []
    if reading.dialect.name == "singlestore":
        source = replace(source, format=file_format(reading.rest()))
    while reading:
        if reading.at_bracket():
            inside = reading.brackets()
            mapped = mapped or _mapped(inside, reading)
            columns = columns if mapped else _load_columns(inside, reading)
        elif reading.take("PROPERTIES") and reading.at_bracket():
            reading.brackets()
        elif reading.take("ON", "DUPLICATE"):
            break
        elif reading.take("SET"):
            tokens = _before(reading, ("WHERE",), ("ON", "DUPLICATE"))
            assignments = [reading.expression(part) for part in comma_separated(tokens)]
        elif reading.take("WHERE"):
            conditions.append(reading.expression(_before(reading, ("ON", "DUPLICATE"))))
        else:
            reading.token()
    variables = {each.this.name: each.expression for each in mapped if isinstance(each.this, exp.Parameter)}
    assignments = [_with_fields(each, variables) for each in assignments]
    conditions = [_with_fields(each, variables) for each in conditions]
    assignments += [each for each in mapped if not isinstance(each.this, exp.Parameter)]
    return Transfer(
        "Hive Load" if reading.dialect.family in ("hive", "spark", "databricks") else "Load",
        target,
        (source,),
        tuple(columns),
        tuple(partition),
        tuple(assignments),
        replaces=replaces and not partition,
        mapped=bool(mapped),
        conditions=tuple(conditions),
    )


def _before(reading: Reading, *phrases: tuple[str, ...]) -> Sequence[Token]:
    """The tokens before the first of some phrases, or all; moves there."""
    ends = [i for i in (reading.find(*words) for words in phrases) if i >= 0]
    start, reading.at = reading.at, min(ends, default=len(reading.tokens))
    return reading.tokens[start : reading.at]


def _mapped(tokens: Sequence[Token], reading: Reading) -> list[Any]:
    """SingleStore's `(a <- x, b <- y::z DEFAULT 0, @v <- %::w)`: which part of a document each column or variable takes."""
    found = []
    for part in comma_separated(tokens):
        inner = Reading(part, reading.sql, reading.dialect)
        name = "".join(token.text for token in inner.until("<", "<-"))
        if not (inner.take("<-") or inner.take("<", "-")):
            return []
        taken = inner.until("DEFAULT")
        path = ".".join(t.text for t in taken if t.text not in ("::", ":", "%", "$") and t.text.strip())
        variable = exp.Parameter(this=exp.Var(this=name[1:]))
        column = exp.Column(this=exp.to_identifier(name, quoted=False))
        field = exp.Parameter(this=exp.Var(this=path or "*"))
        found.append(exp.EQ(this=variable if name.startswith("@") else column, expression=field))
    return found


def _with_fields(node: Any, variables: dict[str, Any]) -> Any:
    """An expression with fields of a document in the place of the variables that were read from them."""

    def read(each: Any) -> Any:
        return variables.get(each.name, each).copy() if isinstance(each, exp.Parameter) else each

    return node.transform(read) if variables else node


def _partition_columns(tokens: Sequence[Token], reading: Reading) -> list[Any]:
    return [Reading(part[:1], reading.sql, reading.dialect).name().this for part in comma_separated(tokens)]


def _load_columns(tokens: Sequence[Token], reading: Reading) -> list[Any]:
    """MySQL's list of columns and `@variables`."""
    return [reading.expression(part) for part in comma_separated(tokens)]


def _load_files(reading: Reading) -> Any:
    """`LOAD DATA OVERWRITE d.t (a INT64) FROM FILES (format = 'CSV', uris = ['gs://…'])`."""
    replaces = reading.take_any("INTO", "OVERWRITE") == "OVERWRITE"
    reading.take("TEMP")
    reading.take("TABLE")
    target = reading.name()
    columns: list[Any] = []
    if reading.at_bracket():
        columns = _partition_columns(reading.brackets(), reading)
    if not reading.skip_to("FROM", "FILES"):
        return None
    reading.take("FROM", "FILES")
    files = located(reading.brackets(), reading, "URIS")
    return Transfer("Load", target, files, tuple(columns), by_name=True, replaces=replaces)


@reads("IMPORT", first=True)
def import_(reading: Reading) -> Any:
    """Hive's `IMPORT [EXTERNAL] TABLE t FROM 'p'`, Db2's `IMPORT FROM f …`; SQLite's `.import f t`, whose dot is the shell's."""
    reading.take("IMPORT")
    if reading.dialect.family == "db2":
        return _from_file("Import", reading) if reading.take("FROM") else None
    if reading.dialect.family in ("sqlite", "duckdb"):
        return _shell_import(reading)
    if reading.take("FOREIGN"):  # PostgreSQL's IMPORT FOREIGN SCHEMA declares tables, and names none
        return NoLineage("Import")
    reading.take("EXTERNAL")
    if not reading.take("TABLE"):
        return None
    target = reading.name()
    return (
        Transfer("Import", target, (location(reading),)) if (reading.skip_to("FROM") and reading.take("FROM")) else None
    )


def _shell_import(reading: Reading) -> Any:
    """`import file table`: the last two words count."""
    words: list[Location] = []
    while reading:
        words.append(location(reading))
    if len(words) < 2 or not isinstance(words[-1].place, Span):
        return None
    names = [token for token in reading.tokens if token.start >= words[-1].place.start]
    table = Reading(names, reading.sql, reading.dialect).name()
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        return None
    return Transfer("Import", table, (replace(words[-2], name=str(words[-2].name).strip('"')),))


def _from_file(kind: str, reading: Reading) -> Any:
    """Db2's `f OF DEL … INSERT INTO t (a, b)`, `… REPLACE INTO t`."""
    source = location(reading)
    if not reading.take("OF"):
        return None
    source = replace(source, format=reading.token().text.lower())
    replaces = False
    while reading and not reading.sees("INTO"):
        replaces = reading.token().text.upper() == "REPLACE"
    if not reading.take("INTO"):
        return None
    target = reading.name()
    columns = tuple(reading.names()) if reading.at_bracket() else ()
    return Transfer(kind, target, (source,), columns, replaces=replaces)


@reads("INSERT", first=True)
def from_infile(reading: Reading) -> Any:
    """ClickHouse's `INSERT INTO t (a, b) FROM INFILE 'f' FORMAT CSV`."""
    if reading.dialect.family != "clickhouse" or not reading.take("INSERT", "INTO"):
        return None
    reading.take("TABLE")
    target = reading.name()
    columns = tuple(reading.names()) if reading.at_bracket() else ()
    if not reading.take("FROM", "INFILE"):
        return None
    source = location(reading)
    return Transfer("Insert", target, (replace(source, format=file_format(reading.rest())),), columns)


@reads("BULK", first=True)
def bulk_insert(reading: Reading) -> Any:
    """T-SQL's `BULK INSERT t FROM 'file' WITH (…)`."""
    if not reading.take("BULK", "INSERT"):
        return None
    target = reading.name()
    if not reading.take("FROM"):
        return None
    source = location(reading)
    return Transfer("Bulk Insert", target, (replace(source, format=file_format(reading.rest())),))
