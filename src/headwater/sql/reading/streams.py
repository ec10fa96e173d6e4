"""Streaming databases: sources that deliver rows, tables that take them, sinks that send them out, and SUBSCRIBE.

A source is a table whose rows come from outside: its declaration only makes columns known. A sink takes the columns of a
relation or of a query, under a name of its own, or writes them into a table (RisingWave's `CREATE SINK s INTO t`). SUBSCRIBE shows
a relation's rows as they change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token

from headwater.sql.form import NoLineage, Stream, TableElements, Transfer
from headwater.sql.reading.all_rows import all_rows
from headwater.sql.reading.created import creates
from headwater.sql.reading.listed import comma_separated
from headwater.sql.reading.reading import Reading, identifier, reads, word
from headwater.sql.reading.table_elements import table_elements
from headwater.sql.reading.whole_query_state import marked

_DECLARES_NOTHING = frozenset({"PRIMARY", "WATERMARK", "CONSTRAINT", "UNIQUE", "*"})
"""What the elements of a source may begin with besides the name of a column."""


@reads("CREATE", first=True)
def source(reading: Reading) -> Any:
    """`CREATE SOURCE s (a int) WITH (connector = 'kafka')`: its columns, where it declares all of them."""
    if not reading.dialect.streams or not creates(reading, "SOURCE"):
        return None
    name = reading.name()
    declared = reading.brackets() if reading.at_bracket() else ()
    elements = _elements(declared, reading)
    included = _included(reading)
    is_open = any(part[0].text == "*" for part in comma_separated(declared))
    return TableElements(name, (*elements, *included), open=is_open) if elements else NoLineage("Create Source")


def _elements(declared: Sequence[Token], reading: Reading) -> list[Any]:
    """The columns among what a source or its table declares."""
    parts = [part for part in comma_separated(declared) if word(part[0]) not in _DECLARES_NOTHING]
    return [element for part in parts for element in table_elements(part, reading)]


def _included(reading: Reading) -> list[Any]:
    """The columns of `INCLUDE KEY AS k INCLUDE PARTITION AS p`, which stand beside those that are declared."""
    found = []
    while reading.take("INCLUDE"):
        while reading and not reading.sees("AS") and not reading.sees("INCLUDE") and not reading.sees("WITH"):
            reading.token()
        if reading.take("AS"):
            found.append(exp.ColumnDef(this=identifier(reading.token())))
    return found


@reads("CREATE", first=True)
def table_of_source(reading: Reading) -> Any:
    """`CREATE TABLE t FROM SOURCE s (REFERENCE r)`, RisingWave's `CREATE TABLE t (a int) FROM s TABLE 'public.t'`."""
    if not reading.dialect.streams or not creates(reading, "TABLE"):
        return None
    name = reading.name()
    declared = reading.brackets() if reading.at_bracket() else ()
    metadata = _included(reading)
    if not reading.take("FROM"):
        return None
    named = reading.take("SOURCE")
    delivering = reading.name()
    if not named and not (reading.take("TABLE") and reading.at_string()):
        return None
    elements = (*_elements(declared, reading), *metadata)
    is_open = not declared or any(part[0].text == "*" for part in comma_separated(declared))
    return TableElements(name, elements, open=is_open, source=delivering)


@reads("CREATE", first=True)
def sink(reading: Reading) -> Any:
    """`CREATE SINK s FROM v INTO KAFKA …`, `CREATE SINK s AS SELECT … WITH (…)`, `CREATE SINK s INTO t (a, b) AS SELECT …`."""
    if not reading.dialect.streams or not creates(reading, "SINK"):
        return None
    target = reading.name()
    if reading.take("IN", "CLUSTER"):
        reading.name()
    reading.take("WITHOUT", "BACKFILL")
    columns: tuple[Any, ...] = ()
    into_table = reading.take("INTO")
    if into_table:
        target = reading.name()
        columns = tuple(reading.names()) if reading.at_bracket() else ()
    if reading.take("FROM"):
        sent = all_rows(reading)
    elif reading.take("AS"):
        start = reading.at
        end = reading.find("WITH", "(")
        sent = reading.statement(reading.tokens[start : end if end > start else len(reading.tokens)])
    else:
        return None
    if into_table:
        return Transfer("Create Sink", target, (sent,), columns)
    return exp.Create(this=target, kind="TABLE", expression=sent)


@reads("ALTER", first=True)
def other_relation(reading: Reading) -> Any:
    """Materialize's `ALTER SINK s SET FROM v`: the sink sends another relation from now on."""
    if not reading.take("ALTER", "SINK"):
        return None
    reading.take("IF", "EXISTS")
    target = reading.name()
    if not reading.take("SET", "FROM"):
        return None
    return exp.Create(this=target, kind="TABLE", expression=all_rows(reading))


@reads("CREATE", first=True)
def subscription(reading: Reading) -> Any:
    """RisingWave's `CREATE SUBSCRIPTION s FROM v`: the changes of v, under a name of their own."""
    if not reading.dialect.streams or not creates(reading, "SUBSCRIPTION"):
        return None
    name = reading.name()
    return Stream("Create Subscription", name, reading.name()) if reading.take("FROM") else None


@reads("SUBSCRIBE", first=True)
def subscribe(reading: Reading) -> Any:
    """Materialize's `SUBSCRIBE [TO] v`, `SUBSCRIBE (SELECT …) AS OF …`: the rows as they change, like a query's."""
    reading.take("SUBSCRIBE")
    reading.take("TO")
    shown = reading.statement(reading.brackets()) if reading.at_bracket() else all_rows(reading)
    if not isinstance(shown, exp.Expr):
        raise ParseError("a query is missing")
    return marked(shown, "TIMESTAMP") if reading.sees("AS", "OF") else shown
