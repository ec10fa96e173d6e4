"""Snowflake's CREATE SEMANTIC VIEW: logical tables, how they join, and the facts, dimensions and metrics over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from headwater.sql.form import Member, SemanticView
from headwater.sql.reading.created import creates
from headwater.sql.reading.listed import comma_separated
from headwater.sql.reading.reading import Reading, identifier, reads

_PARTS = ("TABLES", "RELATIONSHIPS", "FACTS", "DIMENSIONS", "METRICS")


@reads("CREATE")
def semantic_view(reading: Reading) -> Any:
    """`CREATE SEMANTIC VIEW v TABLES (…) RELATIONSHIPS (…) FACTS (…) DIMENSIONS (…) METRICS (…)`."""
    if not creates(reading, "SEMANTIC VIEW"):
        return None
    name = reading.name()
    parts: dict[str, list[Reading]] = {part: [] for part in _PARTS}
    while reading:
        part = reading.take_any(*_PARTS)
        if part and reading.at_bracket():
            inside = comma_separated(reading.brackets())
            parts[part] = [Reading(each, reading.sql, reading.dialect) for each in inside]
        elif not part:
            reading.token()
    tables = [_table(each) for each in parts["TABLES"]]
    keys = {alias.name.upper(): key for alias, _, key in tables}
    joins = [condition for each in parts["RELATIONSHIPS"] for condition in _relationship(each, keys)]
    members = [_member(each) for part in _PARTS[2:] for each in parts[part]]
    named = tuple((alias, table) for alias, table, _ in tables)
    return SemanticView(name, named, tuple(members), tuple(joins), qualified=True)


def _table(reading: Reading) -> tuple[Any, Any, list[Any]]:
    """`[alias AS] t PRIMARY KEY (a, b) …`: the alias, the table, its key."""
    first = reading.at
    table = reading.name()
    if reading.take("AS"):
        alias = identifier(reading.tokens[first])
        table = reading.name()
    else:
        alias = table.this
    key = reading.names() if reading.take("PRIMARY", "KEY") else []
    return alias, table, key


def _relationship(reading: Reading, keys: dict[str, list[Any]]) -> Iterator[Any]:
    """`[name AS] t (a) REFERENCES u [(b)]`: the columns by position; without a list, the key of u."""
    if reading.find("AS") >= 0 and reading.word(1) == "AS":
        reading.at += 2
    table = reading.name().this
    columns = reading.names() if reading.at_bracket() else []
    if not reading.take("REFERENCES"):
        return
    other = reading.name().this
    theirs = reading.names() if reading.at_bracket() else keys.get(other.name.upper(), [])
    for mine, its in zip(columns, [each for each in theirs if each.name.upper() != "ASOF"], strict=False):
        sides = [exp.Column(this=column, table=side.copy()) for side, column in ((table, mine), (other, its))]
        yield exp.EQ(this=sides[0], expression=sides[1])


def _member(reading: Reading) -> Member:
    """`[PRIVATE] t.name … AS expression WITH SYNONYMS (…) COMMENT = '…'`; a metric over metrics has no table."""
    reading.take_any("PRIVATE", "PUBLIC")
    name = reading.name()
    table = name.args.get("db")
    reading.skip_to("AS")
    reading.take("AS")
    return Member(table, name.this, reading.expression(_expression(reading)))


def _expression(reading: Reading) -> Sequence[Token]:
    """The tokens up to what describes the member."""
    ends = [i for i in (reading.find(*words) for words in (("WITH",), ("COMMENT", "="), ("LABELS",))) if i >= 0]
    return reading.tokens[reading.at : min(ends, default=len(reading.tokens))]
