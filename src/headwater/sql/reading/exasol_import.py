"""Exasol's IMPORT and EXPORT: rows from and to files, tables of other databases, and scripts.

`IMPORT INTO t (a) FROM CSV AT 'https://h' FILE 'x.csv'`, `… FROM EXA AT c TABLE s.u`, `… FROM JDBC AT c STATEMENT 'SELECT …'`. A
connection is the other server: its name comes before those of the tables there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.sql.form import Location, NoLineage, StatementChain, Transfer
from headwater.sql.reading.reading import Reading, is_string, reads, span_of

IMPORTED = "exa_imported"
"""The function that the rows of a statement for another database become: `exa_imported(c, 'SELECT …')`."""
_FILES = frozenset({"CSV", "FBV", "PARQUET"})
_DATABASES = frozenset({"JDBC", "EXA", "ORA"})


@reads("IMPORT", first=True)
def import_(reading: Reading) -> Any:
    """`IMPORT INTO t [(a, b)] FROM source`."""
    if reading.dialect.family != "exasol" or not reading.take("IMPORT", "INTO"):
        return None
    target = reading.name()
    columns = tuple(reading.names()) if reading.at_bracket() else ()
    if not reading.take("FROM"):
        return None
    found = _files(reading)
    if found:
        return Transfer("Import", target, tuple(found), columns)
    return Transfer("Import", target, (reading.parsed(_rows(reading)),), columns)


@reads("CREATE")
def created_by_import(reading: Reading) -> Any:
    """`CREATE TABLE t AS IMPORT [INTO (a INT)] FROM JDBC AT c STATEMENT '…'`."""
    if reading.dialect.family != "exasol" or not reading.skip_to("AS", "IMPORT"):
        return None
    head = reading.tokens[: reading.at + 1]
    reading.take("AS")
    return reading.parsed([*head, *imported_query(reading)])


@reads("SELECT", "WITH", "INSERT", "CREATE", "(")
def with_imports(reading: Reading) -> Any:
    """`SELECT … FROM (IMPORT INTO (a INT) FROM EXA AT c TABLE s.u) AS x`: an import in the place of a query."""
    if reading.dialect.family != "exasol":
        return None
    tokens: list[Token] = []
    is_changed = False
    while reading:
        if reading.at_bracket() and reading.word(1) == "IMPORT":
            bracket = reading.here
            inner = Reading(reading.brackets(), reading.sql, reading.dialect)
            tokens += [bracket, *imported_query(inner), reading.tokens[reading.at - 1]]
            is_changed = True
        else:
            tokens.append(reading.token())
    return reading.parsed(tokens) if is_changed else None


def imported_query(reading: Reading) -> list[Token]:
    """The tokens of a query that stands for an import, `IMPORT [INTO (a INT)] FROM …`."""
    reading.take("IMPORT")
    names = _typed_names(reading.brackets()) if reading.take("INTO") else []
    if not reading.take("FROM"):
        raise ParseError("an import has a source")
    at = reading.here
    rows = _rows(reading)
    if not names:
        return rows
    listed = [part for name in names for part in (*_made(",", at), name)][1:]
    alias = [*_made(") AS imported (", at), *listed, *_made(")", at)]
    return [*_made("SELECT * FROM (", at), *rows, *alias]


def _typed_names(tokens: Sequence[Token]) -> list[Token]:
    """The names of `(a INT, b DECIMAL(9, 2))`."""
    found, depth = list(tokens[:1]), 0
    for before, token in pairwise(tokens):
        depth += (before.text == "(") - (before.text == ")")
        if before.text == "," and depth == 0:
            found.append(token)
    return found


def _files(reading: Reading) -> list[Location]:
    """The files of `[LOCAL [SECURE]] CSV AT 'url' FILE 'x' FILE 'y'`; none for another source. A relative name is below the url."""
    start = reading.at
    reading.take("LOCAL")
    reading.take("SECURE")
    kind = reading.take_any(*_FILES)
    if not kind:
        reading.at = start
        return []
    base = reading.token().text if reading.take("AT") and reading.at_string() else ""
    found = []
    while reading.skip_to("FILE"):
        reading.take("FILE")
        token = reading.token()
        uri = f"{base.rstrip('/')}/{token.text}" if base else token.text
        found.append(Location("path", uri, Span(token.start, token.end + 1), kind.lower()))
    return found


def _rows(reading: Reading) -> list[Token]:
    """The tokens of a query over a table of another database, a statement for it, or a script."""
    at = reading.here
    if reading.take("SCRIPT"):
        start = reading.at
        reading.name()
        return [*_select((), at), *reading.tokens[start : reading.at], *_made("()", at)]
    if not reading.take_any(*_DATABASES):
        raise ParseError("the source of an import is not understood")
    reading.skip_to("AT")
    reading.take("AT")
    connection = reading.token()
    server = Token(TokenType.IDENTIFIER, connection.text, at.line, at.col, connection.start, connection.end)
    server = server if is_string(connection) else connection
    if reading.skip_to("STATEMENT") and reading.take("STATEMENT"):
        return [*_select((), at), *_made(f"{IMPORTED}(", at), server, *_made(",", at), reading.token(), *_made(")", at)]
    if not reading.skip_to("TABLE") or not reading.take("TABLE"):
        raise ParseError("the source of an import is not understood")
    start = reading.at
    reading.name()
    table = reading.tokens[start : reading.at]
    listed = reading.brackets() if reading.at_bracket() else ()
    return [*_select([t for t in listed if t.text != ","], at), server, *_made(".", at), *table]


_KINDS = {
    "SELECT": TokenType.SELECT,
    "*": TokenType.STAR,
    "FROM": TokenType.FROM,
    "AS": TokenType.ALIAS,
    "(": TokenType.L_PAREN,
    ")": TokenType.R_PAREN,
    ",": TokenType.COMMA,
    ".": TokenType.DOT,
}


def _made(text: str, at: Token) -> list[Token]:
    """Tokens that nobody wrote, at the place of another."""
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    return [Token(_KINDS.get(each, TokenType.VAR), each, at.line, at.col, at.start, at.end) for each in words]


def _select(names: Sequence[Token], at: Token) -> list[Token]:
    """`SELECT a, b FROM`, or all columns."""
    listed = [part for name in names for part in (*_made(",", at), name)][1:]
    return [*_made("SELECT", at), *(listed or _made("*", at)), *_made("FROM", at)]


@reads("EXPORT", first=True)
def export(reading: Reading) -> Any:
    """`EXPORT t [(a, b)] INTO target`, `EXPORT (SELECT …) INTO target`."""
    if reading.dialect.family != "exasol" or not reading.take("EXPORT"):
        return None
    at = reading.here
    if reading.at_bracket():
        source = reading.statement(reading.brackets())
    else:
        start = reading.at
        source = reading.name()
        named = reading.tokens[start : reading.at]
        if reading.at_bracket():
            names = [token for token in reading.brackets() if token.text != ","]
            source = reading.parsed([*_select(names, at), *named])
    if not reading.take("INTO"):
        return None
    files = _files(reading)
    if files:
        steps = tuple(Transfer("Export", file, (source,)) for file in files)
        return steps[0] if len(steps) == 1 else StatementChain(steps)
    return _to_database(reading, source)


def _to_database(reading: Reading, source: Any) -> Any:
    """A table of another database, or a script."""
    if reading.take("SCRIPT"):
        return Transfer("Export", reading.name(), (source,))
    if not reading.take_any(*_DATABASES):
        return None
    reading.skip_to("AT")
    reading.take("AT")
    server = reading.token()
    statement = reading.find("STATEMENT")
    if statement >= 0:
        place = span_of(reading.tokens[statement : statement + 1])
        message = "the statement that another database runs for each row is not looked into"
        reading.notes.append(Diagnostic(Code.UNSUPPORTED_STATEMENT, message, place, "STATEMENT"))
        return NoLineage("Export")
    if not reading.skip_to("TABLE") or not reading.take("TABLE"):
        return None
    start = reading.at
    reading.name()
    name = [server, *_made(".", server), *reading.tokens[start : reading.at]]
    table = Reading(name, reading.sql, reading.dialect).name()
    columns = tuple(reading.names()) if reading.at_bracket() else ()
    return Transfer("Export", table, (source,), columns)


@reads("CREATE", first=True)
def script(reading: Reading) -> Any:
    """`CREATE SCRIPT s AS …`, which runs statements that it makes itself; scripts that are functions are in `create_function`."""
    if reading.dialect.family != "exasol":
        return None
    reading.take("CREATE")
    reading.take("OR", "REPLACE")
    reading.take("LUA")
    if not reading.take("SCRIPT"):
        return NoLineage("Create Script") if reading.sees("ADAPTER") or reading.word(1) == "ADAPTER" else None
    start = reading.at
    reading.name()
    place = span_of(reading.tokens[start : reading.at])
    name = reading.sql[place.start : place.end]
    message = f"the body of script {name} is not looked into: it is written in Lua"
    reading.notes.append(Diagnostic(Code.UNSUPPORTED_STATEMENT, message, place, name))
    return NoLineage("Create Script")


@reads("EXECUTE", first=True)
def execute_script(reading: Reading) -> Any:
    """`EXECUTE SCRIPT s (1) WITH OUTPUT`: what a script does its text says, in Lua."""
    if reading.dialect.family != "exasol" or not reading.take("EXECUTE", "SCRIPT"):
        return None
    start = reading.at
    named = reading.name()
    place = span_of(reading.tokens[start : reading.at])
    name = ".".join(reading.dialect.table(part) for part in named.parts)
    message = f"the script {name} is not known"
    reading.notes.append(Diagnostic(Code.UNKNOWN_PROCEDURE, message, place, name))
    return NoLineage("Execute Script")
