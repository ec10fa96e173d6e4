"""BEGIN … END: steps in a block of their own, with declarations before them and handlers behind."""

from __future__ import annotations

from typing import Any

from headwater.sql.blocks import begins_transaction
from headwater.sql.procedural.body import Body, Names, steps
from headwater.sql.procedural.declare import declarations
from headwater.sql.procedural.tree import Group, Step


@steps("DECLARE")
def with_declarations(body: Body) -> Any:
    """`DECLARE a int; … BEGIN … END;`, where declarations are a part of their own."""
    if not body.dialect.declares_before_block:
        return None
    outer, body.known = body.known, Names(body.known)
    try:
        body.token()
        declared = declarations(body, "BEGIN")
        return block(body, declared)
    finally:
        body.known = outer


@steps("BEGIN")
def begin(body: Body) -> Any:
    """`BEGIN … END;`, unless a transaction begins."""
    if body.dialect.guards_one_statement or begins_transaction(body.tokens, body.at, len(body.tokens)):
        return None
    outer, body.known = body.known, Names(body.known)
    try:
        return block(body, ())
    finally:
        body.known = outer


def block(body: Body, declared: tuple[Step, ...]) -> Group:
    """From BEGIN to behind END, with the declarations that stand before it."""
    outer, body.handlers = body.handlers, []
    outer_resuming, body.resuming = body.resuming, []
    if not body.take("BEGIN"):
        body.missing("BEGIN")
    body.take("NOT")
    body.take("ATOMIC")
    inside = body.steps("END", "EXCEPTION")
    if body.take("EXCEPTION"):
        body.handlers += exception_handlers(body)
    body.close("END")
    handlers, body.handlers = tuple(body.handlers), outer
    resuming, body.resuming = tuple(body.resuming), outer_resuming
    return Group((*declared, *inside), handlers, resuming=resuming)


def exception_handlers(body: Body) -> list[tuple[Step, ...]]:
    """`WHEN a OR b THEN … WHEN OTHERS THEN …`."""
    found = []
    while body.word() == "WHEN":
        body.up_to("THEN")
        found.append(body.steps("WHEN", "END"))
    return found
