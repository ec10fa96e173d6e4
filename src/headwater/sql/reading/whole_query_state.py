"""Queries all of whose tables are read as they were: the state is named once, before or behind the query.

Vertica's `AT EPOCH 42 SELECT …` and `AT TIME '…' SELECT …`, Materialize's `SELECT … AS OF '…'`, Fabric's
`SELECT … OPTION (FOR TIMESTAMP AS OF '…')`. Every table of the query gets that state, as if it stood behind its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token

from headwater.sql.reading.reading import Reading, reads, word


def marked(tree: Any, state: str) -> Any:
    """The query, each of whose tables is read in a *state*: `TIMESTAMP` or `VERSION`."""
    ctes = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        if isinstance(table.this, exp.Identifier) and (table.args.get("db") or table.name.lower() not in ctes):
            table.set("version", exp.Version(this=state, kind="AS OF"))
    return tree


@reads("AT", first=True)
def state_before(reading: Reading) -> Any:
    """Vertica's `AT EPOCH 42 SELECT …`; the latest epoch is the current state."""
    state = _state(reading)
    tree = reading.statement(reading.rest())
    return marked(tree, state) if state and isinstance(tree, exp.Expr) else tree


def _state(reading: Reading) -> str:
    """What `AT EPOCH n` or `AT TIME 't'` asks for, nothing for the current state; moves behind it."""
    reading.take("AT")
    kind = reading.take_any("EPOCH", "TIME")
    if not kind:
        raise ParseError("a state is expected")
    value = reading.token()
    return "TIMESTAMP" if kind == "TIME" else "" if word(value) == "LATEST" else "VERSION"


@reads("CREATE")
def created_from_state(reading: Reading) -> Any:
    """Vertica's `CREATE TABLE x AS AT EPOCH 42 SELECT …`."""
    if not reading.skip_to("AS", "AT"):
        return None
    reading.take("AS")
    head = reading.tokens[: reading.at]
    state = _state(reading)
    tree = reading.statement([*head, *reading.rest()])
    if state and isinstance(tree, exp.Create) and isinstance(tree.expression, exp.Expr):
        marked(tree.expression, state)
    return tree


@reads("SELECT", "WITH", "TABLE", "VALUES")
def time_behind(reading: Reading) -> Any:
    """Materialize's `SELECT … AS OF [AT LEAST] '…'`."""
    query = _before_time(reading) if reading.dialect.streams else ()
    tree = reading.statement(query) if query else None
    return marked(tree, "TIMESTAMP") if isinstance(tree, exp.Expr) else tree


def _before_time(reading: Reading) -> Sequence[Token]:
    """The query before the last AS OF, if nothing but a time stands behind it."""
    found = -1
    while reading.skip_to("AS", "OF"):
        found = reading.at
        reading.take("AS", "OF")
    if found <= 0:
        return ()
    reading.take("AT", "LEAST")
    reading.expression(reading.rest())
    return reading.tokens[:found]


@reads("SELECT", "WITH", "INSERT", "CREATE")
def time_among_options(reading: Reading) -> Any:
    """Fabric's `SELECT … OPTION (FOR TIMESTAMP AS OF '…')`, also of a query that is written into a table."""
    if reading.dialect.family != "tsql" or not reading.skip_to("OPTION", "(", "FOR", "TIMESTAMP"):
        return None
    statement = reading.tokens[: reading.at]
    reading.token()
    reading.brackets()
    tree = reading.statement(statement) if not reading else None
    if isinstance(tree, (exp.Insert, exp.Create)):
        marked(tree.expression, "TIMESTAMP")
    elif isinstance(tree, exp.Expr):
        marked(tree, "TIMESTAMP")
    return tree
