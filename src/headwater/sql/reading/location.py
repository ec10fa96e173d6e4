"""Paths and stages in a statement's tokens, and the file formats in its options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token

from headwater.model.span import Span
from headwater.sql.dialect import Dialect
from headwater.sql.form import Location
from headwater.sql.grammar import parse_as
from headwater.sql.placeholder import filled, has_placeholders
from headwater.sql.reading.reading import Reading, is_string, word
from headwater.sql.tokens import plain_tokens, tokenise

_FORMAT_WORDS = frozenset({"FORMAT", "TYPE", "FILEFORMAT", "FILE_TYPE", "FORMAT_NAME", "USING"})
_NOT_A_FORMAT = frozenset({"AS", "=", "(", "DELIMITED", "SERDE", "INPUTFORMAT"})


def location(reading: Reading) -> Location:
    """The path or stage that begins here; moves behind it."""
    if reading.word() == "@":
        return _stage(reading)
    token = reading.here if reading else None
    if token is not None and is_string(token):
        reading.token()
        return path(token.text, Span(token.start, token.end + 1), reading)
    if token is None or reading.word() in ("(", ")", ","):
        raise ParseError("a path is expected")
    text, span = reading.glued()
    return path(text, span, reading)


def path(uri: str, span: Span | None, reading: Reading) -> Location:
    """A path by its uri; a stage where the uri is one, `'@s/x'`."""
    if uri.startswith("@"):
        tokens = plain_tokens(uri, reading.dialect)
        return replace(_stage(Reading(tokens, uri, reading.dialect)), place=span)
    return Location("path", uri, span)


def is_location(reading: Reading) -> bool:
    """Whether a path or stage begins here."""
    return reading.word() == "@" or reading.at_string()


def _stage(reading: Reading) -> Location:
    """`@db.s.stage/some/path`, `@%table`, `@db.s.%table`, `@~`."""
    at = reading.token()
    text, span = reading.glued() if reading and reading.here.start == at.end + 1 else ("", None)
    span = Span(at.start, span.end if span else at.end + 1)
    name, _, below = text.partition("/")
    if name in ("", "~"):
        return Location("stage", None, span, below=below)
    schema, marked, table_name = name.rpartition("%")
    tokens = _name_tokens(schema + table_name, reading.dialect)
    table = parse_as(exp.Table, tokens, schema + table_name, reading.dialect)
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        raise ParseError("a stage's name is missing")
    return (
        replace(stage_of_table(table), place=span, below=below)
        if marked
        else Location("stage", table, span, below=below)
    )


def _name_tokens(name: str, dialect: Dialect) -> list[Token]:
    """The tokens of a name, in which placeholders are parts of it: `${schema}.stage`."""
    if not has_placeholders(name, dialect):
        return plain_tokens(name, dialect)
    return tokenise(filled(name, dialect), dialect, name)


def stage_of_table(table: exp.Table) -> Location:
    """Snowflake's stage that each table has: `@%t`, `@d.s.%t`."""
    named = table.copy()
    named.this.set("this", f"%{named.this.name}")
    return Location("stage", named, table)


def file_format(tokens: Sequence[Token]) -> str:
    """The file format that a statement's options name, in lower case."""
    tokens = list(_without_secrets(tokens))
    for i, token in enumerate(tokens):
        if word(token) in _FORMAT_WORDS or (word(token) == "AS" and i and word(tokens[i - 1]) == "STORED"):
            for value in tokens[i + 1 : i + 4]:
                if word(value) in _NOT_A_FORMAT:
                    continue
                if is_string(value) or value.text.isidentifier():
                    if word(value) in _FORMAT_WORDS:
                        break
                    return value.text.lower()
    return ""


def _without_secrets(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens without `ENCRYPTION = (TYPE = …)` and `CREDENTIALS = (…)`, whose options have the same names as others."""
    i = 0
    while i < len(tokens):
        if word(tokens[i]) in ("ENCRYPTION", "CREDENTIALS"):
            i = _behind_brackets(tokens, i + 1)
        else:
            yield tokens[i]
            i += 1


def _behind_brackets(tokens: Sequence[Token], i: int) -> int:
    """Where the tokens go on behind `= (…)` or `(…)`; here, if there are no brackets."""
    start = i + 1 if i < len(tokens) and tokens[i].text == "=" else i
    depth = 0
    for j in range(start, len(tokens)):
        depth += {"(": 1, ")": -1}.get("" if is_string(tokens[j]) else tokens[j].text, 0)
        if depth == 0:
            return j + 1 if j > start else i
    return i


def option(tokens: Sequence[Token], *names: str) -> list[Token]:
    """The strings that an option of one of these names has: `uris = ['a', 'b']`, `path 'x'`, `URL = 'y'`."""
    for i, token in enumerate(tokens):
        if token.text.upper() in names:
            found = _strings(tokens[i + 1 :])
            if found:
                return found
    return []


def _strings(tokens: Sequence[Token]) -> list[Token]:
    """The string, or the bracketed strings, at the beginning; an equals sign or a bracket may come first."""
    if tokens and tokens[0].text in ("=", "("):
        tokens = tokens[1:]
    if tokens and is_string(tokens[0]):
        return [tokens[0]]
    if tokens and tokens[0].text == "[":
        return [t for t in takewhile(lambda t: t.text != "]" or is_string(t), tokens) if is_string(t)]
    return []


def located(tokens: Sequence[Token], reading: Reading, *names: str) -> tuple[Location, ...]:
    """The locations that an option of one of these names has, in the statement's format."""
    chosen = file_format(tokens)
    return tuple(
        replace(path(t.text, Span(t.start, t.end + 1), reading), format=chosen) for t in option(tokens, *names)
    )


_PLACES = ("S3", "KAFKA", "FS", "AZURE", "GCS", "HDFS", "LINK", "MYSQL", "MONGODB")
"""Where SingleStore's files and topics are, before their name."""


def takes_place(reading: Reading) -> bool:
    """Step over the word that says where files are: `LOAD DATA S3 'b/x'`, `INTO LINK l 'b/x'`."""
    if reading.dialect.name != "singlestore":
        return False
    place = reading.take_any(*_PLACES)
    if place == "LINK":
        reading.name()
    return bool(place) and reading.at_string()
