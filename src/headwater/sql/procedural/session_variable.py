"""Snowflake's session variables: `SET v = e`, `SET (a, b) = (e, f)`; they are read as `$v`."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.sql.procedural.body import Body, between_commas
from headwater.sql.procedural.form import Assign, Target
from headwater.sql.procedural.tree import Do
from headwater.sql.reading.reading import identifier
from headwater.sql.split import span_of


def set_session_variables(body: Body) -> Any:
    """The assignments of a SET; None if it is none of these."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    several = inner.at_bracket()
    names = [part[0] for part in between_commas(inner.brackets())] if several else [inner.token()]
    if not inner.take("="):
        return None
    values = [inner.rest()]
    if several and inner.at_bracket():
        values = list(between_commas(inner.brackets()))
    targets = []
    for name in names:
        part = identifier(name)
        part.set("this", f"${name.text}")
        targets.append(Target((part,), span_of([name])))
    made = [body.value(value) for value in values]
    value = made[0] if len(made) == 1 else exp.Tuple(expressions=made)
    return Do(body.made(tokens, Assign(tuple(targets), value)))
