"""Snowflake's session variables: `SET v = e`, `SET (a, b) = (e, f)`; they are read as `$v`."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.sql.procedural.body import Body, between_commas
from headwater.sql.procedural.form import Assign, Target
from headwater.sql.procedural.tree import Do
from headwater.sql.reading.reading import identifier
from headwater.sql.split import span_of
from headwater.sql.words import word


def set_session_variables(body: Body) -> Any:
    """The assignments of a SET; None if it is none of these."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    several = inner.at_bracket()
    names = [part[0] for part in between_commas(inner.brackets())] if several else [inner.token()]
    if not inner.take("="):
        return None
    value = _several(inner) if several and inner.at_bracket() else body.value(inner.rest())
    targets = []
    for name in names:
        part = identifier(name)
        part.set("this", f"${name.text}")
        targets.append(Target((part,), span_of([name])))
    return Do(body.made(tokens, Assign(tuple(targets), value)))


def _several(body: Body) -> Any:
    """A query in brackets, or as many expressions."""
    inside = body.brackets()
    if inside and word(inside[0]) in ("SELECT", "WITH"):
        return body.statement(inside)
    return exp.Tuple(expressions=[body.value(part) for part in between_commas(inside)])
