"""COPY, UNLOAD, LOAD, EXPORT, IMPORT, BULK INSERT, PUT, GET, INSERT OVERWRITE DIRECTORY, SELECT … INTO OUTFILE: rows to and from files.

The dialects share the words and little of the grammar; what matters is which table or query, which files, and their format. All other
options are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.span import Span
from headwater.sql.form import Location, NoLineage, Transfer
from headwater.sql.grammar import parse_statement
from headwater.sql.placeholder import filled
from headwater.sql.reading.location import file_format, is_location, located, location, option, stage_of_table
from headwater.sql.reading.reading import Reading, identifier, is_string, reads, word
from headwater.sql.tokens import tokenise


@reads("COPY", first=True)
def copy(reading: Reading) -> Any:
    """`COPY INTO t FROM @s`, `COPY INTO @s FROM t`, `COPY t FROM 'x'`, `COPY (SELECT …) TO 'x'`.

    STDIN is no source that anybody could name; what goes to STDOUT is shown, like a query's result.
    """
    reading.take("COPY")
    if reading.take("INTO"):
        return _copy_into(reading)
    if reading.take("FILES", "INTO"):
        return _copy_files(reading)
    if reading.sees("FROM", "DATABASE"):
        return None
    reading.take("BINARY")
    first = _table_or_query(reading)
    columns, assignments = _copied_columns(reading) if reading.at_bracket() else ((), ())
    direction = reading.take_any("FROM", "TO")
    if not direction:
        return None
    if reading.take_any("STDIN", "STDOUT"):
        return Transfer(
            "Copy", first if direction == "FROM" else None, () if direction == "FROM" else (first,), columns
        )
    if reading.take("VERTICA"):
        return Transfer("Copy", first, (_listed(reading),), columns)
    reading.take_any("PROGRAM", "LOCAL")
    files = [replace(location(reading), format=file_format(reading.rest()))]
    _skip_node(reading)
    while reading.take(","):
        files.append(replace(location(reading), format=files[0].format))
        _skip_node(reading)
    if direction == "FROM":
        return Transfer("Copy", first, tuple(files), columns, assignments=assignments)
    return Transfer("Copy", files[0], (first,), columns)


def _copied_columns(reading: Reading) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The columns of a COPY, and what the statement computes: Vertica's `(a, raw FILLER INT, b AS raw + 1, c FORMAT 'x')`."""
    start = reading.at
    parts = comma_separated(reading.brackets())
    if all(len(part) == 1 or word(part[1]) in (".", "[") for part in parts):
        reading.at = start
        return tuple(reading.names()), ()
    fillers = {part[0].text.lower() for part in parts if len(part) > 1 and word(part[1]) == "FILLER"}
    computed = [part for part in parts if len(part) > 2 and word(part[1]) == "AS"]
    columns = [part for part in parts if part not in computed and part[0].text.lower() not in fillers]
    assignments = [
        exp.EQ(
            this=exp.Column(this=identifier(part[0])),
            expression=reading.expression(part[2:]).transform(_filled(fillers)),
        )
        for part in computed
    ]
    return tuple(identifier(part[0]) for part in columns), tuple(assignments)


def _filled(fillers: set[str]) -> Callable[[Any], Any]:
    """A function that makes parameters of the columns that are only read from the file."""

    def replaced(node: Any) -> Any:
        filler = isinstance(node, exp.Column) and node.name.lower() in fillers
        return exp.Parameter(this=node.this.copy()) if filler else node

    return replaced


def _skip_node(reading: Reading) -> None:
    """Vertica's `ON node1`, `ON ANY NODE` behind a file: who reads it; and how it is packed."""
    if reading.take("ON"):
        while reading and reading.word() != ",":
            if reading.at_bracket():
                reading.brackets()
            else:
                reading.token()


def _listed(reading: Reading) -> Any:
    """A table, or some of its columns, `t (a, b)`, as a query."""
    start = reading.at
    table = reading.name()
    if not reading.at_bracket():
        return table
    tokens = reading.tokens[start : reading.at]
    names = reading.brackets()
    at = tokens[0]
    select = Token(TokenType.SELECT, "SELECT", at.line, at.col, at.start, at.start)
    from_ = Token(TokenType.FROM, "FROM", at.line, at.col, at.start, at.start)
    return reading.parsed([select, *names, from_, *tokens])


def _copy_into(reading: Reading) -> Any:
    target = location(reading) if is_location(reading) else reading.name()
    reading.take("BY", "POSITION")
    columns = _target_columns(reading) if reading.at_bracket() else ()
    options = reading.until("FROM")
    if reading.take("FROM"):
        sources = _sources(reading)
    elif reading.dialect.family == "snowflake" and not isinstance(target, Location):
        sources = [stage_of_table(target)]
    else:
        return None
    chosen = file_format([*options, *reading.rest()])
    if isinstance(target, Location):
        return Transfer("Copy", replace(target, format=chosen), tuple(sources))
    sources = [replace(s, format=chosen) if isinstance(s, Location) else s for s in sources]
    by_name = "MATCH_BY_COLUMN_NAME" in map(word, reading.rest()) or reading.dialect.family == "databricks"
    return Transfer("Copy", target, tuple(sources), columns, by_name=by_name and not columns)


def _target_columns(reading: Reading) -> tuple[Any, ...]:
    """The columns of a target; Synapse says which field of the file each one takes: `(a DEFAULT 'x' 1, b 2)`."""
    if reading.dialect.family != "tsql":
        return tuple(reading.names())
    inner = Reading(reading.brackets(), reading.sql, reading.dialect)
    columns = []
    while inner:
        columns.append(identifier(inner.until(",")[0]))
        inner.take(",")
    return tuple(columns)


def _copy_files(reading: Reading) -> Any:
    """Snowflake's `COPY FILES INTO @s/x FROM @r/y`: files go from one stage to another."""
    target = location(reading)
    return Transfer("Copy Files", target, tuple(_sources(reading))) if reading.take("FROM") else None


def _sources(reading: Reading) -> list[Any]:
    """What stands behind FROM: a table, a query, or one or more locations."""
    if not is_location(reading):
        return [_table_or_query(reading)]
    found: list[Any] = [location(reading)]
    while reading.take(","):
        found.append(location(reading))
    return found


def _table_or_query(reading: Reading) -> Any:
    return _query(reading, reading.brackets()) if reading.at_bracket() else reading.name()


@reads("UNLOAD", first=True)
def unload(reading: Reading) -> Any:
    """`UNLOAD ('SELECT …') TO 's3://…'`; Athena and Trino have the query without quotes."""
    reading.take("UNLOAD")
    inside = reading.brackets()
    if not reading.take("TO"):
        return None
    source = _quoted_query(inside[0], reading) if len(inside) == 1 else _query(reading, inside)
    target = replace(location(reading), format=file_format(reading.rest()))
    return Transfer("Unload", target, (source,))


def _quoted_query(token: Token, reading: Reading) -> Any:
    """The query inside a string: its tokens stand where they stand in the script, as far as doubled quotes allow."""
    if not is_string(token):
        raise ParseError("a query is missing")
    tokens = tokenise(filled(token.text, reading.dialect), reading.dialect, token.text)
    start = reading.sql.find(token.text, token.start, token.end + 1)
    shift = start if start >= 0 else token.start + 1
    for each in tokens:
        each.start += shift
        each.end += shift
        each.line += token.line - 1
    return parse_statement(tokens, reading.sql, reading.dialect)


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
    if reading.take_any("INPATH", "INFILE") or _takes_place(reading):
        return _load_path(reading)
    if reading.sees("INTO") or reading.sees("OVERWRITE"):
        return _load_files(reading)
    return None


_PLACES = ("S3", "KAFKA", "FS", "AZURE", "GCS", "HDFS", "LINK", "MYSQL", "MONGODB")
"""Where SingleStore's files and topics are, before their name."""


def _takes_place(reading: Reading) -> bool:
    """Step over the word that says where files are: `LOAD DATA S3 'b/x'`, `INTO LINK l 'b/x'`."""
    if reading.dialect.name != "singlestore":
        return False
    place = reading.take_any(*_PLACES)
    if place == "LINK":
        reading.name()
    return bool(place) and reading.at_string()


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


_ANGLED = frozenset({"STRUCT", "ARRAY", "MAP", "RANGE"})


def comma_separated(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """The parts between the commas outside of brackets, and of the angles of `STRUCT<a INT64, b STRING>`."""
    parts: list[Sequence[Token]] = []
    depth = start = angles = 0
    for i, token in enumerate(tokens):
        if token.text == "<" and i and (angles or word(tokens[i - 1]) in _ANGLED):
            angles += 1
        elif angles and token.text in (">", ">>") and not is_string(token):
            angles = max(angles - len(token.text), 0)
        depth += (token.text in "([{") - (token.text in ")]}") if len(token.text) == 1 and not is_string(token) else 0
        if token.text == "," and depth == 0 and not angles and not is_string(token):
            parts.append(tokens[start:i])
            start = i + 1
    parts.append(tokens[start:])
    return [part for part in parts if part]


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


@reads("EXPORT", first=True)
def export(reading: Reading) -> Any:
    """`EXPORT DATA OPTIONS (uri = '…') AS SELECT …` (BigQuery), `EXPORT TABLE t TO 'p'` (Hive), `EXPORT TO f OF DEL SELECT …` (Db2)."""
    reading.take("EXPORT")
    if reading.take("DATA"):
        options = reading.until("AS")
        files = located(options, reading, "URI")
        if not reading.take("AS") or not files:
            return None
        return Transfer("Export Data", files[0], (_query(reading, reading.rest()),))
    if reading.take("TABLE"):
        return _export_table(reading)
    if reading.take("TO"):
        if reading.sees("VERTICA") or reading.word(1) == "(":
            return _export_to(reading)
        target = location(reading)
        reading.take("OF")
        target = replace(target, format=reading.token().text.lower())
        if reading.skip_to("SELECT") or reading.skip_to("WITH"):
            return Transfer("Export", target, (_query(reading, reading.rest()),))
    return None


def _export_table(reading: Reading) -> Any:
    """`EXPORT TABLE t [PARTITION (p)] [(a, b)] [WHERE c] TO 'p'` (Hive, StarRocks, Doris); Doris has the columns among its properties."""
    source = reading.name()
    if reading.take_any("PARTITION", "PARTITIONS"):
        reading.brackets()
    columns = tuple(reading.names()) if reading.at_bracket() else ()
    where = reading.until("TO") if reading.take("WHERE") else ()
    if not _to(reading, "TO"):
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
            return Transfer("Export", table, (_listed(reading),), columns)
        return Transfer("Export", table, (_query(reading, reading.rest()),), columns) if reading.take("AS") else None
    files = located(reading.brackets(), reading, "DIRECTORY")
    if not files or not _to(reading, "AS"):
        return None
    return Transfer("Export", replace(files[0], format=kind), (_query(reading, reading.rest()),))


def _to(reading: Reading, direction: str) -> bool:
    return reading.skip_to(direction) and reading.take(direction)


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
    return Transfer("Import", target, (location(reading),)) if _to(reading, "FROM") else None


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


@reads("PUT", "GET", first=True)
def put_or_get(reading: Reading) -> Any:
    """`PUT file://x @stage`, `GET @stage file://x`."""
    kind = reading.token().text.title()
    if not is_location(reading) and reading.word() not in ("FILE", "FILE://"):
        return None
    source = location(reading)
    return Transfer(kind, location(reading), (source,))


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
    return Transfer("Insert", target, (_query(reading, reading.rest()),), replaces=True)


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
    return Transfer("Insert", target, (_query(reading, reading.rest()),))


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


def _query(reading: Reading, tokens: Sequence[Token]) -> Any:
    """The query that the tokens spell; nothing is none."""
    tree = reading.statement(tokens)
    if tree is None:
        raise ParseError("a query is missing")
    return tree


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
        if not _takes_place(reading):
            return None
    else:
        return None
    target = location(reading)
    options = reading.until("FROM")
    query = parse_statement([*reading.tokens[:start], *reading.rest()], reading.sql, reading.dialect)
    return Transfer(f"Select Into {place}", replace(target, format=file_format(options)), (query,))
