"""What is asked about the last statement or error: GET DIAGNOSTICS."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from headwater.sql.procedural.body import Body, between_commas, steps
from headwater.sql.procedural.form import Assign
from headwater.sql.procedural.tree import Do, Step


@steps("GET")
def get_diagnostics(body: Body) -> Any:
    """`GET [STACKED] DIAGNOSTICS n = ROW_COUNT, m = MESSAGE_TEXT;`, MySQL's `GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT;`."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    inner.take_any("CURRENT", "STACKED")
    if not inner.take("DIAGNOSTICS"):
        return None
    if inner.take_any("CONDITION", "EXCEPTION"):
        inner.target()
    found: list[Step] = []
    for part in between_commas(inner.rest()):
        target = (each := body.inside(part)).target()
        if not (each.take("=") or each.take(":=")):
            raise ParseError("= is missing")
        value = exp.column("SQL%ROW_COUNT") if each.word() == "ROW_COUNT" else exp.Null()
        found.append(Do(body.made(tokens, Assign((target,), value, type="Get Diagnostics"))))
    return found
