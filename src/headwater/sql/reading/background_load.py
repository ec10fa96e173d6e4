"""Loads that StarRocks and Doris run in the background: LOAD LABEL reads files, CREATE ROUTINE LOAD follows a topic of Kafka.

Both list the fields of what they read, and compute columns of these: `(id, cents) SET (price = cents / 100)`. A field goes to the column of
its name, if the table has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from headwater.sql.form import Location, StatementChain, Transfer
from headwater.sql.reading.created import creates
from headwater.sql.reading.listed import comma_separated
from headwater.sql.reading.location import file_format, option, path
from headwater.sql.reading.reading import Reading, identifier, is_string, reads, span_of
from headwater.sql.reading.rename import beside

_CLAUSES = ("SET", "WHERE", "PRECEDING", "DELETE", "ORDER BY", "PROPERTIES")


@reads("LOAD", first=True)
def load_label(reading: Reading) -> Any:
    """`LOAD LABEL db.l (DATA INFILE ('p') INTO TABLE t (a, b) SET (c = a + b) WHERE d, …) WITH BROKER`."""
    if not reading.take("LOAD", "LABEL"):
        return None
    label = reading.name()
    if not reading.at_bracket():
        return None
    parts = [_files(Reading(part, reading.sql, reading.dialect), label) for part in comma_separated(reading.brackets())]
    loads = [part for part in parts if part is not None]
    return StatementChain(tuple(loads)) if loads and len(loads) == len(parts) else None


def _files(reading: Reading, label: Any) -> Transfer | None:
    """One part of a load: its files and its table."""
    reading.take_any("MERGE", "APPEND", "DELETE")
    if not reading.take("DATA", "INFILE") or not reading.at_bracket():
        return None
    strings = [token for token in reading.brackets() if is_string(token)]
    if not reading.skip_to("INTO", "TABLE"):
        return None
    reading.take("INTO", "TABLE")
    target = beside(exp.Table(this=label.this.copy(), db=label.args.get("db")), reading.name())
    if reading.take("PARTITION") or reading.take("TEMPORARY", "PARTITION"):
        reading.brackets()
    chosen = file_format(reading.rest())
    sources = tuple(replace(path(t.text, span_of([t]), reading), format=chosen) for t in strings)
    return _load("Load", target, sources, reading)


@reads("CREATE")
def dictionary(reading: Reading) -> Any:
    """`CREATE DICTIONARY d USING t (k KEY, v VALUE) PROPERTIES (…)`: a copy of these columns, for look-ups."""
    if not creates(reading, "DICTIONARY"):
        return None
    name = reading.name()
    if not reading.take("USING"):
        return None
    source = reading.name()
    columns = [exp.Column(this=identifier(part[0])) for part in comma_separated(reading.brackets())]
    return exp.Create(this=name, kind="TABLE", expression=exp.select(*columns).from_(source))


@reads("CREATE")
def routine_load(reading: Reading) -> Any:
    """`CREATE ROUTINE LOAD db.job ON t COLUMNS (a, b, c = a + b), WHERE d PROPERTIES (…) FROM KAFKA ("kafka_topic" = "x", …)`."""
    if not creates(reading, "ROUTINE LOAD"):
        return None
    job = reading.name()
    if not reading.take("ON"):
        return None
    target = beside(exp.Table(this=job.this.copy(), db=job.args.get("db")), reading.name())
    behind = reading.at
    if not reading.skip_to("FROM"):
        return None
    topic = _topic(Reading(reading.rest(), reading.sql, reading.dialect))
    before = Reading(reading.tokens[behind : reading.at], reading.sql, reading.dialect)
    return _load("Create Routine Load", target, (topic,), before) if topic is not None else None


def _topic(reading: Reading) -> Location | None:
    """`FROM KAFKA ("kafka_broker_list" = "h:9092", "kafka_topic" = "x")` as a location, `kafka://h:9092/x`."""
    reading.take("FROM")
    system = reading.token().text.lower()
    if not reading.at_bracket():
        return None
    properties = reading.brackets()
    servers = option(properties, f"{system.upper()}_BROKER_LIST", f"{system.upper()}_SERVICE_URL")
    topics = option(properties, f"{system.upper()}_TOPIC")
    if not topics:
        return None
    server = servers[0].text.split("://")[-1] if servers else ""
    return Location("path", f"{system}://{server}/{topics[0].text}", span_of(topics))


def _load(kind: str, target: Any, sources: tuple[Location, ...], reading: Reading) -> Transfer:
    """The load of *sources* into *target*, by the clauses that follow: lists of fields, assignments, conditions."""
    fields: list[Any] = []
    assignments: list[Any] = []
    conditions: list[Any] = []
    while reading:
        if reading.take("PROPERTIES") or reading.sees("FORMAT", "AS", "("):
            reading.skip_to("(")
            reading.brackets()
        elif reading.take("SET") and reading.at_bracket():
            assignments += _expressions(reading.brackets(), reading)
        elif reading.at_bracket():
            parts = _expressions(reading.brackets(), reading)
            fields += [part.this for part in parts if isinstance(part, exp.Column)]
            assignments += [part for part in parts if isinstance(part, exp.EQ)]
        elif reading.take("WHERE") or reading.take("PRECEDING", "FILTER"):
            tokens = reading.until(*_CLAUSES, ",")
            conditions.append(_of_fields(reading.expression(tokens)))
        else:
            reading.token()
    given = {each.this.name.lower() for each in assignments if isinstance(each, exp.EQ)}
    return Transfer(
        kind,
        target,
        sources,
        tuple(field for field in fields if field.name.lower() not in given),
        assignments=tuple(exp.EQ(this=each.this, expression=_of_fields(each.expression)) for each in assignments),
        by_name=bool(fields),
        has_fields=True,
        conditions=tuple(conditions),
    )


def _expressions(tokens: Sequence[Token], reading: Reading) -> list[Any]:
    return [reading.expression(part) for part in comma_separated(tokens)]


def _of_fields(node: Any) -> Any:
    """An expression whose names are fields of what is read, written as variables are."""
    return node.transform(lambda each: exp.Parameter(this=each.this) if isinstance(each, exp.Column) else each)
