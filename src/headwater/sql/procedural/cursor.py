"""Cursors: OPEN, OPEN … FOR, FETCH … INTO."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import NoLineage
from headwater.sql.procedural.body import Body, steps
from headwater.sql.procedural.form import Dynamic, Fetch, Query
from headwater.sql.procedural.tree import Do, Step

_QUERY_WORDS = frozenset({"SELECT", "WITH", "VALUES", "("})
_DIRECTIONS = frozenset(
    {"NEXT", "PRIOR", "FIRST", "LAST", "ABSOLUTE", "RELATIVE", "FROM", "IN", "FORWARD", "BACKWARD", "ALL"}
)


@steps("OPEN")
def open_(body: Body) -> Any:
    """`OPEN c;`, `OPEN c(1);`, `OPEN c FOR SELECT …;`, `OPEN c FOR v_sql USING x;`."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    if inner.word() == "GLOBAL":
        inner.token()
    cursor = inner.target()
    if inner.take("FOR"):
        if inner.word() in _QUERY_WORDS:
            return Do(body.made(tokens, Query(cursor, inner.statement(inner.rest()))))
        inner.take("EXECUTE")
        text = inner.up_to("USING") if inner.find_word("USING") >= 0 else inner.rest()
        return Do(body.made(tokens, Dynamic(inner.value(text), cursor=cursor)))
    opened = body.known.query_of(cursor.parts[-1].name)
    found: list[Step] = [Do(body.made(tokens, NoLineage("Open")))]
    return [*found, Do(opened)] if opened is not None else found


@steps("FETCH")
def fetch(body: Body) -> Any:
    """`FETCH c INTO a, b;`, `FETCH NEXT FROM c INTO @a`, `FETCH c BULK COLLECT INTO v LIMIT 100;`."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    while inner.word() in _DIRECTIONS:
        number = inner.word() in ("ABSOLUTE", "RELATIVE")
        inner.token()
        if number:
            inner.target()
    inner.take("GLOBAL")
    cursor = inner.target()
    inner.take("BULK", "COLLECT")
    if not inner.take("INTO"):
        return Do(body.made(tokens, Fetch(cursor, ())))
    return Do(body.made(tokens, Fetch(cursor, inner.targets())))
