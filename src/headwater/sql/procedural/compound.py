"""Oracle's compound trigger: declarations that all of its sections share, and a section for each time at which it is set off."""

from __future__ import annotations

from headwater.sql.procedural.block import block
from headwater.sql.procedural.body import Body, Names
from headwater.sql.procedural.declare import declarations, one_declaration
from headwater.sql.procedural.tree import Repeat, Step
from headwater.sql.words import word

_TIMES = frozenset({"BEFORE", "AFTER", "INSTEAD"})


def compound_sections(body: Body) -> tuple[Step, ...]:
    """From behind COMPOUND TRIGGER to its END: the sections in their order; those for each row are a loop over the rows."""
    body.take("COMPOUND")
    body.take("TRIGGER")
    found: list[Step] = []
    while body and body.word() != "END":
        start = body.at
        if body.word() in _TIMES:
            found += _section(body)
        else:
            found += one_declaration(body)
        if body.at == start:
            body.skip_noise()
    return tuple(found)


def _section(body: Body) -> list[Step]:
    """`BEFORE EACH ROW IS … BEGIN … END BEFORE EACH ROW;`."""
    head = [word(token) for token in body.up_to("IS", "AS")]
    outer, body.known = body.known, Names(body.known)
    try:
        group = block(body, declarations(body, "BEGIN"))
    finally:
        body.known = outer
    if body.word() in _TIMES and body.word(1) in ("STATEMENT", "EACH", "OF"):
        body.end()
    return [Repeat(None, (group,))] if "ROW" in head else [group]
