"""PostgreSQL's CREATE RULE: a trigger by another name, whose statements stand behind DO."""

from __future__ import annotations

from headwater.sql.procedural.body import Body
from headwater.sql.procedural.tree import Branch, Choice, Step, Trigger
from headwater.sql.procedural.trigger import know_rows

_ROWS = ("new", "old")


def rule(body: Body) -> tuple[Trigger | None, tuple[Step, ...]]:
    """`AS ON UPDATE TO t WHERE NEW.a > 0 DO INSTEAD (UPDATE …; INSERT …)`: the table, and what is done; NOTHING is no step."""
    found = body.find_word("TO")
    if found < 0:
        return None, ()
    body.at = found + 1
    table = body.name()
    know_rows(body, _ROWS)
    condition = None
    if body.word() == "WHERE":
        start = body.at
        body.token()
        condition = body.condition("If", body.until_any("DO"), start)
    body.take("DO")
    body.take_any("ALSO", "INSTEAD")
    steps = _steps(body)
    if condition is not None:
        steps = (Choice((Branch(condition, steps),)),)
    return Trigger(table, _ROWS), steps


def _steps(body: Body) -> tuple[Step, ...]:
    if body.take("NOTHING"):
        return ()
    if body.at_bracket():
        return body.inside(body.brackets()).steps()
    return body.steps()
