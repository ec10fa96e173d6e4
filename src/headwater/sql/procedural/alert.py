"""Snowflake's CREATE ALERT: a statement that runs again and again, whenever a query finds rows."""

from __future__ import annotations

from headwater.sql.procedural.body import Body
from headwater.sql.procedural.tree import Branch, Choice, Step


def alert(body: Body) -> tuple[Step, ...]:
    """`… IF (EXISTS (SELECT …)) THEN INSERT …`, or a block behind THEN; without END IF."""
    found = body.find_word("IF")
    if found < 0:
        return body.steps()
    body.at = found
    body.token()
    condition = body.condition("If", body.until_any("THEN"), found)
    body.take("THEN")
    return (Choice((Branch(condition, body.steps()),)),)
